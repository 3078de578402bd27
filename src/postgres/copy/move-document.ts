// Moves one document with its history from one store into another.
import { CouncilError } from '../../core/base/errors.ts';
import { parse, serialize } from '../../core/council/document/document.ts';
import { replaceJsonKeys } from '../../core/store/json-document.ts';
import type { Arriving } from '../../core/store/histories.ts';
import { parseMoveMarker } from '../../core/store/moving.ts';
import type { Moving } from '../../core/store/moving.ts';
import type { Move } from './document-kinds.ts';

/** The text of a document as its next revision: on its way, or arrived where `moving` is undefined. */
export function serializeMoveRevision(
  kind: Move['kind'],
  text: string,
  next: { revision: number; moving: Moving | undefined; actor: string },
): string {
  const { revision, moving, actor } = next;
  if (kind !== 'council') return replaceJsonKeys(text, moving ? { moving } : { moving: undefined }, revision);
  const { state, ...council } = parse(text);
  const { moving: _before, ...rest } = state;
  const change = { action: moving ? 'move' : 'arrive', by: null, actor };
  const first = moving ? { moving } : {};
  return serialize({
    ...council,
    state: { ...first, ...rest, revision, change, previous: state.textSha256 },
  });
}

/**
 * Ends a document that is on its way here, once it is there: its history with the tombstone that it gets here, then its text as
 * the revision after that. A number means the same text in both stores. Whatever was done before is not done again.
 */
export async function moveOne(move: Move, key: string, actor: string): Promise<number> {
  const { kind, from, to } = move;
  const live = await from.documents.read(key);
  if (!live) return 0;
  const ended = live.revision + 1;
  const there = await to.documents.revision(key);
  let kept = 0;
  if (there <= ended) {
    const revisions = await arrivals(move, key, ended);
    kept = revisions.filter(({ text }) => text !== undefined).length;
    await to.histories.receive(key, revisions);
    const text = serializeMoveRevision(kind, live.text, { revision: ended + 1, moving: undefined, actor });
    await to.documents.commit(key, text, ended);
  }
  await from.documents.remove(key, live.revision);
  return kept;
}

/** The history of a document that has ended: it goes along, so that its numbers are not given again. */
export async function moveEnded(move: Move, key: string): Promise<number> {
  const { from, to } = move;
  const revision = await from.documents.revision(key);
  if (revision === 0 || (await to.documents.revision(key)) >= revision) return 0;
  const revisions = await arrivals(move, key, revision);
  await to.histories.receive(key, revisions);
  return revisions.filter(({ text }) => text !== undefined).length;
}

/** Every revision up to `last`, which has no text. */
async function arrivals({ from }: Move, key: string, last: number): Promise<Arriving[]> {
  const all: Arriving[] = [];
  for (const { revision, at, bytes } of await from.documents.versions(key)) {
    if (revision >= last) break;
    const text = bytes > 0 ? await from.documents.readVersion(key, revision) : undefined;
    all.push({ revision, at, text });
  }
  const now = all.at(-1)?.at ?? new Date(0).toISOString();
  return [...all, { revision: last, at: now, text: undefined }];
}

/**
 * Throws `name_taken` where the other store has another history under this name. Numbers of one history never mean two texts;
 * where nothing can be compared any more, that it was moved here from there says as much.
 */
export async function requireSame({ from, to }: Move, key: string, source: string): Promise<void> {
  const there = await to.documents.revision(key);
  if (there === 0) return;
  const last = Math.min(there, await from.documents.revision(key));
  for (let revision = last; revision > 0; revision--) {
    const [one, other] = await Promise.all([
      from.histories.hash(key, revision),
      to.histories.hash(key, revision),
    ]);
    if (one === undefined || other === undefined) continue;
    if (one === other) return;
    break;
  }
  const before = await to.documents.readVersion(key, there - 1);
  const isOurs = before !== undefined && parseMoveMarker(before)?.to === source;
  if (isOurs && there < (await from.documents.revision(key))) return;
  throw new CouncilError('name_taken', `There is another "${key}" where this one is to go.`, {
    hint: `Archive one of them first; council history --name ${key} shows what was there.`,
  });
}
