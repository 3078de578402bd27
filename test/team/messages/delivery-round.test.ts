import { createJsonStampReader } from '../../../src/core/store/documents.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bounceMessage } from '../../../src/team/messages/report-round.ts';
import { DEAD_LETTERS, poster, readMessages } from '../../../src/team/messages/channel.ts';
import type { Draft, Posted } from '../../../src/team/messages/channel.ts';
import { createDeliveries } from '../../../src/team/messages/delivery.ts';
import type { Directory } from '../../../src/team/messages/addressing.ts';
import { handle, createMailboxes, take } from '../../../src/team/messages/mailbox.ts';
import type { MessageService } from '../../../src/team/messages/message-service.ts';
import { makeRound } from '../../../src/team/messages/delivery-round.ts';
import { fileStore } from '../../../src/core/store/file/file-store.ts';
import { messageFiles } from '../../../src/core/store/file/message-files.ts';
import { memoryMessageLog, memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import { scratch } from '../../core/store/scratch.ts';

const AT = Date.parse('2026-01-11T16:33:15.000Z');
const TEAM: Directory = {
  agents: [
    { id: 'orch', role: 'orchestrator' },
    { id: 'lead-a', role: 'leader' },
    { id: 'lead-b', role: 'leader' },
    { id: 'ada', role: 'worker' },
    { id: 'ben', role: 'worker' },
  ],
  groups: { G1: ['ada', 'ben'], G2: ['lead-b', 'ada'] },
};
const KEEPER = { host: 'here', bootId: 'b', pid: 7, startTime: '1' };

const DRIVERS = {
  memory: () => ({ log: memoryMessageLog(), mail: memoryStore(), kept: memoryStore() }),
  file: () => ({
    log: messageFiles({ dir: scratch() }),
    mail: fileStore({ dir: scratch(), prefix: '', readStamp: createJsonStampReader('mailbox') }),
    kept: fileStore({ dir: scratch(), prefix: '', readStamp: createJsonStampReader('deliveries') }),
  }),
};
const EVERY = ['memory', 'file'] as const;

function bench(directory = TEAM, driver: keyof typeof DRIVERS = 'memory') {
  const { log, mail: mailStore, kept } = DRIVERS[driver]();
  let now = AT;
  const alive = new Set([KEEPER.pid]);
  const events: string[] = [];
  const clock = { now: () => now, clocks: () => undefined };
  const office: MessageService = {
    log,
    boxes: createMailboxes(mailStore),
    deliveries: createDeliveries(kept),
    directory,
    post: poster(log, clock),
    clock,
    isAlive: ({ pid }) => alive.has(pid),
    record: async (event, { id }, { agent } = {}) => void events.push(`${event} ${id} ${agent}`),
    warn: (line) => expect.unreachable(line),
  };
  const said = async (channel: string): Promise<Posted[]> =>
    readMessages(log, channel, { limit: 1000 }, office.warn);
  return {
    office,
    alive,
    events,
    said,
    pass: (seconds: number) => (now += seconds * 1000),
    send: (to: string, given: Partial<Draft> = {}) =>
      office.post({ from: 'boss', to, channel: 'general', kind: 'request', body: 'Do it', ...given }),
    round: () => makeRound(office, 'general'),
    /** Looks every so many seconds. */
    async look(seconds: number, every = 1, by = office) {
      for (let t = 0; t < seconds; t += every) {
        now += every * 1000;
        await makeRound(by, 'general');
      }
    },
    bounces: async () =>
      (await said('general')).filter(({ from }) => from === 'council').map(({ to, body }) => `${to} ${body}`),
    dead: async () => (await said(DEAD_LETTERS)).map(({ body }) => body),
    passed: async (agent: string) => Object.values((await office.boxes.read(agent, 'general')).passed),
    ack: (agent: string, message: Posted) =>
      office.boxes.change(agent, 'general', (mail) =>
        handle(mail, [message], { as: 'acknowledged', at: new Date(now).toISOString() }),
      ),
    tracked: async () => Object.values((await office.deliveries.read('general')).tracked),
  };
}

describe('rounds over a channel', () => {
  it.each(EVERY)('pass a request upwards, give it up, tell once, and keep a copy: %s', async (driver) => {
    const { events, send, look, bounces, dead, passed } = bench(TEAM, driver);
    const { id } = await send('ada', { body: 'Migrate @nobody', code: 'x = 1' });
    await look(125);
    expect(await passed('lead-b')).toEqual([]);
    await look(10);
    expect([await passed('lead-b'), await passed('lead-a')]).toEqual([['ada'], []]);
    await look(130);
    expect(await passed('orch')).toEqual(['ada']);
    await look(130);
    expect([await passed('human'), await bounces()]).toEqual([['ada'], []]);
    await look(600, 5);
    const reason = 'nobody acknowledged it; it was passed on to lead-b, orch, human.';
    expect(await bounces()).toEqual([`boss Not delivered to ada: ${reason}`]);
    const retries = (agent: string): string[] => Array<string>(3).fill(`retried ${id} ${agent}`);
    expect(events).toEqual([
      ...retries('ada'),
      `escalated ${id} lead-b`,
      ...retries('lead-b'),
      `escalated ${id} orch`,
      ...retries('orch'),
      `escalated ${id} human`,
      ...retries('human'),
      `dead ${id} human`,
    ]);
    expect(await dead()).toEqual([
      `From boss to ada in general, 2026-01-11T16:33:15.000Z: ${reason}\n\nMigrate @nobody`,
    ]);
  });

  it('end with an ACK of anybody who was asked, and nobody else has it open any more', async () => {
    const { office, send, look, bounces, passed, ack, tracked } = bench();
    const one = await send('ada');
    await look(140);
    expect(await passed('lead-b')).toEqual(['ada']);
    await ack('lead-b', one);
    await look(900, 10);
    expect([await passed('orch'), await bounces()]).toEqual([[], []]);
    expect(await tracked()).toMatchObject([{ state: 'acknowledged', at: 1 }]);
    const mail = await office.boxes.read('ada', 'general');
    expect(mail.handled[one.id]).toMatchObject({ as: 'acknowledged', reason: 'lead-b has acknowledged it' });
  });

  it('take an answer for an ACK, and leave alone what wants none', async () => {
    const { office, send, look, bounces, tracked } = bench();
    const { id } = await send('ada');
    await send('ben', { kind: 'chat' });
    await send('all', { kind: 'event', body: '@ben it is done' });
    await office.post({
      from: 'ada',
      to: 'boss',
      channel: 'general',
      kind: 'response',
      body: 'Done',
      replyTo: id,
    });
    await look(700, 3);
    expect([await bounces(), await tracked()]).toEqual([[], []]);
  });

  it('wait for each member of a group, each worker, and whoever is mentioned', async () => {
    const { send, pass, round, tracked, ack } = bench();
    const one = await send('G1');
    await send('W*');
    await send('all', { kind: 'chat', body: 'Look, @orch and @human' });
    await ack('ben', one);
    pass(31);
    await round();
    expect((await tracked()).map(({ chain }) => chain.join(' '))).toEqual([
      'ada lead-b orch human',
      'ada lead-b orch human',
      'ben lead-a orch human',
      'orch human',
      'human',
    ]);
  });

  it('leave a message alone while somebody is at work on it, and go on when that process is gone', async () => {
    const { office, alive, send, look, passed, tracked } = bench();
    const one = await send('ada');
    const until = new Date(AT + 3_600_000).toISOString();
    await office.boxes.change('ada', 'general', (mail) =>
      take(mail, one, { by: KEEPER, until, now: AT, isAlive: office.isAlive }),
    );
    await look(1000, 20);
    expect(await tracked()).toEqual([]);
    alive.clear();
    await look(140);
    expect(await passed('lead-b')).toEqual(['ada']);
  });

  it('leave a message alone in the queue of a living watcher, until its time is over', async () => {
    const { office, send, look, bounces } = bench();
    await office.boxes.change('ada', 'general', (mail) => ({ ...mail, watcher: KEEPER }));
    await send('ada');
    await send('ada', { ttl: 300, body: 'Soon' });
    await look(1000, 10);
    expect(await bounces()).toEqual(['boss Not delivered to ada: its time to live is over.']);
  });

  it('do not wait for a watcher of which nobody here can tell', async () => {
    const { office, send, look, passed } = bench();
    const elsewhere = { ...office, isAlive: () => undefined };
    await office.boxes.change('ada', 'general', (mail) => ({ ...mail, watcher: KEEPER }));
    await send('ada');
    await look(140, 1, elsewhere);
    expect(await passed('lead-b')).toEqual(['ada']);
  });

  it('tell of what was worth something for a while only, also where it wanted no ACK', async () => {
    const { office, send, look, bounces } = bench();
    await send('ada', { kind: 'chat', ttl: 60 });
    const seen = await send('ben', { kind: 'chat', ttl: 60 });
    await office.boxes.change('ben', 'general', (mail) => ({ ...mail, shown: { [seen.id]: seen.time } }));
    await look(100, 10);
    expect(await bounces()).toEqual(['boss Not delivered to ada: its time to live is over.']);
  });

  it('hear of a late ACK, and then nobody has it open', async () => {
    const { send, look, ack, tracked, bounces } = bench({ agents: [], groups: {} });
    const one = await send('ada');
    await look(300);
    expect(await tracked()).toMatchObject([{ state: 'dead', isTold: true }]);
    await ack('human', one);
    await look(10);
    expect([(await tracked())[0]?.state, await bounces()]).toEqual(['acknowledged', [expect.any(String)]]);
  });

  it.each(EVERY)(
    'tell once, also when many look or one is stopped before it has told: %s',
    async (driver) => {
      const nobody = { agents: [], groups: {} };
      const { office, send, pass, round, bounces, dead, tracked } = bench(nobody, driver);
      const one = await send('ada', { from: 'human' });
      for (let i = 0; i < 200; i++) {
        pass(1);
        await Promise.all([round(), round(), round()]);
      }
      expect((await bounces()).length + (await dead()).length).toBe(2);
      // As if it had been stopped after the first of the two, before it noted that.
      const [told] = await tracked();
      await office.deliveries.change('general', ({ mark }) => ({
        mark,
        tracked: { x: { ...told!, isTold: false } },
      }));
      await round();
      pass(61);
      await Promise.all([round(), round()]);
      await round();
      expect((await bounces()).length).toBe(1);
      expect(await tracked()).toMatchObject([{ isTold: true }]);
      // As if it had been stopped before that.
      const later = await send('ada', { from: 'human' });
      await office.deliveries.change('general', ({ mark }) => ({
        mark,
        tracked: { x: { ...told!, id: later.id, name: later.name, isTold: false } },
      }));
      pass(1000);
      await round();
      expect((await bounces()).length).toBe(2);
      expect(one.id).not.toBe(later.id);
    },
  );

  it('begin with the last day only where none was made before', async () => {
    const { send, pass, round, tracked } = bench();
    await send('ada');
    pass(90_000);
    await send('ben');
    pass(100);
    await round();
    expect((await tracked()).map(({ chain }) => chain[0])).toEqual(['ben']);
  });

  it('end, and bounce exactly what nobody acknowledged, whatever happens when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            to: fc.constantFrom('ada', 'ben', 'lead-a', 'G1', 'W*', 'human'),
            wait: fc.integer({ min: 0, max: 200 }),
            ack: fc.option(fc.constantFrom('ada', 'ben', 'lead-a', 'lead-b', 'orch', 'human'), {
              nil: undefined,
            }),
            looks: fc.integer({ min: 0, max: 3 }),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        async (script) => {
          const { send, pass, round, ack, look, tracked, bounces, dead } = bench();
          const sent: Posted[] = [];
          for (const { to, wait, ack: by, looks } of script) {
            sent.push(await send(to, { from: 'orch' }));
            pass(wait);
            await Promise.all(Array.from({ length: looks }, round));
            if (by !== undefined) for (const one of sent.slice(-2)) await ack(by, one);
          }
          await look(2000, 10);
          const all = await tracked();
          expect(all.filter(({ state }) => state === 'sent' || state === 'waiting')).toEqual([]);
          const given = all.filter(({ state }) => state === 'dead').length;
          expect([(await bounces()).length, (await dead()).length]).toEqual([given, given]);
          expect(all.every(({ state, isTold }) => state !== 'dead' || isTold)).toBe(true);
          for (const { chain } of all) expect(chain).not.toContain('orch');
        },
      ),
      { numRuns: 60 },
    );
  });
});

it('bounces nothing to the council itself', async () => {
  const { office, said } = bench();
  const one = await office.post({
    from: 'council',
    to: 'ada',
    channel: 'general',
    kind: 'request',
    body: 'x',
  });
  await bounceMessage(office, one, 'ada', 'no');
  expect([(await said('general')).length, (await said(DEAD_LETTERS)).length]).toEqual([1, 1]);
});
