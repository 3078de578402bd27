// Why what keeps a project cannot be used now.
import { CouncilError } from '../base/errors.ts';
import type { ErrorDetails } from '../base/errors.ts';

/** How long a judgement may take, in milliseconds. What it is asked for may take longer. */
export const JUDGED_WITHIN_MS = 2000;

export interface StoreTrouble {
  kind: NonNullable<ErrorDetails['trouble']>;
  message: string;
  hint: string;
}

export const PUT_BACK = 'Mount it, or put the folder back. Nothing that was acknowledged is lost.';

/** What keeps a project can be read, though perhaps not written. */
export const isReadable = (trouble: StoreTrouble | undefined): boolean =>
  trouble === undefined || trouble.kind === 'read_only';

export const storeAway = ({ kind, message, hint }: StoreTrouble): CouncilError =>
  new CouncilError('store_away', message, { hint, details: { trouble: kind } });
