import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI, filesIn, newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Listed, Started } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { listening, overHttp, post } from '../helpers/mcp.ts';
import { addAgent } from '../helpers/speakers.ts';

type WithTokens = Started & { tokens: Record<string, string> };

async function guarded(): Promise<{ project: Project; started: WithTokens; of: Record<string, string> }> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  const args = ['start', 'Who?', '--identity', 'token', '--timeout', '1h', '--json'];
  const { json: started } = await project.council<WithTokens>(args);
  return { project, started, of: started.tokens };
}

it('fault 20: a search that computes long keeps nobody else waiting', async () => {
  const { project, of } = await guarded();
  const word = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod ';
  const body = word.repeat(15_000);
  const front = (at: number) => `---\ntopic: t${at}\nconversationId: ${at}\n---\n\n`;
  for (let at = 0; at < 50; at++) project.write(`conseils/2026-01-01-${at}.md`, `${front(at)}${body}`);
  const server = await listening(project);
  // A seat reads no archive of another council: whoever runs the server does.
  const owner = await overHttp('v2', server.url, server.token);
  const bob = await overHttp('v2', server.url, of.bob!);
  const ends: string[] = [];
  const search = owner.call('search', { query: 'lorem dolor' }).then((result) => {
    ends.push('search');
    return result;
  });
  expect((await owner.tools()).length).toBeGreaterThan(5);
  for (let count = 0; count < 3; count++) expect((await bob.call('view')).isError).toBe(false);
  ends.push('views of bob');
  const found = await search;
  expect(ends).toEqual(['views of bob', 'search']);
  // It is found, or it took too long here and was ended with a sentence.
  if (found.isError) expect(found.json).toMatchObject({ error: { code: 'timed_out' } });
  await Promise.all([owner.close(), bob.close()]);
  await server.stop();
});

it('fault 20: refused texts are kept once each, and only so many of a participant in a council', async () => {
  const { project, started, of } = await guarded();
  const server = await listening(project);
  const ana = await overHttp('v2', server.url, of.ana!);
  const bob = await overHttp('v2', server.url, of.bob!);
  for (const client of [ana, bob]) await client.call('respond', { text: 'This is what I think.' });
  const folder = join(project.privateDir, started.conversationId);
  const kept = () => filesIn(folder).filter((path) => path.includes('kept-ana-')).length;
  const refused = async (client: typeof ana, text: string) =>
    (await client.call<{ error: { code: string }; kept: unknown }>('respond', { text })).json;

  const first = await refused(ana, 'Something else.');
  expect(first).toMatchObject({ error: { code: 'different_text' }, kept: expect.any(String) as string });
  expect((await refused(ana, 'Something else.')).kept).toBe(first.kept);
  expect(kept()).toBe(1);
  for (let at = 1; at < 64; at++)
    fs.writeFileSync(join(folder, `kept-ana-COLLECT-1-${String(at).padStart(16, '0')}`), 'x');
  const full = await refused(ana, 'One text more.');
  expect(full).toMatchObject({
    error: { code: 'different_text' },
    kept: { failed: expect.stringContaining('64 refused texts of ana') as string },
  });
  expect(kept()).toBe(64);
  // The same one is there already, and others have room of their own.
  expect((await refused(ana, 'Something else.')).kept).toBe(first.kept);
  expect((await refused(bob, 'Bob has one, too.')).kept).toEqual(expect.any(String));
  const onScreen = await project.council(['respond', 'ana'], {
    input: 'And by hand?',
    env: { COUNCIL_TOKEN: of.ana! },
  });
  expect(onScreen).toMatchObject({ code: 1 });
  expect(onScreen.stderr).toContain('The text is not kept: 64 refused texts of ana are kept already');
  await Promise.all([ana.close(), bob.close()]);
  await server.stop();
});

it("fault 20: texts of nobody in particular have a limit, too, and take nobody else's room", async () => {
  const { project, started, of } = await guarded();
  const folder = join(project.privateDir, 'kept');
  const wrong = (input: string) =>
    project.council<{ error: { kept: unknown } }>(['respond', 'ana', '--json'], { input });
  const { json } = await wrong('Without a token.');
  expect(json.error.kept).toEqual(expect.stringContaining(`${folder}/UNSEATED-ana-`));
  fs.writeFileSync(join(folder, 'UNSEATED-eve-0.md'), Buffer.alloc((16 << 20) - 20));
  expect((await wrong('Again without, and longer.')).json.error.kept).toMatchObject({
    failed: expect.stringContaining('of unknown seats') as string,
  });
  const env = { COUNCIL_TOKEN: of.ana! };
  await project.council(['respond', 'ana'], { input: 'Me.', env });
  const other = await project.council<{ kept: string }>(['respond', 'ana', '--json'], { input: 'Me?', env });
  const own = join(project.privateDir, started.conversationId);
  expect(fs.readFileSync(join(own, other.json.kept), 'utf8')).toBe('Me?');
});

it('fault 20: a flood of one token ends no session of another', async () => {
  const { project, of } = await guarded();
  const server = await listening(project);
  const bob = await overHttp('v1', server.url, of.bob!);
  const operator = await overHttp('v2', server.url, server.token);
  const bearer = { authorization: `Bearer ${of.ana}` };
  const statuses = [];
  for (let count = 0; count < 260; count++) statuses.push((await post(server.url, bearer)).status);
  expect([...new Set(statuses)].sort()).toEqual([200, 429]);
  const limited = await post(server.url, bearer);
  if (limited.status === 429) expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect((await bob.call('view')).text).toContain('You are 👤 bob (bob)');
  expect((await operator.call<Listed>('list')).isError).toBe(false);
  await Promise.all([bob.close(), operator.close()]);
  await server.stop();
});

it('fault 20: over stdio, a message that is not UTF-8 is refused, and nothing of it recorded', async () => {
  const { project, of } = await guarded();
  const env = { ...project.env, COUNCIL_TOKEN: of.ana };
  const server = spawn(process.execPath, [CLI, 'mcp', '--tools', 'all'], { cwd: project.root, env });
  const ended = once(server, 'exit');
  let printed = '';
  server.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const answer = async (id: number): Promise<object> => {
    const line = () => printed.split('\n').find((one) => one.includes(`"id":${id}`));
    await until(`there is an answer to ${id}`, () => line() !== undefined);
    return JSON.parse(line()!) as object;
  };
  const send = (message: object, encoding: 'utf8' | 'latin1' = 'utf8'): void =>
    void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, encoding);
  const clientInfo = { name: 'test', version: '1' };
  const say = (text: string) => ({ name: 'respond', arguments: { text } });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  await answer(1);
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: say('caf\u00e9') }, 'latin1');
  expect(await answer(2)).toEqual({
    jsonrpc: '2.0',
    id: 2,
    error: { code: -32700, message: 'Parse error: the message is not valid UTF-8' },
  });
  expect((await stateOf(project)).participants.ana).toMatchObject({ status: 'WAITING' });
  send({ id: 3, method: 'tools/call', params: say('caf\u00e9') });
  expect(await answer(3)).toMatchObject({ result: { structuredContent: { accepted: true } } });
  server.stdin.end();
  expect(await ended).toEqual([0, null]);
});
