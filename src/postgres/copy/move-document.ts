// The documents of a project, and how one is moved with its history to another store.
import { CouncilError } from '../../core/base/errors.ts';
import { parse, serialize, readStamp } from '../../core/council/document/document.ts';
import { replaceJsonKeys } from '../../core/store/documents.ts';
import type { ArrivingRevision, Histories, Documents } from '../../core/store/documents.ts';
import { parseMoveMarker } from '../../core/store/availability.ts';
import type { DocumentMove } from '../../core/store/availability.ts';
import { readHealthStamp } from '../../core/store/agent-health.ts';
import { readTodoStamp } from '../../core/store/agent-memory.ts';
import type { App } from '../../core/app/app.ts';
import type { DocumentSettings, StoragePorts, DocumentKind } from '../../core/app/storage/ports.ts';

/** Returns a document's text as its next revision: being moved, or arrived if `moving` is undefined. */
export function serializeMoveRevision(
  kind: Move['kind'],
  text: string,
  next: { revision: number; moving: DocumentMove | undefined; actor: string },
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
 * Finishes the move of a document: writes its history with a tombstone for the move marker, then its text as
 * the next revision. A revision number means the same text in both stores. Steps that are already done are
 * skipped.
 */
export async function moveOne(move: Move, key: string, actor: string): Promise<number> {
  const { kind, from, to } = move;
  const live = await from.documents.read(key);
  if (!live) return 0;
  const ended = live.revision + 1;
  const there = await to.documents.revision(key);
  let kept = 0;
  if (there <= ended) {
    const revisions = await readArrivals(move, key, ended);
    kept = revisions.filter(({ text }) => text !== undefined).length;
    await to.histories.receive(key, revisions);
    const text = serializeMoveRevision(kind, live.text, { revision: ended + 1, moving: undefined, actor });
    await to.documents.commit(key, text, ended);
  }
  await from.documents.remove(key, live.revision);
  return kept;
}

/** Moves the history of an ended document, so that its revision numbers are not reused. */
export async function moveEnded(move: Move, key: string): Promise<number> {
  const { from, to } = move;
  const revision = await from.documents.revision(key);
  if (revision === 0 || (await to.documents.revision(key)) >= revision) return 0;
  const revisions = await readArrivals(move, key, revision);
  await to.histories.receive(key, revisions);
  return revisions.filter(({ text }) => text !== undefined).length;
}

/** Lists all revisions up to `last`, which has no text. */
async function readArrivals({ from }: Move, key: string, last: number): Promise<ArrivingRevision[]> {
  const all: ArrivingRevision[] = [];
  for (const { revision, at, bytes } of await from.documents.versions(key)) {
    if (revision >= last) break;
    const text = bytes > 0 ? await from.documents.readVersion(key, revision) : undefined;
    all.push({ revision, at, text });
  }
  const now = all.at(-1)?.at ?? new Date(0).toISOString();
  return [...all, { revision: last, at: now, text: undefined }];
}

/**
 * Throws `name_taken` if the target has a different history under this name. A revision number of one history
 * never means two texts; if none can be compared any more, a marker of the move to `source` counts as proof.
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

/** Loads the kinds of documents besides councils, of all rooms. */
export async function loadKinds({ features }: Pick<App, 'features'>): Promise<Partial<DocumentKinds>> {
  const kinds: Partial<DocumentKinds> = {
    health: { readStamp: readHealthStamp },
    todos: { readStamp: readTodoStamp },
  };
  for (const { documentKinds } of features) Object.assign(kinds, await documentKinds?.());
  return kinds;
}

type DocumentKinds = Record<DocumentKind, DocumentSettings>;

/** Documents of one kind in one store, with their histories. */
interface KindStore {
  documents: Documents;
  histories: Histories;
}

/** A kind of document with its source and target. */
export interface Move {
  kind: DocumentKind | 'council';
  from: KindStore;
  to: KindStore;
}

const findShelf = (
  keeping: StoragePorts,
  kind: DocumentKind | 'council',
  settings: DocumentSettings,
): KindStore => ({
  documents: kind === 'council' ? keeping.councils(readStamp).store : keeping.documents(kind, settings),
  histories: keeping.histories(kind, settings),
});

const listKinds = (kinds: Partial<DocumentKinds>): [Move['kind'], DocumentSettings][] => [
  ['council', { readStamp }],
  ...(Object.entries(kinds) as [DocumentKind, DocumentSettings][]).sort(([a], [b]) => (a < b ? -1 : 1)),
];

/** Lists all documents of a project, councils first. */
export const listShelves = (
  keeping: StoragePorts,
  kinds: Partial<DocumentKinds>,
): (KindStore & Pick<Move, 'kind'>)[] =>
  listKinds(kinds).map(([kind, settings]) => ({ kind, ...findShelf(keeping, kind, settings) }));

/** Lists everything to be moved, councils first. */
export const listMoves = (from: StoragePorts, to: StoragePorts, kinds: Partial<DocumentKinds>): Move[] =>
  listKinds(kinds).map(([kind, settings]) => ({
    kind,
    from: findShelf(from, kind, settings),
    to: findShelf(to, kind, settings),
  }));
