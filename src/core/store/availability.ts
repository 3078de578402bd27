// Why a project's store cannot be used now; and documents being moved to another store, which are read-only.
import { CouncilError, ignoreCodes } from '../base/errors.ts';
import type { ErrorDetails } from '../base/errors.ts';
import type { Documents } from './documents.ts';

export interface StoreTrouble {
  kind: NonNullable<ErrorDetails['trouble']>;
  message: string;
  hint: string;
}

export const PUT_BACK = 'Mount it, or put the folder back. Nothing that was acknowledged is lost.';

/** Whether the store can be read, though perhaps not written. */
export const isReadable = (trouble: StoreTrouble | undefined): boolean =>
  trouble === undefined || trouble.kind === 'read_only' || trouble.kind === 'full';

/** Creates the error `store_away`, for a store that cannot be used now. */
export const storeAway = ({ kind, message, hint }: StoreTrouble): CouncilError =>
  new CouncilError('store_away', message, { hint, details: { trouble: kind } });

export const isStoreAway = (thrown: unknown): thrown is CouncilError & { code: 'store_away' } =>
  thrown instanceof CouncilError && thrown.code === 'store_away';

/** The destination of a document being moved, as in its last revision here. */
export interface DocumentMove {
  /** `files`, or the database as shown to people. */
  to: string;
  /** ISO 8601 UTC. */
  at: string;
}

/**
 * The marker of a move, right after the stamp of a council or a JSON document, where no text of people can
 * be.
 */
const MOVING =
  /^(?:<!--council-state\n)?\{\n +"schema": ?\d+,\n +"revision": ?\d+,\n +"textSha256": ?"[0-9a-f]{64}",\n +"moving": ?\{\s*"to": ?("(?:[^"\\]|\\.)*"),\s*"at": ?"([^"\\]*)"/;

/** Returns the destination of a text's document; undefined if it is not being moved. */
export function parseMoveMarker(text: string): DocumentMove | undefined {
  const [, to, at = ''] = MOVING.exec(text) ?? [];
  return to === undefined ? undefined : { to: String(JSON.parse(to)), at };
}

/** Wraps the documents so that those being moved can be read, but not changed. */
export const refuseMoves = (documents: Documents): Documents => ({
  ...documents,
  update: (key, change) =>
    documents.update(key, (current, next) => {
      requireStaying(key, current?.text);
      return change(current, next);
    }),
  async commit(key, text, expected) {
    // The next commit repairs a damaged document.
    const before = expected > 0 ? await documents.read(key).catch(ignoreCodes('corrupt')) : undefined;
    requireStaying(key, before?.text);
    return documents.commit(key, text, expected);
  },
  async remove(key, expected) {
    requireStaying(key, (await documents.read(key))?.text);
    return documents.remove(key, expected);
  },
});

export const moveCommand = (to: string): string =>
  `council store copy ${to === 'files' ? '--from postgres --to files' : '--from files --to postgres'}`;

function requireStaying(key: string, text: string | undefined): void {
  const moving = text === undefined ? undefined : parseMoveMarker(text);
  if (!moving) return;
  throw new CouncilError(
    'failed',
    `"${key}" is being moved to ${moving.to} since ${moving.at}: nothing is changed in it here.`,
    {
      hint: `Finish the move, should it have been interrupted: ${moveCommand(moving.to)}`,
      details: { moving },
    },
  );
}
