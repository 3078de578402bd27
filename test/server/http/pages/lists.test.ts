// Lists of messages, archives and rules, in the words of people.
import { expect, it } from 'vitest';
import type { CallOutcome } from '../../../../src/server/remote/perform-call.ts';
import { documentOf, textIn } from '../../../helpers/html.ts';
import { INVITED, pageServer } from '../../../helpers/page-server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

const words = (body: string): string => textIn(documentOf(body)).replace(/\s+/g, ' ');

const MESSAGE = {
  ...{ id: 'M7', time: '2026-11-27T10:00:00.000Z', from: 'ben', to: 'all', channel: 'builds' },
  ...{ text: 'Red.', replyTo: null, type: 'event', priority: 'normal', code: null, artifacts: [] },
};
const answer = (): CallOutcome => ({ document: { messages: [] }, failed: false });

it('says in words that a message goes to everybody, and how to write the first one', async () => {
  const channels = [{ name: 'builds', newest: 'M7', last: MESSAGE }];
  const data = { channels: async () => channels, channel: async () => [MESSAGE] as never };
  const french = { 'accept-language': 'fr' };
  const full = visitorAt((await pageServer({ isOpen: true, answer, data })).url);
  for (const path of ['/messages', '/messages/builds'])
    expect(words((await full.get(path, french)).body)).toContain('ben → tout le monde');
  const empty = visitorAt((await pageServer({ isOpen: true, answer })).url);
  expect(words((await empty.get('/messages')).body)).toContain('council send all');
});

it.each([
  [
    'COLLECT (round 1) of "Où ?" is open until 2026-11-27T12:00:00.000Z. @ana @bo',
    'La phase COLLECTE (tour 1) de « Où ? » est ouverte jusqu’au 27 nov. 2026, 12:00 UTC. @ana @bo',
  ],
  ['Absent in COLLECT: ben (failed: exit code 3).', 'Absence dans COLLECTE : ben (code de sortie 3).'],
  ['@maman the synthesis is wanted.', '@maman la synthèse est attendue.'],
  ['Archivé : conseils/x.md', 'Archivé : conseils/x.md'],
  ['Whatever else.', 'Whatever else.'],
])('shows a notice of council in the language of the page: %s', async (text, shown) => {
  const notice = { ...MESSAGE, from: 'council', text };
  const data = {
    channels: async () => [{ name: 'builds', newest: 'M7', last: notice }],
    channel: async () => [notice, { ...MESSAGE, text }] as never,
  };
  const visitor = visitorAt((await pageServer({ isOpen: true, answer, data })).url);
  const get = async (path: string): Promise<string> =>
    words((await visitor.get(path, { 'accept-language': 'fr' })).body).replaceAll('\u202F', ' ');
  expect(await get('/messages')).toContain(shown);
  const thread = await get('/messages/builds');
  expect(thread).toContain(shown);
  // The same words from another sender stay as they are.
  expect(thread).toContain(text);
});

it('has no excerpt below a question that says the same', async () => {
  const topic = 'Where should the queue live?';
  const archive = { id: 'x', path: 'x.md', topic, mode: 'debate', status: 'COMPLETED' };
  const row = { ...archive, startedAt: MESSAGE.time, endedAt: MESSAGE.time };
  const found = async (excerpt: string): Promise<string> => {
    const results = [{ kind: 'council', id: 'x', excerpt }];
    const { url } = await pageServer({
      ...{ isOpen: true, data: { archives: async () => [row] as never } },
      answer: () => ({ document: { results }, failed: false }),
    });
    return words((await visitorAt(url).get('/archives?q=queue')).body);
  };
  expect((await found('Where should the **queue** live?')).split(topic)).toHaveLength(2);
  expect(await found('…the **queue** is lost…')).toContain('…the queue is lost…');
});

it('tells a seat only that its own council is not archived yet', async () => {
  const { url, state } = await pageServer({ isOpen: true });
  const visitor = visitorAt(url);
  const none = async (lang: string): Promise<string> =>
    words((await visitor.get('/archives', { 'accept-language': lang })).body);
  expect(await none('en')).toContain('There are no archives yet');
  state.isOpen = false;
  expect((await visitor.post('/join', { code: INVITED })).status).toBe(303);
  expect(await none('en')).toContain('No council that you took part in is archived yet');
  expect(await none('fr')).toContain('Aucun conseil auquel vous avez participé n’est encore archivé');
});

it('names the rules of a new council in the language of the page', async () => {
  const { url } = await pageServer({ isOpen: true });
  const { body } = await visitorAt(url).get('/start', { 'accept-language': 'fr' });
  expect(body).toMatch(/<option value="unanimity" *>unanimité<\/option>/);
});

it('names the worker of a task once', async () => {
  const task = { id: 'T1', session: 'S4', text: 'Write it', state: 'W', worker: 'coder', after: [] };
  const said = async (standing: string): Promise<string> => {
    const document = { task: { ...task, result: null, error: null, question: null, standing } };
    const { url } = await pageServer({ isOpen: true, answer: () => ({ document, failed: false }) });
    return words((await visitorAt(url).get('/tasks/S4/T1')).body);
  };
  expect(await said('done by coder, 23 characters')).toMatch(/S4\/T1 done by coder, 23 characters/);
  expect(await said('asks: Which schema?')).toContain('coder · asks: Which schema?');
});
