// PostgreSQL driver, migration 12: the statement that commits a revision.
import type { Migration } from './migration.ts';

/**
 * A function, because the server keeps its plan: as plain SQL, planning it took half as long again as all the rest. Nothing of it
 * depends on a session; who calls it needs the rights on the tables. NULL: the head is another one, or there is nothing to end.
 */
export const commit: Migration = {
  number: 12,
  title: 'commits in one call',
  beside: '0.1.0',
  sql: ({ schema }) => `
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
`,
};
