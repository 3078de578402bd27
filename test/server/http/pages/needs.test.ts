// The first page and the lists: what waits for whom, what can be done about it there, and lists of many rows.
import { expect, it } from 'vitest';
import type { RemoteCall, CallOutcome } from '../../../../src/server/remote/perform-call.ts';
import { threadMessages } from '../../../../src/server/http/pages/messages.ts';
import { documentOf, elementsIn, textIn } from '../../../helpers/html.ts';
import { INVITED, pageServer } from '../../../helpers/page-server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

const words = (body: string): string => textIn(documentOf(body)).replace(/\s+/g, ' ');

const REQUEST = {
  ...{ id: 'a1', status: 'pending', requester: 'coder', operation: 'shell: npm test', risk: 'high' },
  ...{ until: '2026-11-27T12:00:00.000Z', details: { command: ['npm', 'test'] } },
};
const TASK = {
  ...{ id: 'T1', session: 'S4', text: 'Write the migration', state: 'W', worker: 'coder', after: [] },
  ...{ result: null, error: null, standing: 'asks: Which schema?' },
  question: { text: 'Which schema?', options: ['public', 'shop'] },
};
const MESSAGE = {
  ...{ id: 'M7', time: '2026-11-27T10:00:00.000Z', from: 'ben', to: 'human', channel: 'builds' },
  ...{ text: 'The build <b>is red</b>.', replyTo: null, unread: true },
};

const seat = (runner: string) => ({
  emoji: '',
  title: '',
  runner,
  status: 'WAITING',
  attempts: 0,
  absent: null,
});
const council = (name: string, topic: string) => ({
  ...{ name, topic, mode: 'debate', tour: 1, currentPhase: 'COLLECT', timeoutAt: '2030-01-01T00:00:00.000Z' },
  ...{ order: ['ana'], coordinator: null, synthesizer: false, participants: { ana: seat('human') } },
});

const DOCUMENTS: Record<string, object> = {
  status: { councils: [council('queue', 'Where should the queue live?')] },
  approvals: { approvals: [REQUEST, { ...REQUEST, id: 'a2', status: 'used' }] },
  inbox: { messages: [MESSAGE] },
};
const answer = ({ name, input }: RemoteCall): CallOutcome => ({
  document:
    name === 'task'
      ? input.action === 'list'
        ? { tasks: [TASK] }
        : { task: TASK }
      : (DOCUMENTS[name] ?? {}),
  failed: false,
});

it('shows what waits for its visitor, each with what can be done about it, and others last', async () => {
  const { url, asked } = await pageServer({ isOpen: true, answer });
  const owner = visitorAt(url);
  const { body } = await owner.get('/');
  const said = words(body);
  for (const one of [
    'Needs me: 3',
    'coder asks for: shell: npm test',
    '"npm"',
    'Which schema?',
    '<b>is red</b>',
  ])
    expect(said).toContain(one);
  expect(body).toContain('<title>(3) Needs me · council</title>');
  expect(said).not.toContain('a2');
  const ids = elementsIn(documentOf(body)).map(({ attributes }) => attributes.id);
  expect(ids.indexOf('others')).toBeGreaterThan(ids.indexOf('mail'));
  const calls = async (path: string, fields: Record<string, string>) => {
    asked.length = 0;
    await owner.post(path, fields);
    return asked.map(({ name, input }) => [name, input]);
  };
  expect(await calls('/approvals/a1', { do: 'approve' })).toEqual([
    ['approvals', { action: 'approve', id: 'a1', as: 'admin' }],
  ]);
  expect(await calls('/approvals/a1', { do: 'reject', reason: 'not today' })).toEqual([
    ['approvals', { action: 'reject', id: 'a1', as: 'admin', reason: 'not today' }],
  ]);
  expect(await calls('/tasks/S4/T1/answer', { text: 'shop' })).toEqual([
    ['task', { action: 'answer', text: 'S4/T1 shop' }],
  ]);
  expect(await calls('/messages/builds/M7', { do: 'reply', text: 'On it.', to: 'ben' })).toEqual([
    ['send', { text: 'On it.', to: 'ben', from: 'human', channel: 'builds', replyTo: 'M7' }],
    ['ack', { ids: ['builds/M7'], as: 'human' }],
  ]);
});

it('launches those again who failed, where their failure is told, and invites those who are awaited', async () => {
  const broken = {
    ...council('queue', 'Where should the queue live?'),
    order: ['ana', 'cai'],
    participants: {
      ana: seat('human'),
      cai: { ...seat('command'), title: 'Cai', absent: 'failed: no such model' },
    },
  };
  const retried: unknown[] = [];
  const { url } = await pageServer({
    isOpen: true,
    answer: (asked) =>
      asked.name === 'status' ? { document: { councils: [broken] }, failed: false } : answer(asked),
    data: { retry: async (asked) => void retried.push(asked) },
  });
  const owner = visitorAt(url);
  const { body } = await owner.get('/');
  const part = (id: string): string => body.slice(body.indexOf(`id="${id}"`)).split('</section>')[0]!;
  expect(part('stuck')).toContain('no such model');
  expect(part('stuck')).toContain('value="cai">Launch Cai again</button>');
  expect(part('others')).toMatch(/action="\/councils\/queue\/invite"[\s\S]*value="ana"[\s\S]*Invite ana/);
  // Answering in the place of somebody else comes last.
  expect(part('others').indexOf('seat?as=ana')).toBeGreaterThan(part('others').indexOf('Invite ana'));
  const { status, headers } = await owner.post('/councils/queue/retry', { agent: 'cai' });
  expect([status, headers.location]).toEqual([303, '/councils/queue?done=retry']);
  expect(retried).toEqual([{ name: 'queue', agent: 'cai' }]);
});

it('counts a turn once, though the council announces it as well', async () => {
  const notice = {
    ...MESSAGE,
    id: 'M8',
    from: 'council',
    channel: 'council-queue',
    text: 'COLLECT is open.',
  };
  const other = { ...notice, id: 'M9', channel: 'council-other', text: 'Archived.' };
  const { url, state } = await pageServer({
    answer: (asked) =>
      asked.name === 'inbox' ? { document: { messages: [notice, other] }, failed: false } : answer(asked),
  });
  state.ada = { role: 'member', participant: 'ana' };
  const ana = visitorAt(url);
  await ana.join(INVITED);
  const said = words((await ana.get('/')).body);
  expect(said).toContain('Your turn');
  expect(said).toContain('Archived.');
  expect(said).not.toContain('COLLECT is open.');
});

it('shows the question of a worker once, though it is a message as well', async () => {
  const question = { ...MESSAGE, id: 'M8', channel: 'task-s4-t1', type: 'disambiguate', from: 'coder' };
  const { url } = await pageServer({
    isOpen: true,
    answer: (asked) =>
      asked.name === 'inbox'
        ? { document: { messages: [MESSAGE, { ...question, text: 'Which schema?' }] }, failed: false }
        : answer(asked),
  });
  const said = words((await visitorAt(url).get('/')).body);
  expect(said).toContain('Needs me: 3');
  expect(said.split('Which schema?')).toHaveLength(2);
});

it('lists every channel with what is unread, and shows one as a thread', async () => {
  const message = (id: string, replyTo: string | null, text: string) => ({
    ...{ ...MESSAGE, id, replyTo, text, type: 'event', priority: 'normal', code: null, artifacts: [] },
    ...{ from: 'ben', to: 'cai' },
  });
  const last = { time: MESSAGE.time, from: 'ben', to: 'cai', text: 'Shall we?' };
  const looked: unknown[] = [];
  const { url, asked } = await pageServer({
    isOpen: true,
    answer,
    data: {
      channels: async (caller) => {
        looked.push(caller?.role);
        return ['builds', 'general'].map((name) => ({ name, newest: 'M9', last }));
      },
      channel: async (name) =>
        name === 'builds'
          ? ([message('M7', null, 'Shall we?'), message('M9', 'M7', 'We <i>shall</i>.')] as never)
          : null,
    },
  });
  const owner = visitorAt(url);
  const { body } = await owner.get('/messages');
  expect(body).toContain('<a href="/messages/builds">#builds</a>');
  expect(words(body)).toMatch(/#builds 1 27 Nov.* ben → cai: Shall we\? #general/);
  expect(asked.at(-1)!.input).toMatchObject({ agent: 'human', unread: true });
  const thread = await owner.get('/messages/builds');
  expect(words(thread.body)).toMatch(/Shall we\?.*We <i>shall<\/i>\./);
  const levels = elementsIn(documentOf(thread.body)).filter(({ name }) => name === 'article');
  expect(levels.map(({ attributes }) => attributes.class)).toEqual(['said level-0', 'said level-1']);
  // What others say to each other may be unread to the visitor as well, or not.
  expect(thread.body.split('class="bad"')).toHaveLength(2);
  expect(thread.body).toMatch(/<option value="all">everybody<\/option>\s*<option>ben<\/option>\s*<\/select>/);
  expect((await owner.get('/messages/nothing')).status).toBe(404);
  expect(looked).toEqual(['admin']);
});

it('sends a message to a channel from its page', async () => {
  const { url, asked } = await pageServer({ isOpen: true, answer });
  const owner = visitorAt(url);
  await owner.get('/');
  const { status, headers } = await owner.post('/messages/builds', { to: 'all', text: 'Red again.' });
  expect([status, headers.location]).toEqual([303, '/messages/builds']);
  expect(asked.at(-1)).toMatchObject({
    name: 'send',
    input: { text: 'Red again.', to: 'all', from: 'human', channel: 'builds' },
  });
});

it('says in French how tasks stand', async () => {
  const { url } = await pageServer({
    isOpen: true,
    answer,
    data: {
      standings: async (sessions, w) =>
        new Map([...sessions].map((session) => [`${session}/T1`, w.taskStanding.turn])),
    },
  });
  const french = { 'accept-language': 'fr' };
  for (const path of ['/tasks', '/tasks/S4', '/tasks/S4/T1']) {
    const said = words((await visitorAt(url).get(path, french)).body);
    expect([path, said.includes('attend son tour'), said.includes('asks:')]).toEqual([path, true, false]);
  }
});

it('says that nothing waits, and how many councils go on', async () => {
  const { url } = await pageServer({ isOpen: true });
  expect(words((await visitorAt(url).get('/')).body)).toMatch(
    /Nothing waits for you\. Councils under way: 0/,
  );
});

it('sorts, filters and pages the councils that go on', async () => {
  const councils = Array.from({ length: 120 }, (_, at) =>
    council(`c${at}`, `Question ${String(at).padStart(3, '0')}`),
  );
  const { url } = await pageServer({
    isOpen: true,
    answer: () => ({ document: { councils }, failed: false }),
  });
  const visitor = visitorAt(url);
  const rows = async (path: string): Promise<string[]> =>
    [...(await visitor.get(path)).body.matchAll(/>Question (\d{3})</g)].map(([, at]) => at!);
  expect(await rows('/councils?sort=question&way=down&page=3')).toEqual(
    Array.from({ length: 20 }, (_, at) => String(19 - at).padStart(3, '0')),
  );
  expect(await rows('/councils?q=QUESTION%20007')).toEqual(['007']);
  expect(await rows('/councils?sort=__proto__&page=-4')).toHaveLength(50);
  const { body } = await visitor.get('/councils?sort=question');
  expect(body).toContain('aria-sort="ascending"');
  expect(body).toContain('sort=question&amp;way=down');
});

it('shows a task with what may be done about it', async () => {
  const { url, asked } = await pageServer({ isOpen: true, answer });
  const visitor = visitorAt(url);
  expect(words((await visitor.get('/tasks')).body)).toContain('S4/T1');
  expect(words((await visitor.get('/tasks/S4/T1')).body)).toMatch(/Write the migration.*Cancel the task/);
  await visitor.post('/tasks/S4/T1', { do: 'cancel' });
  expect(asked.at(-1)).toMatchObject({ name: 'task', input: { action: 'cancel', text: 'S4/T1' } });
});

it('puts answers below what they answer, and keeps every message once', () => {
  const of = (id: string, replyTo: string | null = null) => ({ ...MESSAGE, id, replyTo });
  const place = (...all: ReturnType<typeof of>[]) =>
    threadMessages(all).map(({ message, depth }) => `${message.id}:${depth}`);
  expect(place(of('1'), of('2'), of('3', '1'), of('4', 'gone'), of('5', '3'))).toEqual([
    ...['1:0', '3:1', '5:2', '2:0', '4:0'],
  ]);
  // Other programs may write answers that answer each other, and an id twice.
  expect(place(of('1', '3'), of('2', '2'), of('3', '1'))).toEqual(['1:0', '3:1', '2:0']);
  expect(place(of('1'), of('1'), of('2', '1'))).toEqual(['1:0', '2:1', '1:0']);
});

it('keeps the theme that was chosen, in every page of this browser', async () => {
  const { url } = await pageServer({ isOpen: true });
  const visitor = visitorAt(url);
  expect((await visitor.get('/')).body).toContain('data-theme="system"');
  const chosen = await visitor.post('/theme', { theme: 'dark', to: '/archives' });
  expect([chosen.status, chosen.headers.location]).toEqual([303, '/archives']);
  expect(chosen.headers['set-cookie']?.[0]).toMatch(/^council_theme=dark; /);
  const cookie = `${visitor.cookie()}; council_theme=dark`;
  expect((await visitor.get('/archives', { cookie })).body).toMatch(/data-theme="dark".*content="dark"/s);
});
