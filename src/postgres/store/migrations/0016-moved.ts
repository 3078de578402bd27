// PostgreSQL driver, migration 16: what has moved is found without reading every head, and a head is locked and read in one call.
import type { Migration } from './migration.ts';

/**
 * A version says which transaction wrote it: whoever watches asks for those that were not over when it last asked, which no
 * clock and no order of commits can hide. Old rows have none, and nobody who watches asks for them. Room in every page, so that a
 * text which is pruned is taken out in its place, without an entry more in any index.
 */
export const moved: Migration = {
  number: 16,
  title: 'what has moved, and heads that are locked and read in one call',
  beside: '0.1.0',
  sql: ({ schema }) => `
ALTER TABLE ${schema}.versions ADD COLUMN written xid8;
ALTER TABLE ${schema}.versions ALTER COLUMN written SET DEFAULT pg_current_xact_id();
ALTER TABLE ${schema}.versions SET (fillfactor = 60);
CREATE INDEX versions_written ON ${schema}.versions (project, written) WHERE written IS NOT NULL;
CREATE INDEX messages_newest ON ${schema}.messages (project, channel, seq);

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
`,
};
