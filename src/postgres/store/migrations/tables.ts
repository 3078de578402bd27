// PostgreSQL driver: the tables and functions of a project, and the rights of council's role on each table.
import type { Migration } from './migration.ts';
import { sealedTexts } from './sealed-texts.ts';

/**
 * A head contains no text, so that incrementing its revision rewrites a few bytes in place; the text of a
 * version is written once, and set to NULL when pruned. Pages of versions have free space, so that this happens
 * in place, without a new index entry. What a council waits for is stored with its version, so that the state
 * of ten thousand councils can be listed without reading texts. A version records the transaction that wrote
 * it: a watcher queries those that had not ended at its last look, and so misses none, whatever the clocks and
 * the order of commits. Keys sort by their bytes. The hash '' marks a tombstone.
 *
 * A token's row is immutable except for the time of its revocation. A heartbeat's row is rewritten every ten
 * seconds: only its key is indexed, so that it stays in its page.
 */
const tables: Migration = {
  number: 1,
  title: 'the tables of a project',
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
  waits text,
  written xid8 DEFAULT pg_current_xact_id(),
  PRIMARY KEY (project, key, revision)
) WITH (fillfactor = 60);
CREATE INDEX versions_written ON ${schema}.versions (project, written) WHERE written IS NOT NULL;
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
CREATE INDEX messages_newest ON ${schema}.messages (project, channel, seq);
CREATE TABLE ${schema}.message_ids (
  project text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, name)
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
CREATE TABLE ${schema}.access_tokens (
  project text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  sha256 text NOT NULL,
  council text,
  conversation text,
  speaks_as text,
  created_at text NOT NULL,
  created_by text NOT NULL,
  expires_at text,
  revoked_at text,
  PRIMARY KEY (project, id)
);
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
${renderLockFunction(schema)}
${renderCommitFunction(schema)}
`,
};

const renderLockFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.locked_head(p_project text, p_key text)
RETURNS TABLE (revision integer, live boolean, text text, hash text)
LANGUAGE plpgsql VOLATILE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $locked$
#variable_conflict use_column
DECLARE
  v_revision integer;
  v_live boolean;
BEGIN
  SELECT h.revision, h.live INTO v_revision, v_live FROM ${schema}.heads AS h
    WHERE h.project = p_project AND h.key = p_key FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  -- A statement of its own, which sees what was committed while the lock was waited for.
  RETURN QUERY SELECT v_revision, v_live, v.text, v.hash FROM (SELECT) AS head LEFT JOIN ${schema}.versions AS v
    ON v.project = p_project AND v.key = p_key AND v.revision = v_revision AND v_live;
END $locked$;
`;

/**
 * A function, because the server caches its plan: as plain SQL, planning took half as long again as all the
 * rest. It depends on no session, and its caller needs the rights on the tables. It returns NULL if the head is
 * at another revision, or there is nothing to end.
 */
const renderCommitFunction = (schema: string): string => `
CREATE FUNCTION ${schema}.commit_revision(
  p_project text, p_key text, p_expected integer, p_commit_id uuid, p_actor text, p_text text, p_hash text,
  p_conversation text, p_phase text, p_due_at timestamptz, p_archive text, p_waits text
) RETURNS integer LANGUAGE plpgsql VOLATILE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $commit$
DECLARE
  v_revision integer;
BEGIN
  PERFORM set_config('lock_timeout', '10000', true);
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF p_expected = 0 THEN
    INSERT INTO ${schema}.heads AS h (project, key, revision, live, conversation, phase, due_at, archive)
      SELECT p_project, p_key, 1, true, p_conversation, p_phase, p_due_at, p_archive WHERE p_text IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING h.revision INTO v_revision;
  ELSE
    UPDATE ${schema}.heads AS h SET revision = h.revision + 1, live = p_text IS NOT NULL,
        conversation = p_conversation, phase = p_phase, due_at = p_due_at, archive = p_archive,
        claim = NULL, claim_until = NULL
      WHERE h.project = p_project AND h.key = p_key AND h.revision = p_expected AND (h.live OR p_text IS NOT NULL)
      RETURNING h.revision INTO v_revision;
  END IF;
  IF v_revision IS NULL THEN RETURN NULL; END IF;
  -- Where another council has the path, its own is not reserved, and whoever makes the archive takes another one.
  IF p_archive IS NOT NULL THEN
    INSERT INTO ${schema}.archives (project, path, conversation) VALUES (p_project, p_archive, p_conversation)
      ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO ${schema}.versions (project, key, revision, at, actor, commit_id, text, hash, waits)
    VALUES (p_project, p_key, v_revision, clock_timestamp(), p_actor, p_commit_id, p_text, p_hash, p_waits);
  RETURN v_revision;
END $commit$;
`;

/** In order of their numbers. */
export const MIGRATIONS: readonly Migration[] = [tables, sealedTexts];

/** Rights of council's role by table; it gets no others. */
export const TABLE_GRANTS: Readonly<Record<string, string>> = {
  heads: 'SELECT, INSERT, UPDATE',
  versions: 'SELECT, INSERT, UPDATE',
  archives: 'SELECT, INSERT, UPDATE, DELETE',
  late_texts: 'SELECT, INSERT',
  channels: 'SELECT, INSERT',
  messages: 'SELECT, INSERT',
  message_ids: 'SELECT, INSERT',
  presences: 'SELECT, INSERT, UPDATE, DELETE',
  pins: 'SELECT, INSERT',
  access_tokens: 'SELECT, INSERT, UPDATE (revoked_at)',
  heartbeats: 'SELECT, INSERT, UPDATE, DELETE',
  migrations: 'SELECT',
};
