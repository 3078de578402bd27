import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type pg from 'pg';
import { connected, migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { sealer } from '../../helpers/postgres/sealing.ts';
import type { Sealer } from '../../helpers/postgres/sealing.ts';

const server = await sharedPostgres();
const place = server && (await migratedSchema(server));
const CLOSED = { code: 'SL001' };
const NOT_CLOSED = { code: 'SL002' };
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Two connections of council's role, and the functions on each for one new council. */
async function two(
  work: (
    one: { client: pg.Client; seal: Sealer },
    other: { client: pg.Client; seal: Sealer },
  ) => Promise<void>,
): Promise<void> {
  const council = randomUUID();
  await connected(place!.appUrl, (a) =>
    connected(place!.appUrl, (b) =>
      work({ client: a, seal: sealer(a, place!, council) }, { client: b, seal: sealer(b, place!, council) }),
    ),
  );
}

describe.skipIf(!server)('sealed texts on PostgreSQL', () => {
  it('are written once, known by size and hash, and come out after a closing', () =>
    two(async ({ seal }) => {
      expect(await seal.put(1, 'sealed-ana', 'Ship it. 🦉')).toBe(true);
      expect(await seal.put(1, 'sealed-ana', 'Ship it. 🦉')).toBe(false);
      await expect(seal.put(1, 'sealed-ana', 'Wait.')).rejects.toMatchObject({ code: 'SL003' });
      expect(await seal.size('sealed-ana')).toBe(Buffer.byteLength('Ship it. 🦉'));
      expect(await seal.size('sealed-ben')).toBeNull();
      expect(await seal.same('sealed-ana', sha256('Ship it. 🦉'))).toBe(true);
      expect(await seal.same('sealed-ana', sha256('Wait.'))).toBe(false);
      expect(await seal.same('sealed-ben', sha256('Wait.'))).toBeNull();
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      expect(await seal.close(1)).toBe(true);
      expect(await seal.reveal(1)).toEqual([{ name: 'sealed-ana', text: 'Ship it. 🦉' }]);
      await expect(seal.put(1, 'sealed-ben', 'Me too.')).rejects.toMatchObject(CLOSED);
      // The answer to the first attempt may have been lost.
      expect(await seal.put(1, 'sealed-ana', 'Ship it. 🦉')).toBe(false);
    }));

  it('stay sealed in one round while another one is closed', () =>
    two(async ({ seal }) => {
      await seal.put(1, 'first', 'one');
      await seal.put(2, 'second', 'two');
      await seal.close(1);
      expect(await seal.reveal(1)).toEqual([{ name: 'first', text: 'one' }]);
      await expect(seal.reveal(2)).rejects.toMatchObject(NOT_CLOSED);
    }));

  it('keep for ever who closed a round, when and why', () =>
    two(async ({ client, seal }, other) => {
      await seal.close(1, 'all have responded');
      const before = await seal.closings();
      expect(before).toMatchObject([{ tour: 1, by: place!.app, why: 'all have responded' }]);
      expect(Math.abs(Date.now() - Number(before[0]?.at))).toBeLessThan(60_000);
      expect(await other.seal.close(1, 'something else')).toBe(false);
      expect(await seal.closings()).toEqual(before);
      for (const sql of [
        'DELETE FROM S.tours',
        "UPDATE S.tours SET why = ''",
        'TRUNCATE S.tours',
        'DROP TABLE S.tours',
      ])
        await expect(client.query(sql.replace('S', `${place!.schema}_sealed`))).rejects.toMatchObject({
          code: '42501',
        });
    }));

  it('refuse what is malformed without saying what it was', () =>
    two(async ({ client, seal }) => {
      const S = `${place!.schema}_sealed`;
      await expect(seal.put(1, 'n'.repeat(256), 'text')).rejects.toMatchObject({ code: 'SL004' });
      await expect(client.query(`SELECT ${S}.seal_put('c', 1, 'n', NULL)`)).rejects.toMatchObject({
        code: 'SL004',
      });
      await expect(client.query(`SELECT ${S}.seal_put('c', NULL, 'n', 'x')`)).rejects.toMatchObject({
        code: 'SL004',
      });
      await expect(seal.close(1, 'w'.repeat(201))).rejects.toMatchObject({ code: 'SL004' });
      await expect(
        client.query(`SELECT ${S}.seal_put('c', 1, 'n', convert_to(repeat('x', 67108865), 'UTF8'))`),
      ).rejects.toMatchObject({ code: 'SL005' });
    }));

  it('go with their council 30 days after its archive, and the closings stay', () =>
    two(async ({ client, seal }) => {
      const S = `${place!.schema}_sealed`;
      const {
        rows: [{ council }],
      } = (await client.query('SELECT gen_random_uuid()::text AS council')) as unknown as {
        rows: [{ council: string }];
      };
      const old = sealer(client, place!, council);
      await old.put(1, 'old', 'x');
      await old.close(1);
      await seal.put(1, 'young', 'y');
      await client.query(`SELECT ${S}.seal_mark($1)`, [council]);
      expect((await client.query(`SELECT ${S}.seal_sweep()`)).rows).toEqual([]);
      await connected(server!.url, (root) =>
        root.query(`UPDATE ${S}.archived SET at = now() - interval '31 days' WHERE conversation = $1`, [
          council,
        ]),
      );
      expect((await client.query(`SELECT ${S}.seal_sweep() AS swept`)).rows).toEqual([{ swept: council }]);
      expect([await old.size('old'), await seal.size('young')]).toEqual([null, 1]);
      expect(await old.closings()).toHaveLength(1);
    }));
});

describe.skipIf(!server)('nobody reads a sealed text in secret', () => {
  it('by closing and revealing in a transaction that is rolled back', () =>
    two(async ({ client, seal }, other) => {
      await seal.put(1, 'ana', 'secret');
      await client.query('BEGIN');
      await seal.close(1);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('ROLLBACK');
      expect(await seal.closings()).toEqual([]);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await expect(other.seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
    }));

  it.each(['ROLLBACK TO SAVEPOINT a', 'RELEASE SAVEPOINT a'])('by a savepoint: %s', (end) =>
    two(async ({ client, seal }) => {
      await seal.put(1, 'ana', 'secret');
      await client.query('BEGIN; SAVEPOINT a');
      await seal.close(1);
      await client.query(`${end}; SAVEPOINT b`);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('ROLLBACK TO SAVEPOINT b; SAVEPOINT c');
      await seal.close(1);
      await client.query('SAVEPOINT d');
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('ROLLBACK');
      expect(await seal.closings()).toEqual([]);
    }),
  );

  it('in a block that catches its own error', () =>
    two(async ({ client, seal }) => {
      await seal.put(1, 'ana', 'secret');
      const S = `${place!.schema}_sealed`;
      const council = (await client.query<{ c: string }>('SELECT gen_random_uuid()::text AS c')).rows[0]!.c;
      await sealer(client, place!, council).put(1, 'ana', 'secret');
      await client.query(`CREATE TEMP TABLE loot (state text, text bytea)`);
      await client.query(`DO $$ DECLARE v bytea; BEGIN
        PERFORM ${S}.seal_close('${council}', 1, 'x');
        SELECT bytes INTO v FROM ${S}.seal_reveal('${council}', 1);
        INSERT INTO loot VALUES ('revealed', v);
      EXCEPTION WHEN OTHERS THEN INSERT INTO loot VALUES (SQLSTATE, NULL); END $$`);
      expect((await client.query('SELECT * FROM loot')).rows).toEqual([{ state: 'SL002', text: null }]);
      expect(await sealer(client, place!, council).closings()).toEqual([]);
    }));

  it('by a prepared transaction', () =>
    two(async ({ client, seal }, other) => {
      await seal.put(1, 'ana', 'secret');
      const id = randomUUID();
      await client.query('BEGIN');
      await seal.close(1);
      await client.query(`PREPARE TRANSACTION '${id}'`);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await expect(other.seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query(`ROLLBACK PREPARED '${id}'`);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      expect(await other.seal.closings()).toEqual([]);
    }));

  it('by temporary tables, views, functions and types of the same names', () =>
    two(async ({ client, seal }) => {
      await seal.put(1, 'ana', 'secret');
      await client.query(`
        CREATE TEMP TABLE tours (conversation text, tour integer, closed_by_transaction xid8, closed_by name, closed_at timestamptz, why text);
        CREATE TEMP TABLE loot (name text, bytes bytea);
        CREATE TEMP VIEW texts AS SELECT 'x'::text AS conversation, 'x'::text AS name, 1 AS tour, NULL::bytea AS bytes;
        CREATE DOMAIN pg_temp.xid8 AS text;
        CREATE FUNCTION pg_temp.pg_current_xact_id_if_assigned() RETURNS pg_catalog.xid8 LANGUAGE sql AS $$SELECT '1'::pg_catalog.xid8$$;
        CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE plpgsql AS $$BEGIN INSERT INTO pg_temp.loot VALUES ('sha256', $1); RETURN $1; END$$;`);
      await client.query(
        `INSERT INTO tours SELECT (SELECT min(conversation) FROM (VALUES ('x')) v(conversation)), 1, '1', 'me', now(), ''`,
      );
      await client.query(`SET search_path = pg_temp, pg_catalog`);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      expect(await seal.put(1, 'ben', 'also secret')).toBe(true);
      expect((await client.query('SELECT * FROM loot')).rows).toEqual([]);
      await client.query('BEGIN');
      await seal.close(1);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('ROLLBACK');
    }));

  it('by operators and functions that are found first', () =>
    two(async ({ client, seal }) => {
      await seal.put(1, 'ana', 'secret');
      const mine = `${place!.schema}_mine`;
      await connected(server!.url, (root) => root.query(`CREATE SCHEMA ${mine} AUTHORIZATION ${place!.app}`));
      await client.query(`SET search_path = ${mine}, pg_catalog;
        CREATE TABLE loot (what text);
        GRANT ALL ON loot TO PUBLIC; GRANT USAGE ON SCHEMA ${mine} TO PUBLIC;
        CREATE FUNCTION different(xid8, xid8) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN INSERT INTO ${mine}.loot VALUES ('xid8'); RETURN false; END$$;
        CREATE FUNCTION alike(text, text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN INSERT INTO ${mine}.loot VALUES ($1); RETURN true; END$$;
        CREATE FUNCTION alike(bytea, bytea) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN INSERT INTO ${mine}.loot VALUES (encode($1, 'escape')); RETURN true; END$$;
        CREATE OPERATOR = (LEFTARG = xid8, RIGHTARG = xid8, FUNCTION = different);
        CREATE OPERATOR = (LEFTARG = text, RIGHTARG = text, FUNCTION = alike);
        CREATE OPERATOR = (LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = alike);
        CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT '2001-01-01'::timestamptz$$;
        CREATE FUNCTION octet_length(bytea) RETURNS integer LANGUAGE plpgsql AS $$BEGIN INSERT INTO ${mine}.loot VALUES ('octet'); RETURN 1; END$$;`);
      expect((await client.query(`SELECT 'a'::text = 'b'::text AS is`)).rows).toEqual([{ is: true }]);
      await client.query('TRUNCATE loot');
      expect(await seal.same('ana', sha256('a guess'))).toBe(false);
      expect(await seal.size('ana')).toBe(6);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('BEGIN');
      await seal.close(1);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('ROLLBACK');
      expect((await client.query(`SELECT * FROM ${mine}.loot`)).rows).toEqual([]);
      await seal.close(1);
      const [closing] = await seal.closings();
      expect(new Date(String(closing?.at)).getUTCFullYear()).toBeGreaterThan(2001);
    }));

  it('under another name: the one who logged in is recorded', () =>
    two(async ({ client, seal }) => {
      const mask = `${place!.schema}_mask`;
      await connected(server!.url, (root) =>
        root.query(`CREATE ROLE ${mask}; GRANT ${mask} TO ${place!.app};
          GRANT USAGE ON SCHEMA ${place!.schema}_sealed TO ${mask};
          GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${place!.schema}_sealed TO ${mask}`),
      );
      await client.query(`SET ROLE ${mask}`);
      await seal.close(1);
      expect(await seal.closings()).toMatchObject([{ by: place!.app }]);
      for (const role of [`${place!.schema}_sealer`, place!.owner, 'postgres', 'pg_read_all_data'])
        await expect(client.query(`SET ROLE ${role}`)).rejects.toMatchObject({ code: '42501' });
      await expect(client.query(`SET SESSION AUTHORIZATION ${place!.owner}`)).rejects.toMatchObject({
        code: '42501',
      });
    }));

  it.each(['REPEATABLE READ', 'SERIALIZABLE'])('through a snapshot from before the closing: %s', (level) =>
    two(async ({ client, seal }, other) => {
      await seal.put(1, 'ana', 'secret');
      await client.query(`BEGIN ISOLATION LEVEL ${level}`);
      await seal.closings();
      await other.seal.close(1);
      await expect(seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('ROLLBACK');
      expect(await seal.reveal(1)).toHaveLength(1);
    }),
  );

  it('before sealing an own one with a snapshot from before the closing', () =>
    two(async ({ client, seal }, other) => {
      await seal.put(1, 'ana', 'secret');
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await seal.closings();
      await other.seal.close(1);
      expect(await other.seal.reveal(1)).toHaveLength(1);
      await expect(seal.put(1, 'ben', 'seen the others')).rejects.toMatchObject({ code: '40001' });
      await client.query('ROLLBACK');
    }));

  it('before sealing an own one while the closing is under way', () =>
    two(async ({ client, seal }, other) => {
      await seal.put(1, 'ana', 'secret');
      await client.query('BEGIN');
      await seal.close(1);
      await other.client.query("SET lock_timeout = '100ms'");
      await expect(other.seal.put(1, 'ben', 'late')).rejects.toMatchObject({ code: '55P03' });
      await expect(other.seal.reveal(1)).rejects.toMatchObject(NOT_CLOSED);
      await client.query('COMMIT');
      await expect(other.seal.put(1, 'ben', 'late')).rejects.toMatchObject(CLOSED);
      expect(await other.seal.reveal(1)).toHaveLength(1);
    }));

  it('by a closing that a power failure could undo', () =>
    two(async ({ client, seal }) => {
      await client.query('SET synchronous_commit = off; BEGIN');
      await seal.close(1);
      const { rows } = await client.query('SHOW synchronous_commit');
      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
      await client.query('COMMIT');
    }));

  it('through files, large objects, toast tables and other ways past the functions', () =>
    two(async ({ client, seal }) => {
      await seal.put(1, 'ana', 'secret '.repeat(2000));
      const S = `${place!.schema}_sealed`;
      const { rows } = await connected(server!.url, (root) =>
        root.query<{ toast: string; path: string }>(
          `SELECT reltoastrelid::regclass::text AS toast, pg_relation_filepath(oid) AS path FROM pg_class WHERE oid = '${S}.texts'::regclass`,
        ),
      );
      const { toast, path } = rows[0]!;
      for (const sql of [
        `SELECT * FROM ${S}.texts`,
        `SELECT bytes FROM ${S}.texts LIMIT 0`,
        `SELECT * FROM ${toast}`,
        `COPY ${S}.texts TO STDOUT`,
        `COPY (SELECT 1) TO PROGRAM 'cat'`,
        `SELECT pg_read_binary_file('${path}')`,
        `SELECT pg_ls_dir('.')`,
        `CREATE TABLE pg_temp.copy (LIKE ${S}.texts); INSERT INTO pg_temp.copy SELECT * FROM ${S}.texts`,
        `CREATE RULE look AS ON INSERT TO ${S}.texts DO ALSO SELECT 1`,
        `CREATE TRIGGER look BEFORE INSERT ON ${S}.texts FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        `CREATE PUBLICATION look FOR TABLE ${S}.texts`,
        `SELECT pg_create_logical_replication_slot('look', 'test_decoding')`,
        `ALTER FUNCTION ${S}.seal_reveal(text, integer, text) RESET search_path`,
        `BEGIN; LOCK TABLE ${S}.texts`,
        `ROLLBACK; DECLARE look CURSOR WITH HOLD FOR SELECT * FROM ${S}.texts`,
        `SET session_replication_role = replica`,
      ])
        await expect(client.query(sql), sql).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|0A000)$/),
        });
    }));
});
