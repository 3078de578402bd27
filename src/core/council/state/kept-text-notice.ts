// Where the text of a failed contribution was kept, and how people are told.
import type { ErrorDetails } from '../../base/errors.ts';

/** The path of the kept text, or why it could not be kept (the disk is full, say): the first error matters more than this one. */
export type Kept = NonNullable<ErrorDetails['kept']>;

/** What became of a refused text, for people. */
export const toldKept = (kept: Kept): string =>
  typeof kept === 'string' ? `The text is kept in ${kept}` : `The text is not kept: ${kept.failed}`;
