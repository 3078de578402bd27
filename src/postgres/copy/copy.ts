// Use case `store copy`: moves a project from its files into PostgreSQL, or back.
import { CouncilError } from '../../core/base/errors.ts';
import { readState } from '../../core/council/document/document.ts';
import { movingOf } from '../../core/store/moving.ts';
import { findProject, projectAt } from '../../core/store/local/project.ts';
import { place } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { inDatabase } from '../database.ts';
import { inFiles } from '../../core/app/storage/files.ts';
import { findProjectDatabase } from '../named-database.ts';
import { copyBeside } from './copy-archives.ts';
import type { Beside } from './copy-archives.ts';
import { checkMoves, requireBlindHere } from './check-moves.ts';
import type { End } from './check-moves.ts';
import { serializeMoveRevision, moveEnded, moveOne } from './move-document.ts';
import { loadKinds, movesBetween } from './document-kinds.ts';
import type { Move } from './document-kinds.ts';

/** What can keep a project. */
export type StoreKind = 'files' | 'postgres';

export interface CopiedDocument extends Beside {
  dryRun: boolean;
  from: StoreKind;
  to: StoreKind;
  /** The database and its schema, without user and password. */
  database: string;
  /** Names of the councils that go on in the other store. */
  councils: string[];
  /** Other documents: tasks, mail, reservations, the health of agents and so on. */
  documents: number;
  /** Kept revisions of all that, and of what has ended. */
  versions: number;
}

/** Repeated after whatever interrupted it, it goes on from the first step that is missing. */
export async function copyStore(
  app: App,
  { from, to, dryRun }: { from: StoreKind; to: StoreKind; dryRun: boolean },
): Promise<CopiedDocument> {
  const { ends, database } = openBothStores(app);
  const [source, target] = [ends[from], ends[to]];
  await ends.postgres.keeping.ready();
  const moves = movesBetween(source.keeping, target.keeping, await loadKinds(app));
  app.note(`Looking at what is to go from ${source.told} to ${target.told} …`);
  const states = await checkMoves(moves, source, target);
  // What cannot be read, or lies there otherwise, is found before anything is written.
  const planned = await copyBeside(source.keeping, target.keeping, states, false);
  const councils = states.map(({ name }) => name);
  const document = { dryRun, from, to, database, councils };
  if (dryRun) return { ...document, ...(await count(moves)), ...planned };
  await markAll(app, moves, source, target);
  app.note('Archives, late texts and messages …');
  const beside = await copyBeside(source.keeping, target.keeping, states, true);
  return { ...document, ...(await moveAll(app, moves)), ...beside };
}

function openBothStores(app: App): { ends: Record<StoreKind, End>; database: string } {
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root }) ?? projectAt(app.cwd);
  const named = findProjectDatabase(app.env, project);
  if (!named)
    throw new CouncilError('usage', `Nothing names a PostgreSQL database for ${project.root}.`, {
      hint: 'COUNCIL_DATABASE_URL=postgres://ROLE@HOST/DATABASE council store copy --from files --to postgres',
    });
  const database = named.place.told;
  return {
    database,
    ends: {
      files: { keeping: inFiles(app, project), told: 'files' },
      // A large project takes as long as it takes.
      postgres: { keeping: inDatabase(app, project, named, 0), told: database },
    },
  };
}

const describeCopyActor = (app: App): string => `${place()} via ${app.via}`;

/**
 * Marks all documents as moving: from now on they cannot be changed here, and the error says where
 * they go.
 */
async function markAll(app: App, moves: readonly Move[], from: End, to: End): Promise<void> {
  const at = new Date(to.keeping.clock.now()).toISOString();
  for (const { kind, from: shelf } of moves)
    for (const key of await shelf.documents.list())
      await shelf.documents.update(key, async (current, revision) => {
        if (!current || movingOf(current.text)) return undefined;
        if (kind === 'council') await requireBlindHere(readState(current.text, key), from, to);
        return serializeMoveRevision(kind, current.text, {
          revision,
          moving: { to: to.told, at },
          actor: describeCopyActor(app),
        });
      });
}

type Counted = Pick<CopiedDocument, 'documents' | 'versions'>;

async function moveAll(app: App, moves: readonly Move[]): Promise<Counted> {
  const done = { documents: 0, versions: 0 };
  for (const move of moves) {
    const live = await move.from.documents.list();
    if (live.length > 0) app.note(`${move.kind}: ${live.length} …`);
    if (move.kind !== 'council') done.documents += live.length;
    for (const key of live) done.versions += await moveOne(move, key, describeCopyActor(app));
    for (const key of await move.from.histories.keys()) done.versions += await moveEnded(move, key);
  }
  return done;
}

/** What a move would take along. */
async function count(moves: readonly Move[]): Promise<Counted> {
  const all = { documents: 0, versions: 0 };
  for (const { kind, from } of moves) {
    if (kind !== 'council') all.documents += (await from.documents.list()).length;
    for (const key of await from.histories.keys())
      all.versions += (await from.documents.versions(key)).filter(({ bytes }) => bytes > 0).length;
  }
  return all;
}
