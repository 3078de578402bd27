// Use cases `store` (prepares the database, moves a project) and `archives` (writes archives into this checkout).
import { CouncilError } from '../core/base/errors.ts';
import { findProject, layOutProject } from '../core/store/local/project.ts';
import type { MigrationResult } from './store/migrate.ts';
import type { DatabasePlace } from './store/place.ts';
import type { App, Result } from '../core/app/app.ts';
import type { CopiedDocument } from './copy/copy.ts';
import type { StoreInput } from './input.ts';
import { findProjectDatabase } from './database.ts';
import type { Archives } from '../core/store/archives.ts';
import type { LateFiles } from '../core/store/small-files.ts';
import { extractConversationId } from '../core/app/storage/ports.ts';
import { createFileStorage } from '../core/app/storage/project-storage.ts';
import { openWorkspace } from '../core/app/workspace.ts';

export interface MigrateDocument extends MigrationResult {
  dryRun: boolean;
  /** The database and its schema, without user and password. */
  database: string;
}

/** Migrates the tables, and grants a role its rights. Works without a project if the environment names a database. */
export async function store(app: App, input: StoreInput): Promise<Result<MigrateDocument | CopiedDocument>> {
  const { appRole, dryRun } = input;
  if (input.action === 'copy') return { document: await copyProjectStore(app, input) };
  const place = findDatabasePlace(app);
  const { migrateDatabase } = await import('./store/open.ts');
  return {
    document: { dryRun, database: place.displayName, ...(await migrateDatabase(place, { appRole, dryRun })) },
  };
}

async function copyProjectStore(
  app: App,
  { from, to, appRole, dryRun }: StoreInput,
): Promise<CopiedDocument> {
  if (from === undefined || to === undefined || from === to || appRole !== undefined)
    throw new CouncilError('usage', 'council store copy takes where the project is, and where it is to go.', {
      hint: 'council store copy --from files --to postgres, or --from postgres --to files',
    });
  // Loaded only when needed: not for projects in files, or to migrate.
  const { copyStore } = await import('./copy/copy.ts');
  return copyStore(app, { from, to, dryRun });
}

function findDatabasePlace(app: App): DatabasePlace {
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root }) ?? layOutProject(app.cwd);
  const named = findProjectDatabase(app.env, project);
  if (named) return named.place;
  throw new CouncilError('usage', `Nothing names a PostgreSQL database for ${project.root}.`, {
    hint: 'COUNCIL_DATABASE_URL=postgres://OWNER@HOST/DATABASE council store migrate, or store: in COUNCIL.md',
  });
}

interface PulledDocument {
  /** Paths of archives that were written. */
  written: string[];
  /** How many were already here, byte for byte. */
  same: number;
  /** Paths that have a different text here, which is left unchanged. */
  differ: string[];
  /** Paths of late texts that were written or already here. */
  late: string[];
}

/** Archives and late texts of any store. */
interface ArchiveStores {
  archives: Archives;
  lateFiles: LateFiles;
}

/** Writes missing archives and late texts, byte for byte as in files. Throws `usage` for a project in files. */
export async function pullArchives(app: App): Promise<Result<PulledDocument>> {
  const { project, ports } = openWorkspace(app);
  if (!findProjectDatabase(app.env, project))
    throw new CouncilError('usage', 'This project is kept in files: its archives lie in conseils/ already.', {
      hint: 'See them with: council list',
    });
  const files = createFileStorage(app, project);
  const here: ArchiveStores = { archives: files.archives(), lateFiles: files.lateFiles() };
  const document = await pullTexts(ports, here);
  return { document, failed: document.differ.length > 0 ? 'failed' : undefined };
}

async function pullTexts(from: ArchiveStores, to: ArchiveStores): Promise<PulledDocument> {
  const done: PulledDocument = { written: [], same: 0, differ: [], late: [] };
  for (const { path } of await from.archives.list()) {
    const text = await from.archives.read(path);
    if (text === undefined) continue;
    if ((await to.archives.create(path, text)) === 'created') done.written.push(path);
    else if ((await to.archives.read(path)) === text) done.same++;
    else done.differ.push(path);
    done.late.push(...(await pullLate(from.lateFiles, to.lateFiles, text)));
  }
  return done;
}

async function pullLate(from: LateFiles, to: LateFiles, archive: string): Promise<string[]> {
  const conversation = extractConversationId(archive);
  const paths: string[] = [];
  if (conversation === undefined) return paths;
  for (const { name, bytes } of await from.list(conversation))
    paths.push(await to.keep(conversation, name, bytes));
  return paths;
}
