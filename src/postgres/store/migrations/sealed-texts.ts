// PostgreSQL driver, migration 3: sealed texts, which can be read only after a recorded closing.
import type { Migration, SchemaNames } from './migration.ts';

/**
 * Texts of blind rounds, in a schema that no role may read. Council uses these functions, which run as a role
 * without login. The tables have no constraint that a text could violate, since the server would print the row.
 * Errors and logs show only a text's size and hash.
 */
export const sealedTexts: Migration = {
  number: 3,
  title: 'sealed texts, and the functions that guard them',
  beside: '0.1.0',
  sql: (names) => `
CREATE SCHEMA ${names.sealed} AUTHORIZATION ${names.sealer};
SET LOCAL ROLE ${names.sealer};
${renderSealedTables(names)}
${renderPutFunction(names)}
${renderLookFunctions(names)}
${renderCloseFunction(names)}
${renderRevealFunction(names)}
${renderDropFunction(names)}
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${names.sealed} FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA ${names.sealed} FROM PUBLIC;
RESET ROLE;
`,
};

const renderSealedTables = ({ sealed }: SchemaNames): string => `
CREATE TABLE ${sealed}.tours (
  conversation text COLLATE "C",
  tour integer,
  closed_by_transaction xid8,
  closed_by name,
  closed_at timestamptz,
  why text,
  PRIMARY KEY (conversation, tour)
);
CREATE TABLE ${sealed}.texts (
  conversation text COLLATE "C",
  name text COLLATE "C",
  tour integer,
  at timestamptz,
  hash bytea,
  said bytea,
  bytes bytea,
  PRIMARY KEY (conversation, name)
);
ALTER TABLE ${sealed}.texts ALTER COLUMN bytes SET STORAGE EXTERNAL, ALTER COLUMN bytes SET STATISTICS 0,
  ALTER COLUMN hash SET STATISTICS 0, ALTER COLUMN said SET STATISTICS 0;
CREATE TABLE ${sealed}.archived (conversation text COLLATE "C" PRIMARY KEY, at timestamptz);
`;

/** Declares every function with its own search path, in which no temporary table or other schema comes first. */
const renderFunctionGuard = ({ sealed }: SchemaNames): string =>
  `SECURITY DEFINER SET search_path = pg_catalog, ${sealed}, pg_temp`;

/**
 * Locks the row of the round until the transaction ends, so that it cannot be closed between the check and the
 * insert. If the transaction's snapshot is older than the closing, the lock fails with 40001 instead of showing
 * an open round.
 */
const renderPutFunction = (names: SchemaNames): string => `
CREATE FUNCTION ${names.sealed}.seal_put(
  p_conversation text, p_tour integer, p_name text, p_bytes bytea, p_said bytea DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql VOLATILE ${renderFunctionGuard(names)} AS $seal$
DECLARE
  v_closed pg_catalog.xid8;
  v_hash pg_catalog.bytea := pg_catalog.sha256(p_bytes);
  v_there pg_catalog.bytea;
BEGIN
  IF p_conversation IS NULL OR p_tour IS NULL OR p_name IS NULL OR p_bytes IS NULL
    OR pg_catalog.octet_length(p_conversation) > 64 OR pg_catalog.octet_length(p_name) > 255
    OR pg_catalog.octet_length(p_said) > 64 THEN
    RAISE EXCEPTION USING ERRCODE = 'SL004', MESSAGE = 'malformed argument';
  END IF;
  IF pg_catalog.octet_length(p_bytes) > 67108864 THEN
    RAISE EXCEPTION USING ERRCODE = 'SL005', MESSAGE = 'too large';
  END IF;
  INSERT INTO ${names.sealed}.tours AS t (conversation, tour) VALUES (p_conversation, p_tour) ON CONFLICT DO NOTHING;
  SELECT t.closed_by_transaction INTO v_closed FROM ${names.sealed}.tours AS t
    WHERE t.conversation = p_conversation AND t.tour = p_tour FOR SHARE;
  IF v_closed IS NULL THEN
    INSERT INTO ${names.sealed}.texts (conversation, name, tour, at, hash, said, bytes)
      VALUES (p_conversation, p_name, p_tour, pg_catalog.clock_timestamp(), v_hash, p_said, p_bytes)
      ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN true; END IF;
  END IF;
  SELECT x.hash INTO v_there FROM ${names.sealed}.texts AS x
    WHERE x.conversation = p_conversation AND x.name = p_name AND x.tour = p_tour;
  IF v_there = v_hash THEN RETURN false; END IF;
  IF v_closed IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'SL001', MESSAGE = 'the round is closed'; END IF;
  RAISE EXCEPTION USING ERRCODE = 'SL003', MESSAGE = 'another text has this name';
END $seal$;
`;

const renderLookFunctions = (names: SchemaNames): string => `
CREATE FUNCTION ${names.sealed}.seal_same(p_conversation text, p_name text, p_hash bytea)
RETURNS boolean LANGUAGE plpgsql STABLE ${renderFunctionGuard(names)} AS $seal$
BEGIN
  RETURN (SELECT x.hash = p_hash OR x.said IS NOT DISTINCT FROM p_hash FROM ${names.sealed}.texts AS x
    WHERE x.conversation = p_conversation AND x.name = p_name);
END $seal$;

CREATE FUNCTION ${names.sealed}.seal_size(p_conversation text, p_name text)
RETURNS integer LANGUAGE plpgsql STABLE ${renderFunctionGuard(names)} AS $seal$
BEGIN
  RETURN (SELECT pg_catalog.octet_length(x.bytes) FROM ${names.sealed}.texts AS x
    WHERE x.conversation = p_conversation AND x.name = p_name);
END $seal$;

CREATE FUNCTION ${names.sealed}.seal_list(p_conversation text)
RETURNS TABLE (name text, tour integer, bytes integer) LANGUAGE plpgsql STABLE ${renderFunctionGuard(names)} AS $seal$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT x.name, x.tour, pg_catalog.octet_length(x.bytes) FROM ${names.sealed}.texts AS x
    WHERE x.conversation = p_conversation ORDER BY x.name;
END $seal$;

CREATE FUNCTION ${names.sealed}.seal_closings(p_conversation text)
RETURNS TABLE (tour integer, at timestamptz, by name, why text) LANGUAGE plpgsql STABLE ${renderFunctionGuard(names)} AS $seal$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT t.tour, t.closed_at, t.closed_by, t.why FROM ${names.sealed}.tours AS t
    WHERE t.conversation = p_conversation AND t.closed_by_transaction IS NOT NULL ORDER BY t.tour;
END $seal$;
`;

/** A closing is irreversible, and durable even if the server's setting promises less. */
const renderCloseFunction = (names: SchemaNames): string => `
CREATE FUNCTION ${names.sealed}.seal_close(p_conversation text, p_tour integer, p_why text)
RETURNS boolean LANGUAGE plpgsql VOLATILE ${renderFunctionGuard(names)} AS $seal$
BEGIN
  IF p_conversation IS NULL OR p_tour IS NULL OR pg_catalog.octet_length(p_conversation) > 64
    OR pg_catalog.octet_length(p_why) > 200 THEN
    RAISE EXCEPTION USING ERRCODE = 'SL004', MESSAGE = 'malformed argument';
  END IF;
  IF pg_catalog.current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
    PERFORM pg_catalog.set_config('synchronous_commit', 'on', true);
  END IF;
  INSERT INTO ${names.sealed}.tours AS t (conversation, tour) VALUES (p_conversation, p_tour) ON CONFLICT DO NOTHING;
  UPDATE ${names.sealed}.tours AS t SET closed_by_transaction = pg_catalog.pg_current_xact_id(),
      closed_by = SESSION_USER, closed_at = pg_catalog.clock_timestamp(), why = p_why
    WHERE t.conversation = p_conversation AND t.tour = p_tour AND t.closed_by_transaction IS NULL;
  RETURN FOUND;
END $seal$;
`;

/** Changes of another transaction are visible only after its commit: the closing can no longer be rolled back. */
const renderRevealFunction = (names: SchemaNames): string => `
CREATE FUNCTION ${names.sealed}.seal_reveal(p_conversation text, p_tour integer, p_name text DEFAULT NULL)
RETURNS TABLE (name text, bytes bytea) LANGUAGE plpgsql VOLATILE ${renderFunctionGuard(names)} AS $seal$
#variable_conflict use_column
DECLARE
  v_closed pg_catalog.xid8;
BEGIN
  SELECT t.closed_by_transaction INTO v_closed FROM ${names.sealed}.tours AS t
    WHERE t.conversation = p_conversation AND t.tour = p_tour;
  IF v_closed IS NULL OR v_closed IS NOT DISTINCT FROM pg_catalog.pg_current_xact_id_if_assigned() THEN
    RAISE EXCEPTION USING ERRCODE = 'SL002', MESSAGE = 'no other transaction has closed the round';
  END IF;
  RETURN QUERY SELECT x.name, x.bytes FROM ${names.sealed}.texts AS x
    WHERE x.conversation = p_conversation AND x.tour = p_tour AND (p_name IS NULL OR x.name = p_name)
    ORDER BY x.name;
END $seal$;
`;

const renderDropFunction = (names: SchemaNames): string => `
CREATE FUNCTION ${names.sealed}.seal_drop(p_conversation text, p_name text)
RETURNS boolean LANGUAGE plpgsql VOLATILE ${renderFunctionGuard(names)} AS $seal$
BEGIN
  DELETE FROM ${names.sealed}.texts AS x WHERE x.conversation = p_conversation AND x.name = p_name;
  RETURN FOUND;
END $seal$;

CREATE FUNCTION ${names.sealed}.seal_mark(p_conversation text)
RETURNS void LANGUAGE plpgsql VOLATILE ${renderFunctionGuard(names)} AS $seal$
BEGIN
  INSERT INTO ${names.sealed}.archived AS a (conversation, at)
    SELECT x.conversation, pg_catalog.clock_timestamp() FROM ${names.sealed}.texts AS x
    WHERE x.conversation = p_conversation LIMIT 1 ON CONFLICT DO NOTHING;
END $seal$;

CREATE FUNCTION ${names.sealed}.seal_sweep()
RETURNS SETOF text LANGUAGE plpgsql VOLATILE ${renderFunctionGuard(names)} AS $seal$
DECLARE
  v_conversation pg_catalog.text;
BEGIN
  FOR v_conversation IN
    DELETE FROM ${names.sealed}.archived AS a
      WHERE a.at < pg_catalog.clock_timestamp() - pg_catalog.make_interval(days => 30) RETURNING a.conversation
  LOOP
    DELETE FROM ${names.sealed}.texts AS x WHERE x.conversation = v_conversation;
    RETURN NEXT v_conversation;
  END LOOP;
END $seal$;
`;
