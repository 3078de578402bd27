// Use case `store copy`: moves a project from files into PostgreSQL, or back.
import { CouncilError } from '../../core/base/errors.ts';
import { readState, readStamp } from '../../core/council/document/document.ts';
import { parseMoveMarker } from '../../core/store/availability.ts';
import { findProject, layOutProject } from '../../core/store/local/project.ts';
import { nameUserAndHost } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { createDatabaseKeeping, findProjectDatabase } from '../database.ts';
import { createFileStorage } from '../../core/app/storage/project-storage.ts';
import { copyBesideDocuments } from './copy-archives.ts';
import type { CopiedExtras } from './copy-archives.ts';
import {
  serializeMoveRevision,
  moveEnded,
  moveOne,
  requireSame,
  loadKinds,
  listMoves,
} from './move-document.ts';
import type { Move } from './move-document.ts';
import { isBlindNow } from '../../core/council/state/state.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { findMissingTexts } from '../../core/council/use/seal.ts';
import type { StoragePorts } from '../../core/app/storage/ports.ts';

/** The kinds of store. */
export type StoreKind = 'files' | 'postgres';

export interface CopiedDocument extends CopiedExtras {
  dryRun: boolean;
  from: StoreKind;
  to: StoreKind;
  /** The database and its schema, without user and password. */
  database: string;
  /** Names of the councils that continue in the other store. */
  councils: string[];
  /** Number of other documents: tasks, mail, reservations, agent health and so on. */
  documents: number;
  /** Number of kept revisions, including those of ended documents. */
  versions: number;
}

/** Can be repeated after an interruption: continues with the first missing step. */
export async function copyStore(
  app: App,
  { from, to, dryRun }: { from: StoreKind; to: StoreKind; dryRun: boolean },
): Promise<CopiedDocument> {
  const { ends, database } = openBothStores(app);
  const [source, target] = [ends[from], ends[to]];
  await ends.postgres.keeping.ready();
  const moves = listMoves(source.keeping, target.keeping, await loadKinds(app));
  app.note(`Looking at what is to go from ${source.told} to ${target.told} …`);
  const states = await checkMoves(moves, source, target);
  // Finds unreadable or conflicting data before anything is written.
  const planned = await copyBesideDocuments(source.keeping, target.keeping, states, false);
  const councils = states.map(({ name }) => name);
  const document = { dryRun, from, to, database, councils };
  if (dryRun) return { ...document, ...(await countDocuments(moves)), ...planned };
  await markAll(app, moves, source, target);
  app.note('Archives, late texts and messages …');
  const beside = await copyBesideDocuments(source.keeping, target.keeping, states, true);
  return { ...document, ...(await moveAll(app, moves)), ...beside };
}

function openBothStores(app: App): { ends: Record<StoreKind, MoveEndpoint>; database: string } {
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root }) ?? layOutProject(app.cwd);
  const named = findProjectDatabase(app.env, project);
  if (!named)
    throw new CouncilError('usage', `Nothing names a PostgreSQL database for ${project.root}.`, {
      hint: 'COUNCIL_DATABASE_URL=postgres://ROLE@HOST/DATABASE council store copy --from files --to postgres',
    });
  const database = named.place.displayName;
  return {
    database,
    ends: {
      files: { keeping: createFileStorage(app, project), told: 'files' },
      // No query timeout: a large project takes long.
      postgres: { keeping: createDatabaseKeeping(app, project, named, 0), told: database },
    },
  };
}

const describeCopyActor = (app: App): string => `${nameUserAndHost()} via ${app.via}`;

/** Marks all documents as moving: from now on, changes here fail with an error that names the target. */
async function markAll(
  app: App,
  moves: readonly Move[],
  from: MoveEndpoint,
  to: MoveEndpoint,
): Promise<void> {
  const at = new Date(to.keeping.clock.now()).toISOString();
  for (const { kind, from: shelf } of moves)
    for (const key of await shelf.documents.list())
      await shelf.documents.update(key, async (current, revision) => {
        if (!current || parseMoveMarker(current.text)) return undefined;
        if (kind === 'council') await requireBlindHere(readState(current.text, key), from, to);
        return serializeMoveRevision(kind, current.text, {
          revision,
          moving: { to: to.told, at },
          actor: describeCopyActor(app),
        });
      });
}

type DocumentCounts = Pick<CopiedDocument, 'documents' | 'versions'>;

async function moveAll(app: App, moves: readonly Move[]): Promise<DocumentCounts> {
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

async function countDocuments(moves: readonly Move[]): Promise<DocumentCounts> {
  const all = { documents: 0, versions: 0 };
  for (const { kind, from } of moves) {
    if (kind !== 'council') all.documents += (await from.documents.list()).length;
    for (const key of await from.histories.keys())
      all.versions += (await from.documents.versions(key)).filter(({ bytes }) => bytes > 0).length;
  }
  return all;
}

// Checks before a project is moved: nothing is written unless everything can be moved.

interface MoveEndpoint {
  keeping: StoragePorts;
  /** `files`, or the displayed name of the database. */
  told: string;
}

/** Returns the live councils. Throws if a document cannot be moved, naming it. */
async function checkMoves(
  moves: readonly Move[],
  from: MoveEndpoint,
  to: MoveEndpoint,
): Promise<CouncilState[]> {
  const states: CouncilState[] = [];
  for (const move of moves) {
    const live = new Set(await move.from.documents.list());
    for (const key of await move.from.histories.keys()) {
      await requireSame(move, key, from.told);
      if (!live.has(key)) continue;
      const text = (await move.from.documents.read(key))?.text;
      if (text === undefined) continue;
      requireThisWay(key, text, to);
      if (move.kind === 'council') states.push(await checkCouncil(key, text, from, to));
    }
  }
  return states;
}

function requireThisWay(key: string, text: string, to: MoveEndpoint): void {
  const moving = parseMoveMarker(text);
  if (!moving || moving.to === to.told) return;
  throw new CouncilError('failed', `"${key}" is being moved to ${moving.to} already, since ${moving.at}.`, {
    hint: 'Finish that move first.',
  });
}

async function checkCouncil(
  name: string,
  text: string,
  from: MoveEndpoint,
  to: MoveEndpoint,
): Promise<CouncilState> {
  const { edits } = from.keeping.councils(readStamp);
  if (await edits.isEdited(name))
    throw new CouncilError('hand_edit', `The state file of "${name}" was changed by hand.`, {
      hint: `Take the change with "council adopt --name ${name}" or drop it with "council restore --name ${name}".`,
    });
  const state = readState(text, `council "${name}"`);
  await requireBlindHere(state, from, to);
  return state;
}

/**
 * A blind round can only be moved with its sealed texts, which only one user has; and never out of a database,
 * since only a database can hide them from all.
 */
async function requireBlindHere(state: CouncilState, from: MoveEndpoint, to: MoveEndpoint): Promise<void> {
  if (!isBlindNow(state)) return;
  const { name } = state;
  if (to.told === 'files')
    throw new CouncilError(
      'forbidden',
      `"${name}" is in a blind phase, and does not leave the database before it closes.`,
      {
        hint: `See what it waits for: council status --name ${name}`,
        details: { council: name },
      },
    );
  const missing = await findMissingTexts(state, from.keeping.privateTexts());
  if (missing.length > 0)
    throw new CouncilError(
      'sealed_text_missing',
      `"${name}" is in a blind phase, and the sealed texts of ${missing.join(', ')} are not here: only the user who holds them can move it.`,
      {
        hint: 'Let that user run it, or wait until the phase has closed.',
        details: { council: name, missing },
      },
    );
  await to.keeping.privateTexts().sealing?.check();
}
