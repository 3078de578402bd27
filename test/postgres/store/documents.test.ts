// What the PostgreSQL driver promises beyond the contract: locks, lost answers, damage, pruning.
import { afterAll, describe, expect, it } from 'vitest';
import type { PostgresStore } from '../../../src/postgres/store/open.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';
import type { DatabasePlace } from '../../../src/postgres/store/place.ts';
import { proxyTo } from '../../helpers/postgres/proxy.ts';
import type { Proxy } from '../../helpers/postgres/proxy.ts';
import { connected, migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import type { TestSchema } from '../../helpers/postgres/shared.ts';
import { until } from '../../core/store/scratch.ts';
import { opener } from './place.ts';

const server = await sharedPostgres();

describe.skipIf(!server)('documents in PostgreSQL', async () => {
  if (!server) return;
  const schema: TestSchema = await migratedSchema(server);
  const place: DatabasePlace = parseDatabaseAddress(schema.appUrl, 'the test', { secret: true });
  const open = opener(place, 4);
  const versions = `"${schema.schema}".versions`;
  const asOwner = <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
    connected(schema.ownerUrl, async (client) => (await client.query(sql, values)).rows as T[]);

  describe('a lost answer', () => {
    const proxied = async (project?: string): Promise<{ proxy: Proxy; store: PostgresStore }> => {
      const proxy = await proxyTo(schema.appUrl);
      afterAll(() => proxy.close());
      const store = await opener(parseDatabaseAddress(proxy.url, 'the test', { secret: true }), 2)(project);
      return { proxy, store };
    };
    const revisionsOf = async (key: string): Promise<number[]> =>
      (
        await asOwner<{ revision: number }>(
          `SELECT revision FROM ${versions} WHERE key = $1 ORDER BY revision`,
          [key],
        )
      ).map(({ revision }) => revision);

    it.each(['before', 'after'] as const)('%s the server had the commit: it stands once', async (when) => {
      const { proxy, store } = await proxied();
      const documents = store.documents('council');
      const key = `alone-${when}`;
      await documents.commit(key, 'one', 0);
      proxy.cut('commit_revision', when);
      expect(await documents.commit(key, 'two', 1)).toBe(2);
      expect(proxy.cuts()).toBe(1);
      expect(await revisionsOf(key)).toEqual([1, 2]);
      expect(await documents.read(key)).toEqual({ text: 'two', revision: 2 });
    });

    it.each(['before', 'after'] as const)(
      '%s the server had COMMIT: the change stands once',
      async (when) => {
        const { proxy, store } = await proxied();
        const documents = store.documents('council');
        const key = `update-${when}`;
        await documents.commit(key, 'one', 0);
        let calls = 0;
        // Not the "READ COMMITTED" that a transaction begins with.
        proxy.cut('COMMIT\0', when);
        const updated = await documents.update(key, (current) => {
          calls++;
          return `${current?.text} and two`;
        });
        expect(updated).toEqual({ revision: 2, committed: true });
        expect([proxy.cuts(), calls]).toEqual([1, 1]);
        expect(await revisionsOf(key)).toEqual([1, 2]);
        expect(await documents.read(key)).toEqual({ text: 'one and two', revision: 2 });
      },
    );

    it('of a creation, twice the same', async () => {
      const { proxy, store } = await proxied();
      const documents = store.documents('council');
      proxy.cut('commit_revision', 'after');
      expect(await documents.commit('created', 'one', 0)).toBe(1);
      expect(await revisionsOf('created')).toEqual([1]);
    });

    it('is a conflict when somebody else was faster meanwhile', async () => {
      const { proxy, store } = await proxied('raced');
      const other = (await open('raced')).documents('council');
      await other.commit('raced', 'one', 0);
      proxy.cut('commit_revision', 'before');
      const late = store.documents('council').commit('raced', 'mine', 1);
      expect(await other.commit('raced', 'theirs', 1)).toBe(2);
      await expect(late).rejects.toMatchObject({ code: 'conflict', exitCode: 75 });
      expect(await other.read('raced')).toEqual({ text: 'theirs', revision: 2 });
    });

    it('stays uncertain as long as the server is away', async () => {
      const { proxy, store } = await proxied();
      const documents = store.documents('council');
      await documents.commit('gone', 'one', 0);
      proxy.cut('commit_revision', 'after', { away: true });
      const answer = documents.commit('gone', 'CANARY two', 1);
      await expect(answer).rejects.toMatchObject({ code: 'commit_uncertain', exitCode: 75 });
      const error: unknown = await answer.catch((thrown: unknown) => thrown);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('CANARY');
      expect(await revisionsOf('gone')).toEqual([1, 2]);
    });

    it('of a read is asked for once more', async () => {
      const { proxy, store } = await proxied();
      const documents = store.documents('council');
      await documents.commit('read', 'one', 0);
      proxy.cut('SELECT', 'after');
      expect(await documents.read('read')).toEqual({ text: 'one', revision: 1 });
      expect(proxy.cuts()).toBe(1);
    });
  });

  it('let a commit wait for the change that is on its way', async () => {
    const documents = (await open()).documents('council');
    await documents.commit('k', 'one', 0);
    let go: (() => void) | undefined;
    const changing = documents.update('k', async (current) => {
      await new Promise<void>((resolve) => (go = resolve));
      return `${current?.text} two`;
    });
    await until(() => go !== undefined, 'the change to begin');
    const late = documents.commit('k', 'late', 1);
    go!();
    expect(await changing).toEqual({ revision: 2, committed: true });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
  });

  it('read in the middle of a change what the change sees, and write nothing there', async () => {
    const documents = (await opener(place, 1)()).documents('council');
    await documents.commit('k', 'one', 0);
    const inside = documents.update('k', async () => {
      expect(await documents.list()).toEqual(['k']);
      await documents.commit('k', 'two', 1);
      return 'three';
    });
    await expect(inside).rejects.toThrow('in the middle of a change');
    expect(await documents.read('k')).toEqual({ text: 'one', revision: 1 });
  });

  it('tell a damaged text, and go on from an older one', async () => {
    const store = await open('damaged');
    const documents = store.documents('council');
    await documents.commit('k', 'one', 0);
    await documents.commit('k', 'two', 1);
    await asOwner(`UPDATE ${versions} SET text = 'tw0' WHERE project = 'damaged' AND revision = 2`);
    await expect(documents.read('k')).rejects.toMatchObject({ code: 'corrupt' });
    await expect(documents.update('k', () => 'three')).rejects.toMatchObject({ code: 'corrupt' });
    expect(await documents.readVersion('k', 1)).toBe('one');
    expect(await documents.commit('k', 'three', 2)).toBe(3);
  });

  it('empty the texts of old revisions, and never give their numbers again', async () => {
    const documents = (await open('pruned')).documents('council');
    for (let revision = 0; revision < 70; revision++)
      await documents.commit('k', `text ${revision + 1}`, revision);
    const kept = async (): Promise<number> =>
      (await asOwner(`SELECT 1 FROM ${versions} WHERE project = 'pruned' AND text IS NOT NULL`)).length;
    await until(async () => (await kept()) === 50, 'the oldest texts to be gone');
    expect(await documents.revision('k')).toBe(70);
    const [head] = await asOwner<{ columns: string }>(
      `SELECT string_agg(column_name, ' ') AS columns FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'heads'`,
      [schema.schema],
    );
    expect(head?.columns.split(' ')).not.toContain('text');
  });

  it('empty what somebody has left who was ended before, a hundred revisions later at most', async () => {
    const documents = (await open('left')).documents('council');
    for (let revision = 0; revision < 99; revision++)
      await documents.commit('k', `text ${revision + 1}`, revision);
    const kept = async (): Promise<number[]> =>
      (
        await asOwner<{ revision: number }>(
          `SELECT revision FROM ${versions} WHERE project = 'left' AND text IS NOT NULL ORDER BY revision`,
        )
      ).map(({ revision }) => revision);
    await until(async () => (await kept())[0] === 41, 'the ninetieth commit to have let go');
    await asOwner(`UPDATE ${versions} SET text = 'left over' WHERE project = 'left' AND revision IN (3, 17)`);
    expect(await documents.readVersion('k', 17)).toBeUndefined();
    await documents.commit('k', 'text 100', 99);
    await until(async () => (await kept())[0] === 51, 'what was left to be gone');
  });

  it('empty those of a large document early, with each commit', async () => {
    const documents = (await open('large')).documents('council');
    const long = 'x'.repeat(600 * 1024);
    for (let revision = 0; revision < 24; revision++)
      await documents.commit('k', `${long} ${revision + 1}`, revision);
    await until(async () => {
      const [row] = await asOwner<{ kept: number[] }>(
        `SELECT array_agg(revision ORDER BY revision) AS kept FROM ${versions} WHERE project = 'large' AND text IS NOT NULL`,
      );
      return row?.kept.join() === '16,20,22,23,24';
    }, 'all but five texts to be gone');
    await documents.commit('k', 'short again', 24);
    expect(await documents.readVersion('k', 22)).toContain(' 22');
  });

  it('refuse what PostgreSQL cannot keep, before it is sent', async () => {
    const documents = (await open()).documents('council');
    await expect(documents.commit('k', 'a\0b', 0)).rejects.toMatchObject({ code: 'invalid_text' });
    expect(await documents.revision('k')).toBe(0);
  });

  it('lose none of 32 writers on one key', async () => {
    const project = 'writers';
    const stores = await Promise.all(Array.from({ length: 8 }, () => opener(place, 4)(project)));
    const add = (at: number) =>
      stores[at % 8]!.documents('council').update('k', (current) => `${current?.text ?? ''}w${at} `);
    await Promise.all(Array.from({ length: 32 }, (_, at) => add(at)));
    const { text, revision } = (await stores[0]!.documents('council').read('k'))!;
    expect(revision).toBe(32);
    expect(text.trim().split(' ').sort()).toEqual(Array.from({ length: 32 }, (_, at) => `w${at}`).sort());
  });
});
