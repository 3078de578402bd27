// PostgreSQL driver, migration 14: which processes launch agents now.
import type { Migration } from './migration.ts';

/** A row is rewritten every ten seconds: nothing of it is indexed but its key, so that it stays in its page. */
export const heartbeats: Migration = {
  number: 14,
  title: 'heartbeats',
  beside: '0.1.0',
  sql: ({ schema }) => `
CREATE TABLE ${schema}.heartbeats (
  project text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  host text NOT NULL,
  labels text[] NOT NULL,
  version text NOT NULL,
  facts text NOT NULL,
  PRIMARY KEY (project, id)
) WITH (fillfactor = 50);
`,
};
