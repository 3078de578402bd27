import { describe, expect, it } from 'vitest';
import { poster } from '../../../src/team/messages/channel.ts';
import { createDeliveries } from '../../../src/team/messages/delivery.ts';
import { NO_DIRECTORY } from '../../../src/team/messages/addressing.ts';
import { createMailboxes, handle, isUnhandled, show } from '../../../src/team/messages/mailbox.ts';
import type { Handled } from '../../../src/team/messages/mailbox.ts';
import { findMessage } from '../../../src/team/messages/find-message.ts';
import { findNewestMessages, listWaitingMessages } from '../../../src/team/messages/message-service.ts';
import type { MessageService } from '../../../src/team/messages/message-service.ts';
import type { Documents } from '../../../src/core/store/documents.ts';
import { renderJsonDocument, readJsonDocument } from '../../../src/core/store/documents.ts';
import { memoryMessageLog, memoryStore } from '../../../src/core/store/memory/memory-store.ts';

const AT = Date.parse('2026-01-11T16:33:15.000Z');
const DONE: Handled = { as: 'acknowledged', at: '2026-01-11T17:00:00.000Z' };

function bench() {
  const log = memoryMessageLog();
  const store = memoryStore();
  let now = AT;
  let reads = 0;
  const counting = { ...log, read: (...given: Parameters<typeof log.read>) => (reads++, log.read(...given)) };
  const clock = { now: () => now, clocks: () => undefined };
  const office: MessageService = {
    log: counting,
    boxes: createMailboxes(store),
    deliveries: createDeliveries(memoryStore()),
    directory: NO_DIRECTORY,
    isAlive: () => true,
    post: poster(log, clock),
    clock,
    record: async () => undefined,
    warn: () => undefined,
  };
  const post = (body: string, given = {}) =>
    office.post({ from: 'ana', to: 'ben', channel: 'general', kind: 'chat', body, ...given });
  const waiting = async (options = { limit: 50 }) => {
    const { messages, total } = await listWaitingMessages(office, 'ben', 'general', options);
    return { said: messages.map(({ body }) => body), total };
  };
  return {
    log,
    store,
    office,
    post,
    waiting,
    wait: (ms: number) => (now += ms),
    reads: () => {
      const count = reads;
      reads = 0;
      return count;
    },
    ack: (...messages: { id: string; name: string }[]) =>
      office.boxes.change('ben', 'general', (mail) => handle(mail, messages, DONE)),
  };
}

describe('what waits for a recipient', () => {
  it('is never seen before an earlier message of its sender, though a listing lacks that one', async () => {
    const { log, office, post, waiting } = bench();
    await post('first', { from: 'cy' });
    const [one] = await log.names('general', { limit: 9 });
    await post('second', { from: 'cy' });
    await post('of another');
    let isFirst = true;
    office.log = {
      ...log,
      names: async (...given) => {
        const names = await log.names(...given);
        const lacking = isFirst ? names.filter((name) => name !== one) : names;
        isFirst = false;
        return lacking;
      },
    };
    expect((await waiting()).said).toEqual(['of another']);
    expect((await waiting()).said.toSorted()).toEqual(['first', 'of another', 'second']);
  });

  it('is what is for it or for all, in order, until it is acknowledged', async () => {
    const { post, waiting, ack } = bench();
    const first = await post('one');
    await post('not for ben', { to: 'cleo' });
    await post('two', { to: 'all' });
    await post('his own', { from: 'ben', to: 'all' });
    await post('@ben three', { to: 'cleo' });
    expect(await waiting()).toEqual({ said: ['one', 'two', '@ben three'], total: 3 });
    await ack(first);
    expect(await waiting()).toEqual({ said: ['two', '@ben three'], total: 2 });
  });

  it('is not changed by looking, nor by what was shown', async () => {
    const { office, post, waiting } = bench();
    const first = await post('one');
    await office.boxes.change('ben', 'general', (mail) => show(mail, [first], DONE.at));
    expect(await waiting()).toEqual({ said: ['one'], total: 1 });
  });

  it('has a limit at either end, and tells how many there are', async () => {
    const { post, waiting } = bench();
    for (let i = 0; i < 9; i++) await post(`m${i}`);
    expect(await waiting({ limit: 2 })).toEqual({ said: ['m0', 'm1'], total: 9 });
    expect(await waiting({ limit: 2, newest: true } as { limit: number })).toEqual({
      said: ['m7', 'm8'],
      total: 9,
    });
  });

  it('does not hold what is too old, nor the same id twice', async () => {
    const { log, post, waiting, wait } = bench();
    const first = await post('one');
    await log.append(
      'general',
      'msg-20260111-163316-ana-0000.json',
      (await log.read('general', first.name))!,
    );
    await post('brief', { ttl: 5 });
    wait(6000);
    expect(await waiting()).toEqual({ said: ['one'], total: 1 });
  });

  it('is found without going through a long channel again', async () => {
    const { post, waiting, ack, wait, reads } = bench();
    const kept = [await post('first')];
    for (let i = 0; i < 600; i++) {
      wait(100);
      const one = await post(`m${i}`, i % 10 === 0 ? {} : { to: 'cleo' });
      if (i % 10 === 0) kept.push(one);
    }
    wait(60_000);
    await ack(...kept.slice(1, 50));
    reads();
    const before = await waiting();
    expect(before.total).toBe(12);
    expect(reads()).toBeGreaterThan(600);
    expect(await waiting()).toEqual(before);
    expect(reads()).toBeLessThan(120);
    await ack(kept[0]!, ...kept.slice(50));
    expect(await waiting()).toEqual({ said: [], total: 0 });
    await post('new');
    expect(await waiting()).toEqual({ said: ['new'], total: 1 });
  });

  it('holds a message that came in late, with an earlier name', async () => {
    const { log, post, waiting, ack } = bench();
    const late = await post('late', { from: 'aaa', channel: 'aside' });
    const text = (await log.read('aside', late.name))!;
    await ack(await post('one', { from: 'zoe' }));
    expect((await waiting()).total).toBe(0);
    await log.append('general', late.name, text, { isMoved: true });
    expect(await waiting()).toEqual({ said: ['late'], total: 1 });
  });

  it('is seen again where the document is damaged', async () => {
    const { store, post, waiting, ack } = bench();
    await ack(await post('one'));
    expect((await waiting()).total).toBe(0);
    await store.commit('ben', '{"channels":{"general":{"handled":', await store.revision('ben'));
    expect((await waiting()).total).toBe(1);
  });
});

it('finds a message by its id, whatever its file is called', async () => {
  const { log, office, post } = bench();
  const { id, name } = await post('one', { channel: 'team-a' });
  const text = (await log.read('team-a', name))!;
  await log.append('team-b', 'msg-20260111-155709-hamgr-b4f6.json', text.replace(id, 'its own id'));
  expect(await findMessage(office, id)).toMatchObject({ channel: 'team-a', body: 'one' });
  expect(await findMessage(office, 'its own id')).toMatchObject({ channel: 'team-b' });
  expect(await findMessage(office, '../../etc/passwd')).toBeUndefined();
});

it('reads no more of a long channel than it needs', async () => {
  const { office, post, reads } = bench();
  for (let i = 0; i < 1000; i++) await post(`m${i}`);
  reads();
  const found = await findNewestMessages(office, 'general', { limit: 50, is: () => true });
  expect(found.map(({ body }) => body)).toEqual(Array.from({ length: 50 }, (_, i) => `m${i + 950}`));
  expect(reads()).toBeLessThanOrEqual(100);
});

describe('a message by its id', () => {
  it('is found under a name of another second, for whoever asks for it anywhere', async () => {
    const { log, office, post } = bench();
    for (let at = 0; at < 150; at++) await post(`${at}`);
    const [name] = await log.names('general', { limit: 1 });
    const id = 'msg-20260110-090000-ana-0001';
    const text = (await log.read('general', name!))!.replace(name!.slice(0, -'.json'.length), id);
    await log.append('general', 'msg-20260111-163314-hand-0001.json', text);
    expect(await findMessage(office, id)).toBeUndefined();
    expect(await findMessage(office, id, { anywhere: true })).toMatchObject({ id, body: '0' });
  });

  it('is looked for in its second where the id names one, and not beyond what is looked back', async () => {
    const { log, office, post, reads, wait } = bench();
    const text = (id: string) =>
      JSON.stringify({
        id,
        timestamp: '2026-01-11T16:33:15Z',
        session_id: 'general',
        from: 'ana',
        to: 'ben',
        type: 'chat',
        content: { text: id },
      });
    const id = 'msg-20260111-163315-ana-9999';
    await log.append('general', 'msg-20260111-163315-hamgr-0000.json', text(id));
    await log.append('general', 'msg-20260111-163315-hamgr-0001.json', text('own-1'));
    wait(1000);
    for (let at = 0; at < 300; at++) await post(`${at}`);
    reads();
    expect((await findMessage(office, id))?.id).toBe(id);
    expect(reads()).toBeLessThan(10);
    expect(await findMessage(office, 'msg-20200101-000000-ana-0000')).toBeUndefined();
    expect(reads()).toBe(0);
    expect((await findMessage(office, 'own-1'))?.id).toBe('own-1');
    expect(await findMessage(office, 'own-1', { lookBack: 100 })).toBeUndefined();
  });
});

it('takes a document that nests without end for an empty one', () => {
  const deep = `{"letter": "\\u0061", "nested": ${'['.repeat(50_000)}1${']'.repeat(50_000)}}`;
  expect(readJsonDocument(deep)).toEqual({});
});

describe('a state that somebody else has written', () => {
  const whole = (data: object) => async () => ({
    kind: 'text',
    text: renderJsonDocument(data, 1),
    revision: 1,
  });
  const stored = (data: object) => ({ ...memoryStore(), read: whole(data) }) as unknown as Documents;

  it('counts only where it is one: of a mailbox', async () => {
    const at = '2026-01-11T16:33:15.000Z';
    const handled = {
      a: DONE,
      b: null,
      c: { as: 7, at },
      d: { as: 'refused', at: 'once' },
      e: { as: 'refused', at, reason: {} },
    };
    const general = { handled, shown: { a: at, b: 5, c: 'once' }, passed: { a: 'ana', b: [], c: {} } };
    const mail = await createMailboxes(stored({ channels: { general } })).read('ben', 'general');
    expect(mail).toMatchObject({ handled: { a: DONE }, shown: { a: at }, passed: { a: 'ana' } });
    expect([mail.handled, mail.shown, mail.passed].map((one) => Object.keys(one))).toEqual([
      ['a'],
      ['a'],
      ['a'],
    ]);
  });

  it.each([[['name', 7]], ['all'], [null]])('hides no message where what is open is %j', async (open) => {
    const general = { mark: 'z', open, handled: {} };
    const mail = await createMailboxes(stored({ channels: { general } })).read('ben', 'general');
    expect(isUnhandled(mail, { id: 'm', name: 'm' })).toBe(true);
  });

  it('counts only where it is one: of what is on its way', async () => {
    const sound = {
      chain: ['ben', 'human'],
      at: 0,
      retries: 0,
      state: 'sent',
      dueAt: 0,
      name: 'n',
      from: 'ana',
    };
    const wrong = [
      { at: 2 },
      { at: -1 },
      { at: 0.5 },
      { retries: -1 },
      { state: 'lost' },
      { dueAt: 1e300 },
      { expiresAt: null },
      { state: 'dead', endedAt: 1e300 },
      { state: 'dead', reason: {} },
    ];
    const tracked: object[] = [sound, ...wrong.map((one) => ({ ...sound, ...one }))];
    const named = Object.fromEntries(tracked.map((one, at) => [at, { ...one, id: `m${at}` }]));
    const ledger = await createDeliveries(stored({ mark: '', tracked: named })).read('general');
    expect(Object.keys(ledger.tracked)).toEqual(['m0 ben']);
  });
});
