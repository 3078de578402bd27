import { describe, expect, it } from 'vitest';
import { sortForReading, poster, readMessages } from '../../../src/team/messages/channel.ts';
import { memoryMessageLog } from '../../../src/core/store/memory/memory-store.ts';

const AT = Date.parse('2026-01-11T16:33:15.123Z');

function bench() {
  const log = memoryMessageLog();
  let now = AT;
  const clock = { now: () => now, clocks: () => undefined };
  const draft = { from: 'claude-1', to: 'codex-1', channel: 'general', kind: 'chat', body: 'x' };
  const warnings: string[] = [];
  return {
    log,
    clock,
    draft,
    warnings,
    set: (ms: number) => (now = ms),
    all: () => readMessages(log, 'general', { limit: 99 }, (line) => warnings.push(line)),
  };
}

describe('posting', () => {
  it('counts up within a second, for each sender', async () => {
    const { log, clock, draft, set } = bench();
    const post = poster(log, clock);
    const names = [];
    for (const from of ['claude-1', 'codex-1', 'claude-1']) names.push((await post({ ...draft, from })).id);
    set(AT + 1000);
    names.push((await post(draft)).id);
    expect(names).toEqual([
      'msg-20260111-163315-claude-1-0000',
      'msg-20260111-163315-codex-1-0000',
      'msg-20260111-163315-claude-1-0001',
      'msg-20260111-163316-claude-1-0000',
    ]);
  });

  it('keeps the order of a sender when the clock goes back, in this process and in the next', async () => {
    const { log, clock, draft, set } = bench();
    const post = poster(log, clock);
    const ids = [(await post(draft)).id];
    for (const back of [1000, 3_600_000, 20 * 3_600_000]) {
      set(AT - back);
      ids.push((await post(draft)).id, (await poster(log, clock)(draft)).id);
    }
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(7);
  });

  it('goes on in the next second when one is full', async () => {
    const { log, clock, draft } = bench();
    await log.append('general', 'msg-20260111-163315-claude-1-ffff.json', '{}');
    expect((await poster(log, clock)(draft)).id).toBe('msg-20260111-163316-claude-1-0000');
  });

  it('does not follow a name from a clock that was years ahead', async () => {
    const { log, clock, draft } = bench();
    await log.append('general', 'msg-20990111-163315-claude-1-0000.json', '{}');
    expect((await poster(log, clock)(draft)).id).toBe('msg-20260111-163315-claude-1-0000');
  });

  it('gives every message of many at once a name of its own', async () => {
    const { log, clock, draft, all } = bench();
    await Promise.all(Array.from({ length: 30 }, () => poster(log, clock)(draft)));
    expect(await all()).toHaveLength(30);
  });
});

describe('reading', () => {
  it('brings back what was posted, also what the file has no key for', async () => {
    const { log, clock, draft, all } = bench();
    const sent = {
      ...draft,
      body: 'Ça va?\n"yes" 🦉',
      priority: 'high' as const,
      ttl: 60,
      depth: 2,
      replyTo: 'msg-0',
      code: 'a < b',
      artifacts: ['x.ts'],
    };
    const posted = await poster(log, clock)(sent);
    expect((await all())[0]).toMatchObject({ ...sent, id: posted.id, name: `${posted.id}.json` });
  });

  it('leaves out what is malformed, and says why', async () => {
    const { log, all, warnings } = bench();
    const texts = ['', '{', '[]', '{"id":1}', '{"__proto__":{"id":"x"}}', `{"id":${'['.repeat(9999)}`];
    for (const [at, text] of texts.entries())
      await log.append('general', `msg-20260111-163315-mallory-000${at}.json`, text || ' ');
    const whole = {
      id: '__proto__',
      timestamp: '2026-01-11T16:33:15Z',
      session_id: 'elsewhere',
      from: 'a',
      to: 'b',
      type: 'chat',
      content: { text: 'x' },
    };
    await log.append('general', 'msg-20260111-163315-mallory-1000.json', JSON.stringify(whole));
    await log.append(
      'general',
      'msg-20260111-163315-mallory-1001.json',
      JSON.stringify({ ...whole, id: 'own' }),
    );
    expect(await all()).toMatchObject([{ id: 'own', channel: 'general' }]);
    expect(warnings).toHaveLength(7);
  });

  it('takes for text what JSON can write and no program can be given, and bounds ids and numbers', async () => {
    const { log, all, warnings } = bench();
    const add = (at: number, given: object, raw = (text: string) => text) =>
      log.append(
        'general',
        `msg-20260111-163315-mallory-000${at}.json`,
        raw(
          JSON.stringify({
            id: `own-${at}`,
            timestamp: '2026-01-11T16:33:15Z',
            session_id: 'general',
            from: 'a',
            to: 'b',
            type: 'chat',
            content: { text: 'x' },
            ...given,
          }),
        ),
      );
    await add(0, {
      id: 'a\0b',
      content: { text: 'half \ud83e, nul \0, and the letters \\u0000', code: '\0' },
    });
    await add(1, { id: 'toString' });
    await add(2, { id: 'i'.repeat(257) });
    await add(3, { from: 'f'.repeat(100_000) });
    await add(4, { metadata: { ttl_seconds: 'MANY', hops: 'MANY' } }, (text) =>
      text.replaceAll('"MANY"', '1e999'),
    );
    expect(await all()).toMatchObject([
      { id: 'a\ufffdb', body: 'half \ufffd, nul \ufffd, and the letters \\u0000', code: '\ufffd' },
      { id: 'own-4', ttl: 1e10, depth: 1e10 },
    ]);
    expect(warnings).toHaveLength(3);
  });
});

describe('the order in which people read', () => {
  const one = (id: string, replyTo?: string) => ({ id, kind: 'chat', ...(replyTo && { replyTo }) });
  const orderOf = (...messages: ReturnType<typeof one>[]) => sortForReading(messages).map(({ id }) => id);

  it('shows no answer before what it answers, and leaves the rest as it is', () => {
    expect(
      orderOf(one('ben-0', 'max-0'), one('ben-1', 'zoe-0'), one('max-0'), one('zoe-0', 'ben-0')),
    ).toEqual(['max-0', 'ben-0', 'zoe-0', 'ben-1']);
    expect(orderOf(one('c'), one('a'), one('b', 'gone'))).toEqual(['c', 'a', 'b']);
  });

  it('keeps those that answer themselves, or each other in a circle', () => {
    expect(orderOf(one('a', 'b'), one('b', 'a'), one('c', 'c'), one('d'))).toEqual(['c', 'd', 'a', 'b']);
  });
});
