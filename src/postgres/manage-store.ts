// Use case `store`: prepares the database that keeps a project, and moves a project into it or out of it.
import { CouncilError } from '../core/base/errors.ts';
import { findProject, layOutProject } from '../core/store/local/project.ts';
import type { Migrated } from './store/migrate.ts';
import type { DatabasePlace } from './store/place.ts';
import type { App, Result } from '../core/app/app.ts';
import type { CopiedDocument } from './copy/copy.ts';
import type { StoreInput } from './input.ts';
import { findProjectDatabase } from './named-database.ts';

export interface MigrateDocument extends Migrated {
  dryRun: boolean;
  /** The database and its schema, without user and password. */
  database: string;
}

/** Brings the tables up to date, and gives a role what council needs. Works without a project where the environment names a database. */
export async function store(app: App, input: StoreInput): Promise<Result<MigrateDocument | CopiedDocument>> {
  const { appRole, dryRun } = input;
  if (input.action === 'copy') return { document: await copyProjectStore(app, input) };
  const place = databaseHere(app);
  const { migrateDatabase } = await import('./store/open.ts');
  return {
    document: { dryRun, database: place.told, ...(await migrateDatabase(place, { appRole, dryRun })) },
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
  // Who looks at files only, or migrates, need not read it.
  const { copyStore } = await import('./copy/copy.ts');
  return copyStore(app, { from, to, dryRun });
}

function databaseHere(app: App): DatabasePlace {
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root }) ?? layOutProject(app.cwd);
  const named = findProjectDatabase(app.env, project);
  if (named) return named.place;
  throw new CouncilError('usage', `Nothing names a PostgreSQL database for ${project.root}.`, {
    hint: 'COUNCIL_DATABASE_URL=postgres://OWNER@HOST/DATABASE council store migrate, or store: in COUNCIL.md',
  });
}
