// What a project keeps as documents: councils, and every kind beside them.
import { readStamp } from '../../core/council/document/document.ts';
import { readHealthStamp } from '../../core/store/agent-health.ts';
import type { Documents } from '../../core/store/documents.ts';
import type { Histories } from '../../core/store/histories.ts';
import { readTodoStamp } from '../../core/store/todo-lists.ts';
import type { App } from '../../core/app/app.ts';
import type { DocumentSettings, Keeping, DocumentKind } from '../../core/app/storage/ports.ts';

/** The kinds of documents beside the councils, of all rooms. */
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
export interface Shelf {
  documents: Documents;
  histories: Histories;
}

/** One kind, where it comes from and where it goes. */
export interface Move {
  kind: DocumentKind | 'council';
  from: Shelf;
  to: Shelf;
}

const findShelf = (keeping: Keeping, kind: DocumentKind | 'council', settings: DocumentSettings): Shelf => ({
  documents: kind === 'council' ? keeping.councils(readStamp).store : keeping.documents(kind, settings),
  histories: keeping.histories(kind, settings),
});

const listKinds = (kinds: Partial<DocumentKinds>): [Move['kind'], DocumentSettings][] => [
  ['council', { readStamp }],
  ...(Object.entries(kinds) as [DocumentKind, DocumentSettings][]).sort(([a], [b]) => (a < b ? -1 : 1)),
];

/** Everything that a project keeps as documents, councils first. */
export const listShelves = (
  keeping: Keeping,
  kinds: Partial<DocumentKinds>,
): (Shelf & Pick<Move, 'kind'>)[] =>
  listKinds(kinds).map(([kind, settings]) => ({ kind, ...findShelf(keeping, kind, settings) }));

/** Everything that is to be moved, councils first. */
export const movesBetween = (from: Keeping, to: Keeping, kinds: Partial<DocumentKinds>): Move[] =>
  listKinds(kinds).map(([kind, settings]) => ({
    kind,
    from: findShelf(from, kind, settings),
    to: findShelf(to, kind, settings),
  }));
