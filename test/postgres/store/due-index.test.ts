// What the index of waiting councils does on PostgreSQL, where commits say themselves what waits and the server's time decides:
// the suite of the other drivers notes it at the end of a pass, and sets the clock.
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { DueQuery } from '../../../src/core/store/due-index.ts';
import { openPostgres } from '../../../src/postgres/store/open.ts';
import type { PostgresStore } from '../../../src/postgres/store/open.ts';
import type { TextFacts } from '../../../src/postgres/store/commit.ts';
import { connected, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { preparedPlace } from './place.ts';

const server = await sharedPostgres();
const HOUR = 3_600_000;
const WAITS = { conversationId: 'c-1', topic: 'Go?', phase: 'COLLECT', tour: 1, awaited: ['ana'] };

describe.skipIf(!server)('postgres: what every index of waiting councils does', async () => {
  if (!server) return;
  const place = await preparedPlace(server);
  const opened: PostgresStore[] = [];
  afterAll(async () => {
    for (const { database } of opened) await database.end();
  });
  /** The text of a council is what stands beside it. */
  async function open(project = randomBytes(6).toString('hex')) {
    const readFacts = (text: string): TextFacts => JSON.parse(text) as TextFacts;
    const options = {
      place,
      direct: place,
      size: 1,
      actor: 'tester',
      readFacts,
      readConversation: () => undefined,
    };
    const store = await openPostgres(options, project);
    opened.push(store);
    const documents = store.documents('council');
    const put = async (key: string, dueAt?: number): Promise<void> => {
      const facts = dueAt === undefined ? {} : { dueAt, waits: JSON.stringify({ ...WAITS, dueAt }) };
      await documents.commit(key, JSON.stringify(facts), await documents.revision(key));
    };
    const pass = async (look: Partial<DueQuery> = {}) => {
      const list = (): Promise<string[]> => expect.unreachable('the database lists them itself');
      const found = await store.due.begin({ list, now: 0, clocks: undefined, ...look });
      return { ...found, names: [...(await found.listWaiting()).keys()] };
    };
    return { project, documents, put, pass };
  }

  it('knows what a commit has said, and nothing of what said nothing', async () => {
    const { put, pass } = await open();
    const dueAt = Date.now() + HOUR;
    await put('one', dueAt);
    await put('two');
    const { due, resting, nextAt, names, listWaiting } = await pass();
    expect({ due, resting, nextAt, names }).toEqual({
      due: ['two'],
      resting: 1,
      nextAt: dueAt,
      names: ['one'],
    });
    expect((await listWaiting()).get('one')).toEqual({ ...WAITS, dueAt });
  });

  it('finds a council that is new, and forgets one that somebody commits to', async () => {
    const { put, pass } = await open();
    await put('one', Date.now() + HOUR);
    expect((await pass()).due).toEqual([]);
    await put('new');
    await put('one');
    expect(await pass()).toMatchObject({ due: ['new', 'one'], resting: 0, nextAt: undefined, names: [] });
  });

  it('does not miss a commit that came while a pass was on its way', async () => {
    const { put, pass } = await open();
    await put('one');
    const first = await pass({ claim: true });
    await put('one');
    await first.end(new Map([['one', { ...WAITS, dueAt: Date.now() + HOUR }]]));
    expect((await pass()).due).toEqual(['one']);
  });

  it('finds what is due by the time of the server, whatever a client says', async () => {
    const { put, pass, project } = await open();
    await put('one', Date.now() + HOUR);
    expect((await pass({ now: Date.now() + 2 * HOUR })).due).toEqual([]);
    await connected(server.url, (client) =>
      client.query(
        `UPDATE ${place.schema}.heads SET due_at = now() - interval '1 second' WHERE project = $1`,
        [project],
      ),
    );
    expect(await pass({ now: Date.now() - 2 * HOUR })).toMatchObject({ due: ['one'], resting: 0 });
  });

  it('does not tell of a council that has ended', async () => {
    const { put, pass, documents } = await open();
    await put('one');
    await documents.remove('one', 1);
    expect(await pass()).toMatchObject({ due: [], resting: 0, names: [] });
  });

  it('gives each council to one of several passes that take them, until that one is done', async () => {
    const { put, pass, project } = await open();
    const keys = Array.from({ length: 20 }, (_, at) => `k${String(at).padStart(2, '0')}`);
    for (const key of keys) await put(key);
    const others = await Promise.all([open(project), open(project), open(project)]);
    const passes = await Promise.all([...others, { pass }].map((one) => one.pass({ claim: true })));
    expect(passes.flatMap(({ due }) => due).sort()).toEqual(keys);
    expect((await pass({ claim: true })).due).toEqual([]);
    expect((await pass()).due).toEqual(keys);
    for (const one of passes) await one.end(new Map());
    expect((await pass({ claim: true })).due).toEqual(keys);
  });
});
