import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CLI, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { openTurn, TASK } from '../helpers/in-turn.ts';
import { listening, overHttp, overStdio } from '../helpers/mcp.ts';
import type { Connected } from '../helpers/mcp.ts';
import { addAgent } from '../helpers/speakers.ts';

interface Refused {
  error: { code: string; message: string };
  kept?: unknown;
}

async function projectWith(...ids: string[]): Promise<Project> {
  const project = await newProject();
  for (const id of ids) addAgent(project, id);
  return project;
}

describe('send as a tool', () => {
  it('needs the recipient and, outside of a turn, the sender', async () => {
    const project = await projectWith('ana', 'bob');
    const client = await overStdio('v2', project);
    const missing = async (name: string, input: object, argument: string) => {
      const { json, isError } = await client.call<Refused>(name, { ...input });
      expect(isError).toBe(true);
      expect(json.error).toMatchObject({ code: 'usage' });
      expect(json.error.message).toContain(`The argument ${argument} of ${name} is missing`);
    };
    await missing('send', { text: 'ana are you there?' }, 'to');
    await missing('send', { text: 'Are you there?', to: 'ana' }, 'from');
    await missing('sent', {}, 'from');
    expect((await client.call('send', { text: 'ana, look.', to: 'ana', from: 'bob' })).json).toMatchObject({
      message: { from: 'bob', to: 'ana', text: 'ana, look.' },
    });
    await client.close();
  });

  it.each([
    ['its turn', () => ({})],
    ['the participant that its server was started for', () => ({ COUNCIL_PARTICIPANT: 'bob' })],
  ])('speaks for %s', async (whose, env) => {
    const project = await projectWith('ana', 'bob');
    const turn = whose === 'its turn' ? openTurn(project, 'bob', TASK) : {};
    const client = await overStdio('v2', project, { ...env(), ...turn });
    expect((await client.call('send', { text: 'Look.', to: 'ana' })).json).toMatchObject({
      message: { from: 'bob', to: 'ana' },
    });
    await client.close();
  });
});

it('no answer over HTTP or stdio names a folder of the machine where a text is refused and kept', async () => {
  const project = await projectWith('ana', 'bob');
  await project.council(['start', 'Which?', '--agents', 'ana,bob', '--timeout', '1h']);
  const server = await listening(project);
  const clients: Connected[] = [
    await overHttp('v2', server.url, server.token),
    await overStdio('v2', project),
  ];
  await clients[0]!.call('respond', { agent: 'ana', text: 'The red one.' });
  for (const client of clients) {
    const refused = [
      await client.call<Refused>('respond', { agent: 'ana', text: 'The blue one.' }),
      await client.call<Refused>('respond', { agent: 'nobody', text: 'The blue one.' }),
      await client.call<Refused>('show', { archive: project.root }),
    ];
    for (const { isError, text } of refused) {
      expect(isError).toBe(true);
      expect(text).not.toContain(project.root);
      expect(text).not.toContain(project.privateDir);
    }
    expect(refused[0]!.json.kept).toMatch(/^kept-ana-[^/]+$/);
    await client.close();
  }
  await server.stop();
});

it('a batch and half a line on stdio are answered with an error, and the next message is taken', async () => {
  const project = await newProject();
  const server = spawn(process.execPath, [CLI, 'mcp'], { cwd: project.root, env: project.env });
  const ended = once(server, 'close');
  let printed = '';
  server.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  server.stdin.end([`[${initialize}]`, '{"jsonrpc":"2.0","id":1,"meth', initialize, '{"jsonrpc"'].join('\n'));
  await ended;
  const answers = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  expect(answers.filter(({ error }) => error).map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32600],
    [null, -32700],
    [null, -32700],
  ]);
});

describe('the code of an invitation, given to a command', () => {
  const CODE = 'ABCD-EFGH-JKMN-PQRS';

  it.each([
    [['respond', 'ana'], { COUNCIL_TOKEN: CODE }],
    [['view', 'ana'], { COUNCIL_TOKEN: `https://council.example/join#${CODE}` }],
    [['open', CODE], {}],
    [['join', CODE], {}],
    [['show', `https://council.example/join?to=x#${CODE}`], {}],
  ])('%j %j is answered with what to do', async (args, env: Record<string, string>) => {
    const project = await projectWith('ana', 'bob');
    await project.council(['start', 'Which?', '--agents', 'ana,bob', '--identity', 'token']);
    const { code, stderr } = await project.council(args, { env, input: 'x' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('type the code at /join of the server');
    expect(stderr).toContain('council token create --role participant');
  });

  it('is nothing that a name of a council looks like', async () => {
    const project = await projectWith('ana');
    const { stderr } = await project.council(['status', '--name', 'blue-card-four-more']);
    expect(stderr).not.toContain('/join');
  });
});
