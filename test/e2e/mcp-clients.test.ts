import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Listed, Started, Status, Ticked, Viewed } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { CLIENTS, listening, overHttp, overStdio } from '../helpers/mcp.ts';
import type { Connected } from '../helpers/mcp.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';

const TOOLS = [
  'list',
  'start',
  'view',
  'read',
  'respond',
  'status',
  'tick',
  'search',
  'show',
  'history',
  'continue',
  'ask',
  'verdict',
  'archives',
  'outcome',
];
const MESSAGES = [
  'send',
  'inbox',
  'ack',
  'nack',
  'sent',
  'reserve',
  'release',
  'reservations',
  'approvals',
  'task',
];
const READ_ONLY = [
  'archives',
  'list',
  'view',
  'read',
  'status',
  'search',
  'show',
  'history',
  'inbox',
  'sent',
  'reservations',
  'approvals',
];

describe.each(CLIENTS)('the official client %s', (kind) => {
  it('lists and calls every tool over stdio', async () => {
    const project = await newProject();
    await playedThrough(project, await overStdio(kind, project));
  });

  it('lists and calls every tool over HTTP', async () => {
    const project = await newProject();
    const server = await listening(project);
    await playedThrough(project, await overHttp(kind, server.url, server.token));
    await server.stop();
    expect((await server.running.ended).code).toBe(0);
  });
});

/** A council with a program and a person, from start to archive, by tools alone. */
async function playedThrough(
  project: Awaited<ReturnType<typeof newProject>>,
  client: Connected,
): Promise<void> {
  addSpeaker(project, 'ada', { any: { say: 'Ada says: buy the blue one.' } });
  addAgent(project, 'ana');

  const offered = await client.tools();
  expect(offered.map(({ name }) => name).sort()).toEqual([...TOOLS, ...MESSAGES].sort());
  const readOnly = offered.filter(({ annotations }) => annotations?.readOnlyHint === true);
  expect(readOnly.map(({ name }) => name).sort()).toEqual(READ_ONLY.toSorted());
  expect((await client.prompts()).sort()).toEqual(['convene', 'respond']);
  expect((await client.call<Listed>('list')).json.archives).toEqual([]);

  const started = await client.call<Started>('start', {
    topic: 'Which one?',
    brief: '# Which one?\n\nThe blue or the red one.',
    mode: 'synthesis',
    agents: ['ada', 'ana'],
    timeout: '1h',
    name: 'colours',
  });
  expect(started.json).toMatchObject({ name: 'colours', phase: 'COLLECT', tour: 1 });
  expect(JSON.parse(started.text)).toEqual(started.json);
  expect((await stateOf(project, 'colours')).change.actor).toContain(' via mcp');

  const view = await client.call('view', { agent: 'ana', name: 'colours' });
  const { prompt } = (await project.council<Viewed>(['view', 'ana', '--name', 'colours', '--json'])).json;
  expect(view).toMatchObject({ text: prompt, json: undefined });
  expect(view.text).toContain('The blue or the red one.');
  expect(await client.prompt('respond', { agent: 'ana', name: 'colours' })).toContain(prompt.trim());
  expect(await client.prompt('convene', { question: 'Which one?' })).toContain('Which one?');

  const looked = await client.call('read', { agent: 'ana', name: 'colours', text: 'position: red\n\nYes.' });
  expect(looked.json).toMatchObject({ phase: 'COLLECT', as: 'ana', read: { position: 'red', missing: [] } });

  const words = 'Ana says: take the red one.\r\n no final newline 🦉';
  const said = await client.call('respond', { agent: 'ana', name: 'colours', text: words, agree: true });
  expect(said.json).toMatchObject({ accepted: true, participant: 'ana', phase: 'COLLECT' });
  expect(said.json).toMatchObject({ read: { position: null, missing: [] } });
  const again = await client.call('respond', { agent: 'ana', name: 'colours', text: words, agree: true });
  expect(again).toMatchObject({ isError: false, json: { reason: 'already_responded' } });
  const other = await client.call('respond', { agent: 'ana', name: 'colours', text: 'Something else.' });
  expect(other).toMatchObject({ isError: true, json: { error: { code: 'different_text' } } });
  expect(JSON.stringify(other.json)).toContain('hint');

  expect(await client.resources()).toEqual(['council://colours']);
  expect(JSON.parse(await client.read('council://colours'))).toMatchObject({ currentPhase: 'COLLECT' });
  await expect(client.read('council://nowhere')).rejects.toThrow(/nowhere/);

  const ticked = await client.call<Ticked>('tick', { name: 'colours', untilIdle: true });
  const { archive } = ticked.json.councils[0]!;
  expect(archive).toMatch(/^conseils\//);
  expect((await client.call<Status>('status')).json.councils).toEqual([]);
  const id = (await client.call<Listed>('list')).json.archives[0]!.id;
  const shown = await client.call<{ contributions: { text: string }[] }>('show', { archive: id });
  expect(shown.json.contributions.map(({ text }) => text)).toContain(words);
  const found = await client.call<{ results: { id: string }[] }>('search', { query: 'blue', limit: 3 });
  expect(found.json.results.map((result) => result.id)).toEqual([id]);
  expect(await client.resources()).toEqual([`archive://${id}`]);
  expect(await client.read(`archive://${id}`)).toContain('Ada says: buy the blue one.');
  const outcome = await client.call('outcome', { archive: id, right: 'other', note: 'Green.' });
  expect(outcome.json).toMatchObject({ archive: id, outcome: { right: 'other', note: 'Green.' } });

  await messagesSent(client);

  const unknown = await client.call('view', { agent: 'ana', name: 'colours' });
  expect(unknown).toMatchObject({ isError: true, json: { error: { code: 'unknown_council' } } });
  const nobody = await client.call('respond', { text: 'Who am I?' });
  expect(nobody).toMatchObject({ isError: true, json: { error: { code: 'usage' } } });
  await client.close();
}

/** A message from ada to ana that is read, refused, sent again and acknowledged. */
async function messagesSent(client: Connected): Promise<void> {
  interface Inbox {
    messages: { id: string; from: string; text: string }[];
  }
  const send = (text: string) =>
    client.call<{ message: { id: string } }>('send', { from: 'ada', to: 'ana', text });
  const inbox = async () =>
    (await client.call<Inbox>('inbox', { agent: 'ana', channel: 'general', unread: true })).json.messages.map(
      ({ text }) => text,
    );
  const first = await send('The red one is sold out.');
  expect(await inbox()).toEqual(['The red one is sold out.']);
  const refused = { ids: [first.json.message.id], as: 'ana', reason: 'says who?' };
  expect((await client.call('nack', refused)).isError).toBe(false);
  const second = await send('The shop says so.');
  expect((await client.call('ack', { ids: [second.json.message.id], as: 'ana' })).isError).toBe(false);
  expect(await inbox()).toEqual([]);
  const sent = await client.call('sent', { from: 'ada' });
  expect(sent.text).toContain('acknowledged');
  expect((await client.call('reserve', { patterns: ['src'], as: 'ana' })).isError).toBe(false);
  expect((await client.call('reservations')).json).toMatchObject({ reservations: [{ by: 'ana' }] });
  expect((await client.call('release', { as: 'ana' })).json).toMatchObject({ released: [{ id: 'r1' }] });
}
