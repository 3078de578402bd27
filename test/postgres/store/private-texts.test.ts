// Sealed texts in PostgreSQL, as a council works with them.
import { describe, expect, it } from 'vitest';
import { createMemoryTexts } from '../../../src/core/store/memory/memory-store.ts';
import { createPostgresPrivateTexts } from '../../../src/postgres/store/private-texts.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';
import { connected, migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { opener } from './place.ts';

const server = await sharedPostgres();
const CANARY = 'CANARY-4711 we buy the other company';
const HASH = 'ab'.repeat(16);

describe.skipIf(!server)('private texts in PostgreSQL', async () => {
  if (!server) return;
  const schema = await migratedSchema(server);
  const open = opener(parseDatabaseAddress(schema.appUrl, 'the test', { secret: true }));
  const local = createMemoryTexts();
  const texts = async () => {
    const { database } = await open();
    return { database, files: createPostgresPrivateTexts(database, local), id: crypto.randomUUID() };
  };
  const record = (text: string): Buffer => Buffer.from(JSON.stringify({ salt: 's', text }));
  const name = `sealed-ana-1-${HASH}.json`;

  it('cannot be read before their round is closed, and nothing is sealed afterwards', async () => {
    const { files, id } = await texts();
    const path = await files.write(id, name, record(CANARY));
    expect(path).toBe(files.path(id, name));
    expect(await files.write(id, name, record(CANARY))).toBe(path);
    await expect(files.write(id, name, record('other'))).rejects.toMatchObject({ code: 'failed' });
    expect(await files.read(id, name)).toBeUndefined();
    expect(await files.size(id, name)).toBe(record(CANARY).length);
    expect(await files.list(id)).toEqual([name]);
    expect(await files.sealing!.same(id, name, CANARY)).toBe(true);
    expect(await files.sealing!.same(id, name, 'other')).toBe(false);
    expect(await files.sealing!.same(id, `sealed-ben-1-${HASH}.json`, CANARY)).toBeUndefined();
    expect(await files.sealing!.isClosed(id, 1)).toBe(false);

    await files.sealing!.close(id, 1, 'all-responded');
    await files.sealing!.close(id, 1, 'again');
    expect(await files.sealing!.isClosed(id, 1)).toBe(true);
    expect(Buffer.from((await files.read(id, name))!)).toEqual(record(CANARY));
    const late = files.write(id, `sealed-ben-1-${HASH}.json`, record(CANARY));
    await expect(late).rejects.toMatchObject({ code: 'phase_closed' });
    const error: unknown = await late.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('CANARY');
    expect(await files.read(id, `sealed-ana-2-${HASH}.json`)).toBeUndefined();
  });

  it('leave spools and tokens on this machine', async () => {
    const { files, id } = await texts();
    await files.write(id, 'spool-1.json', Buffer.from('said'));
    await files.write(id, `kept-ana-COLLECT-1-${HASH.slice(0, 16)}`, Buffer.from(CANARY));
    expect(await files.list(id)).toEqual([`kept-ana-COLLECT-1-${HASH.slice(0, 16)}`, 'spool-1.json']);
    expect(await local.list(id)).toEqual(['spool-1.json']);
    expect(Buffer.from((await files.read(id, 'spool-1.json'))!).toString()).toBe('said');
  });

  it('are searched for as the role that council works as: nothing is found while the round is open', async () => {
    const { files, id } = await texts();
    await files.write(id, name, record(CANARY));
    await connected(schema.appUrl, async (client) => {
      const { rows } = await client.query<{ table: string }>(
        `SELECT format('%I.%I', table_schema, table_name) AS table FROM information_schema.tables
WHERE has_table_privilege(format('%I.%I', table_schema, table_name), 'SELECT') AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
      );
      expect(rows.length).toBeGreaterThan(3);
      for (const { table } of rows) {
        const found = await client.query(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%CANARY%'`);
        expect([table, found.rows.length]).toEqual([table, 0]);
      }
      await expect(client.query(`SELECT * FROM "${schema.schema}_sealed".texts`)).rejects.toMatchObject({
        code: '42501',
      });
    });
  });

  it('go with their conversation, once it is marked', async () => {
    const { files, id } = await texts();
    await files.write(id, name, record(CANARY));
    await files.remove(id, name);
    await files.remove(id, name);
    expect(await files.list(id)).toEqual([]);
    await files.markArchived(id, new Date().toISOString());
    expect(await files.sweep(Date.now())).toEqual([]);
  });

  it('refuse a blind council to who could look past the guard', async () => {
    const { files } = await texts();
    await files.sealing!.check();
    for (const url of [schema.ownerUrl, asSuperuser(server.url, schema.schema)]) {
      const { database } = await opener(parseDatabaseAddress(url, 'the test', { secret: true }))();
      const refused = createPostgresPrivateTexts(database, local).sealing!.check();
      await expect(refused).rejects.toMatchObject({
        code: 'unsafe_private_dir',
        hint: expect.stringContaining('--open') as string,
      });
    }
  });
});

function asSuperuser(url: string, schema: string): string {
  const one = new URL(url);
  one.searchParams.set('schema', schema);
  return one.href;
}
