import { describe, expect, it } from 'vitest';
import type { Ticked } from '../helpers/documents.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addSpeaker } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

describe('council serve', () => {
  it('plays a council from the start to the archive, over the API alone', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addSpeaker(project, id, { any: { say: `I am ${id}.` } });
    expect((await project.council(['trust', '--yes'])).code).toBe(0);
    const server = await serving(project);
    const { ok } = apiOf(server.url);
    const started = await ok<{ name: string }>('start', {
      topic: 'Wo? 🦉',
      agents: ['ada', 'ben'],
      coordinator: '',
    });
    expect(started.name).toBe('active-conversation');
    await until('it is archived', async () => {
      const { councils } = await ok<Ticked>('tick', {});
      return councils.some(({ archive }) => archive !== null && archive !== undefined);
    });
    const { archives } = await ok<{ archives: { id: string }[] }>('list');
    const shown = await ok('show', { archive: archives[0]!.id });
    expect(JSON.stringify(shown)).toContain('I am ada.');
    const { code, events } = await server.stop();
    expect(code).toBe(0);
    expect(events.at(0)).toMatchObject({ event: 'listening', url: server.url });
    expect(events.at(-1)).toMatchObject({ event: 'stopped' });
    expect(JSON.stringify(events)).not.toMatch(/I am|Wo\?/);
  });

  long('refuses a public address with a path, and says which way there is', async () => {
    const project = await newProject();
    const { code, stderr } = await project.council(['serve', '--public-url', 'https://example.org/council']);
    expect(code).toBe(2);
    expect(stderr).toContain('such as https://council.example, not "https://example.org/council"');
    expect(stderr).toContain('needs a name of its own, without a path');
  });

  it('answers what the command prints, and refuses as it does', async () => {
    const project = await withPeople();
    const server = await serving(project);
    const { ok, refused, post } = apiOf(server.url);
    const said = { agent: 'ada', text: 'position: Redis\n\nIt is fast.\n' };
    expect(await ok('respond', said)).toMatchObject({ accepted: true, participant: 'ada', phase: 'COLLECT' });
    expect(await ok('respond', said)).toMatchObject({ accepted: false, reason: 'already_responded' });
    const printed = await project.council<{ councils: unknown[] }>(['status', '--json']);
    expect(await ok('status')).toEqual(printed.json);
    const extended = await ok<{ revision: number }>('extend', { duration: '1h' }, { 'if-match': '*' });
    const { revision } = extended;
    const tag = await post('status', { name: 'active-conversation' });
    expect(tag.headers.get('etag')).toBe(`"${revision}"`);
    expect(await refused('extend', { duration: '1h' })).toMatchObject({
      status: 428,
      code: 'revision_needed',
    });
    const stale = { 'if-match': `"${revision - 1}"` };
    expect(await refused('extend', { duration: '1h' }, stale)).toMatchObject({
      status: 412,
      code: 'conflict',
    });
    expect(await ok('extend', { duration: '1h' }, { 'if-match': `"${revision}"` })).toMatchObject({
      revision: revision + 1,
    });
    expect(await refused('extend', { duration: '1h' }, { 'if-match': 'x' })).toMatchObject({ status: 422 });
    expect(await refused('respond', said, stale)).toMatchObject({ status: 422 });
    const gone = { 'if-match': `"${revision + 1}"` };
    const other = await refused('respond', { ...said, text: 'Another.' });
    expect(other).toMatchObject({ status: 409, code: 'different_text', document: { accepted: false } });
    expect(await refused('respond', { agent: 'eve', text: 'x' })).toMatchObject({
      status: 404,
      code: 'unknown_agent',
    });
    expect(await refused('wait', { for: 'phase:CHALLENGE', timeout: '1s' })).toMatchObject({ status: 504 });
    expect(await ok('cancel', { why: 'enough' }, gone)).toMatchObject({ status: 'CANCELLED' });
    await server.stop();
  });

  long('lets nothing decide what runs, and no file be read, that came over the wire', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'x' } });
    project.write('secret.txt', 'CANARY-FILE');
    const server = await serving(project);
    const { ok, refused } = apiOf(server.url);
    expect(await refused('start', { topic: 'x', agents: 'ada' })).toMatchObject({
      status: 403,
      code: 'untrusted',
    });
    expect(await refused('start', { topic: 'x', trust: true })).toMatchObject({ status: 422, code: 'usage' });
    // A plan is sent; a name alone is that of an archive, never that of a file here.
    const plan = await refused('task', { action: 'plan', text: 'secret.txt' });
    expect(plan).toMatchObject({ status: 404 });
    expect(JSON.stringify(plan)).not.toContain('CANARY-FILE');
    await ok('send', { to: 'human', text: 'look', code: `@${project.root}/secret.txt` });
    expect(JSON.stringify(await ok('inbox', { agent: 'human' }))).not.toContain('CANARY-FILE');
    await server.stop();
  });

  long('is refused another address than this machine, and a port that is taken', async () => {
    const project = await newProject();
    const server = await serving(project);
    const port = new URL(server.url).port;
    expect(await project.council(['serve', '--port', port, '--json'])).toMatchObject({
      code: 1,
      json: {
        error: {
          code: 'io',
          message: expect.stringContaining(
            `A server of this project is there already: process ${server.running.child.pid}, at ${server.url}.`,
          ) as string,
          hint: expect.stringContaining('--port 0') as string,
        },
      },
    });
    // Of another project nothing is known.
    const stranger = await (await newProject()).council(['serve', '--port', port]);
    expect(stranger.stderr).toContain('EADDRINUSE');
    expect(stranger.stderr).not.toContain('of this project');
    expect(await project.council(['serve', '--host', '0.0.0.0', '--json'])).toMatchObject({
      code: 1,
      json: { error: { code: 'forbidden' } },
    });
    await server.stop();
  });
});

/** A council of two people. */
async function withPeople(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  await project.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '']);
  return project;
}
