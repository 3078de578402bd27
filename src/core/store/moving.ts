// Documents that are on their way into another store: they are not changed meanwhile.
import { CouncilError } from '../base/errors.ts';
import type { Documents } from './documents.ts';

/** Where a document is going, as its last revision here says. */
export interface Moving {
  /** `files`, or the database as people are told of it. */
  to: string;
  /** ISO 8601 UTC. */
  at: string;
}

/** Right behind the stamp of a council or a JSON document, where nothing that a person wrote can stand. */
const MOVING =
  /^(?:<!--council-state\n)?\{\n +"schema": ?\d+,\n +"revision": ?\d+,\n +"textSha256": ?"[0-9a-f]{64}",\n +"moving": ?\{\s*"to": ?("(?:[^"\\]|\\.)*"),\s*"at": ?"([^"\\]*)"/;

/** Where a text says that its document is going; undefined for one that stays. */
export function parseMoveMarker(text: string): Moving | undefined {
  const [, to, at = ''] = MOVING.exec(text) ?? [];
  return to === undefined ? undefined : { to: String(JSON.parse(to)), at };
}

/** The same documents; those that are on their way can be read, and not changed. */
export const refusingMoves = (documents: Documents): Documents => ({
  ...documents,
  update: (key, change) =>
    documents.update(key, (current, next) => {
      requireStaying(key, current?.text);
      return change(current, next);
    }),
  async commit(key, text, expected) {
    if (expected > 0) requireStaying(key, await readable(documents, key));
    return documents.commit(key, text, expected);
  },
  async remove(key, expected) {
    requireStaying(key, (await documents.read(key))?.text);
    return documents.remove(key, expected);
  },
});

/** The text of a document; undefined also for a damaged one: what is committed over it mends it. */
async function readable(documents: Documents, key: string): Promise<string | undefined> {
  try {
    return (await documents.read(key))?.text;
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'corrupt') return undefined;
    throw error;
  }
}

/** What moves a project there, or goes on with it. */
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
