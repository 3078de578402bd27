// Requests with a key over HTTP: what was done once is answered again, also by another server after a crash.
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';

const KEY = { 'idempotency-key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' };
const TEXT = 'position: Redis\n\nIt is fast. 🦉\r\n';

async function table(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  return project;
}

describe('a request with an Idempotency-Key', () => {
  it('opens one council, also for whoever comes back after its end', async () => {
    const project = await table();
    project.write('notes.md', 'Nine lines.\n');
    const server = await serving(project);
    const api = apiOf(server.url);
    const question = {
      topic: 'Where?',
      agents: ['ada', 'ben'],
      coordinator: '',
      name: 'q',
      identity: 'token',
      files: ['notes.md'],
    };
    const first = await api.ok('start', question, KEY);
    expect(first).toMatchObject({ revision: 1, tokens: { ada: expect.any(String) as string } });
    await api.ok('extend', { duration: '1h', name: 'q' }, { 'if-match': '*' });
    expect(await api.ok('start', question, KEY)).toEqual(first);
    expect(await api.refused('start', { ...question, topic: 'When?' }, KEY)).toMatchObject({
      status: 422,
      code: 'key_reused',
    });
    expect(await api.refused('start', question)).toMatchObject({ status: 409, code: 'name_taken' });
    await api.ok('cancel', { why: 'enough', name: 'q' }, { 'if-match': '*' });
    expect(await api.ok('start', question, KEY)).toEqual(first);
    expect(await api.ok('list')).toMatchObject({ archives: [{ topic: 'Where?' }] });
    await server.stop();
  });

  it('is answered once more by the next server, whatever became of the one that did it', async () => {
    const project = await table();
    await project.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const said = { agent: 'ada', name: 'c', text: TEXT, agree: true };
    const one = await serving(project);
    const lost = apiOf(one.url)
      .post('respond', said, KEY)
      .catch(() => undefined);
    await until('it is recorded', async () =>
      /"RESPONDED"|"AGREED"/.test((await project.council(['status', '--json'])).stdout),
    );
    one.running.child.kill('SIGKILL');
    await lost;
    const two = await serving(project);
    const api = apiOf(two.url);
    const again = await api.ok('respond', said, KEY);
    expect(again).toMatchObject({
      accepted: true,
      phase: 'COLLECT',
      revision: 2,
      read: expect.anything() as object,
    });
    await api.ok('respond', { agent: 'ben', name: 'c', text: 'Postgres.' });
    expect(await api.ok('respond', said, KEY)).toEqual(again);
    expect(await api.ok('respond', said)).toMatchObject({ accepted: false, reason: 'already_responded' });
    for (const other of [{ text: 'No.' }, { agree: false }, { replace: true }])
      expect(await api.refused('respond', { ...said, ...other }, KEY)).toMatchObject({
        status: 422,
        code: 'key_reused',
      });
    expect((await api.post('status', {}, KEY)).status).toBe(422);
    expect((await api.post('respond', said, { 'idempotency-key': 'two words' })).status).toBe(422);
    const { stdout } = await project.council(['status', '--json']);
    expect(stdout).not.toContain('requests');
    await two.stop();
  });
});
