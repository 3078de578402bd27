// PostgreSQL driver, migration 1: heads and versions, archives, late texts, messages.
import type { Migration } from './migration.ts';

/**
 * A head never holds a text, so that raising its revision rewrites a few bytes in place; the text of a version is written
 * once, and becomes NULL when it is pruned. Keys sort by their bytes. A hash of '' is that of a tombstone.
 */
export const tables: Migration = {
  number: 1,
  title: 'documents, archives, late texts, messages',
  beside: '0.1.0',
  sql: ({ schema }) => `
CREATE TABLE ${schema}.heads (
  project text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  live boolean NOT NULL,
  conversation text COLLATE "C",
  phase text,
  due_at timestamptz,
  claim text,
  claim_until timestamptz,
  archive text COLLATE "C",
  PRIMARY KEY (project, key)
) WITH (fillfactor = 70);
CREATE INDEX heads_due ON ${schema}.heads (project, due_at) WHERE live;

CREATE TABLE ${schema}.versions (
  project text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  commit_id uuid NOT NULL UNIQUE,
  text text,
  hash text NOT NULL,
  PRIMARY KEY (project, key, revision)
);
ALTER TABLE ${schema}.versions ALTER COLUMN text SET STORAGE EXTERNAL, ALTER COLUMN text SET STATISTICS 0;

CREATE TABLE ${schema}.archives (
  project text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  conversation text COLLATE "C",
  at timestamptz NOT NULL DEFAULT now(),
  text text,
  hash text,
  PRIMARY KEY (project, path)
);
CREATE UNIQUE INDEX archives_folded ON ${schema}.archives (project, lower(path));
ALTER TABLE ${schema}.archives ALTER COLUMN text SET STATISTICS 0;

CREATE TABLE ${schema}.late_texts (
  project text COLLATE "C" NOT NULL,
  conversation text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  bytes bytea NOT NULL,
  PRIMARY KEY (project, conversation, name)
);
ALTER TABLE ${schema}.late_texts ALTER COLUMN bytes SET STATISTICS 0;

CREATE TABLE ${schema}.channels (
  project text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, channel)
);
CREATE TABLE ${schema}.messages (
  project text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  text text NOT NULL,
  PRIMARY KEY (project, channel, name)
);
CREATE TABLE ${schema}.presences (
  project text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (project, agent)
);
CREATE TABLE ${schema}.pins (
  project text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (project, hash)
);
`,
};
