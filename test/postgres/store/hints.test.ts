// Who watches hears what others commit: by hints of the server's, and without them by looking.
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../../src/postgres/store/open.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';
import { connected, migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { until } from '../../core/store/scratch.ts';
import { opener } from './place.ts';

const server = await sharedPostgres();

describe.skipIf(!server)('watching in PostgreSQL', async () => {
  if (!server) return;
  const { schema, appUrl, ownerUrl } = await migratedSchema(server);
  const place = parseDatabaseAddress(appUrl, 'the test', { secret: true });
  const open = opener(place);
  const nowhere = parseDatabaseAddress('postgres://nobody@127.0.0.1:1/none', 'the test', { secret: true });

  it.each([
    ['with hints', place],
    ['without a way to hear them', nowhere],
  ])('hears commits and messages of another process, %s', async (how, direct) => {
    const project = how.replaceAll(' ', '-');
    const options = {
      place,
      direct,
      size: 1,
      actor: 'a',
      readFacts: () => ({}),
      readConversation: () => undefined,
    };
    const [watching, other] = [await openPostgres(options, project), await open(project)];
    const heard: string[] = [];
    let messages = 0;
    await other.documents('council').commit('old', 'one', 0);
    const stops = [
      watching.documents('council').watch('', (key) => heard.push(key)),
      watching.messages.watch('general', () => messages++),
    ];
    await other.documents('council').commit('new', 'one', 0);
    await until(() => heard.includes('new'), 'the new one to be heard');
    const before = heard.filter((key) => key === 'new').length;
    await other.documents('council').commit('new', 'two', 1);
    await until(
      () => heard.filter((key) => key === 'new').length > before,
      'the second revision to be heard',
    );
    const seen = messages;
    await other.messages.append('general', 'msg-20260111-100000-ana-0000.json', '{}');
    await until(() => messages > seen, 'the message to be heard');
    for (const stop of stops) stop();
    await watching.database.end();
  });

  it('reads of twenty thousand councils those alone that have moved', async () => {
    const many = `"${schema}"`;
    await connected(ownerUrl, (owner) =>
      owner.query(`
INSERT INTO ${many}.heads (project, key, revision, live) SELECT 'many', 'k' || n, 1, true FROM generate_series(1, 20000) n;
INSERT INTO ${many}.versions (project, key, revision, at, actor, commit_id, text, hash)
  SELECT 'many', 'k' || n, 1, now() - interval '1 hour', 'a', gen_random_uuid(), 'x', 'x' FROM generate_series(1, 20000) n;
ANALYZE ${many}.heads, ${many}.versions`),
    );
    const [watching, other] = [await open('many'), await open('many')];
    const read = async (): Promise<Record<string, number>> =>
      connected(server.url, async (root) => {
        const { rows } = await root.query<{ name: string; read: number }>(
          `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read FROM pg_stat_user_tables WHERE schemaname = $1
UNION ALL SELECT indexrelname, idx_scan::integer FROM pg_stat_user_indexes WHERE schemaname = $1`,
          [schema],
        );
        return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
      });
    const heard: string[] = [];
    const stop = watching.documents('council').watch('', (key) => heard.push(key));
    // What was written a moment ago is looked through once.
    await until(async () => (await read()).versions_written! > 2, 'looks without a change');
    const before = await read();
    expect(heard).toEqual([]);
    await other.documents('council').commit('k7', 'two', 1);
    await until(() => heard.includes('k7'), 'the change to be heard');
    await until(
      async () => (await read()).versions_written! > before.versions_written! + 3,
      'three more looks',
    );
    const after = await read();
    stop();
    // The commit reads its own head; the looks read the one version that has moved, as long as it may be new.
    expect(after.heads! - before.heads!).toBeLessThan(5);
    expect(after.versions! - before.versions!).toBeLessThan(20);
    expect(new Set(heard)).toEqual(new Set(['k7']));
  });

  it('tells what was under way for long, and began before what others have committed since', async () => {
    const [watching, slow, other] = [await open('late'), await open('late'), await open('late')];
    await other.documents('council').commit('slow', 'one', 0);
    const heard: string[] = [];
    const stop = watching.documents('council').watch('s', (key) => heard.push(key));
    let go: (() => void) | undefined;
    const changing = slow.documents('council').update('slow', async () => {
      await new Promise<void>((resolve) => (go = resolve));
      return 'two';
    });
    await until(() => go !== undefined, 'the change to begin');
    for (let n = 0; n < 3; n++) await other.documents('council').commit(`s${n}`, 'x', 0);
    await until(() => heard.includes('s2'), 'what others have committed');
    const times = heard.filter((key) => key === 'slow').length;
    go!();
    await changing;
    await until(() => heard.filter((key) => key === 'slow').length > times, 'the slow one');
    stop();
  });

  it('tells keys and nothing else to whoever listens', async () => {
    const other = await open('told');
    const payloads: string[] = [];
    await connected(appUrl, async (client) => {
      client.on('notification', ({ payload }) => payloads.push(payload ?? ''));
      await client.query(`LISTEN "council_${schema}"`);
      for (let revision = 0; revision < 3; revision++)
        await other.documents('council').commit('k', 'CANARY', revision);
      await until(() => payloads.length > 0, 'a hint');
    });
    expect(new Set(payloads)).toEqual(new Set(['["told/k"]']));
  });
});
