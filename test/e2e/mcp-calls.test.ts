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

it('no refusal speaks of flags, files or stdin, which a client does not have', async () => {
  const project = await projectWith('ana', 'bob');
  await project.council(['start', 'Where?', '--name', 'where']);
  const client = await overStdio('v2', project);
  // These take their time where nothing is wrong.
  const slow = ['ask', 'tick', 'verdict', 'continue'];
  const tools = (await client.tools()).map(({ name }) => name).filter((name) => !slow.includes(name));
  for (const input of [{}, { agent: 'ana', text: ' ' }, { agent: 'eve', text: 'x' }, { name: 'nowhere' }])
    for (const name of tools) {
      const { json, isError } = await client.call(name, input);
      if (isError) expect(JSON.stringify(json), name).not.toMatch(/--[a-z]|stdin|FILE/);
    }
  await client.close();
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
  const server = spawn(process.execPath, [CLI, 'mcp', '--tools', 'all'], {
    cwd: project.root,
    env: project.env,
  });
  const ended = once(server, 'close');
  let printed = '';
  server.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const call = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'archives' } });
  server.stdin.end(
    [`[${initialize}]`, '{"jsonrpc":"2.0","id":1,"meth', initialize, call, '{"jsonrpc"'].join('\n'),
  );
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
  // What was asked before the input ended is answered.
  expect(answers.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]));
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

describe('what a tool gives at once', () => {
  interface Page {
    messages: { text: string; code: string | null; cut?: { code: { length: number; cursor: string } } }[];
    versions: { revision: number }[];
    nextCursor?: string;
  }

  it('stays within what a client takes, and the rest is found by its cursor', async () => {
    const project = await projectWith('ana', 'bob');
    const client = await overStdio('v2', project);
    const code = 'lorem ipsum dolor sit amet. '.repeat(3600);
    for (const text of ['one', 'two', 'three'])
      await client.call('send', { from: 'bob', to: 'ana', text, code });
    const first = await client.call<Page>('inbox', { agent: 'ana', limit: 2 });
    expect(first.json.messages.map(({ text }) => text)).toEqual(['two', 'three']);
    const cut = first.json.messages[1]!.cut!.code;
    expect(cut.length).toBe(code.length);
    const rest = await client.call<Page>('inbox', { agent: 'ana', cursor: cut.cursor });
    const begun = first.json.messages[1]!.code!;
    expect(code.slice(begun.length).startsWith(rest.json.messages[0]!.code!)).toBe(true);
    const second = await client.call<Page>('inbox', {
      agent: 'ana',
      limit: 2,
      cursor: first.json.nextCursor,
    });
    expect(second.json).toMatchObject({ messages: [{ text: 'one' }] });
    expect(second.json.nextCursor).toBeUndefined();
    for (const { text, json } of [first, second, rest])
      expect(text.length + JSON.stringify(json).length).toBeLessThan(70_000);
    expect(await client.call('inbox', { agent: 'ana', cursor: 'nonsense' })).toMatchObject({ isError: true });
    await client.close();
  });

  it('is a view or an archive page by page, which says so', async () => {
    const project = await projectWith('ana', 'bob', 'cleo');
    await project.council([
      'start',
      'Which?',
      '--agents',
      'ana,bob',
      '--coordinator',
      'cleo',
      '--mode',
      'synthesis',
      '--name',
      'long',
    ]);
    const client = await overStdio('v2', project);
    const words = (who: string) =>
      Array.from({ length: 900 }, (_, at) => `${who} says in point ${at} that it has to be weighed.`).join(
        '\n\n',
      );
    for (const agent of ['ana', 'bob'])
      await client.call('respond', { agent, name: 'long', text: words(agent), agree: true });
    const revisions = await client.call<Page>('history', { name: 'long', limit: 2 });
    expect(revisions.json.versions.map(({ revision }) => revision)).toEqual([2, 3]);
    expect(revisions.json.nextCursor).toEqual(expect.any(String));
    // The other's text opens when the round closes.
    await project.council(['tick', '--name', 'long']);
    const turn = { agent: 'cleo', name: 'long' };
    const views = await readPages(client, 'view', turn);
    expect(views.length).toBeGreaterThan(1);
    for (const who of ['Participant A', 'Participant B'])
      for (const at of [0, 450, 899]) expect(views.join('\n')).toContain(`${who} says in point ${at} that`);
    expect(await client.call('view', { ...turn, cursor: '99' })).toMatchObject({ isError: true });
    await project.council(['cancel', '--why', 'enough', '--name', 'long']);
    const [{ id }] = (await client.call<{ archives: [{ id: string }] }>('list')).json.archives;
    const pages = await readPages(client, 'show', { archive: id });
    expect(pages.length).toBeGreaterThan(1);
    for (const who of ['ana', 'bob'])
      for (const at of [0, 450, 899]) expect(pages.join('\n')).toContain(`${who} says in point ${at} that`);
    expect((await client.call('show', { archive: id })).text).toBe(pages[0]);
    expect(await client.call('show', { archive: id, cursor: '99' })).toMatchObject({ isError: true });
    await client.close();
  });
});

/** All pages of a long text, as a client reads them. */
async function readPages(
  client: Awaited<ReturnType<typeof overStdio>>,
  tool: string,
  given: Record<string, unknown>,
): Promise<string[]> {
  const pages = [];
  for (let cursor: string | undefined = '1'; cursor !== undefined;) {
    const { text, json }: { text: string; json: unknown } = await client.call(tool, { ...given, cursor });
    expect(json).toBeUndefined();
    expect(text.length).toBeLessThan(50_000);
    pages.push(text);
    cursor = new RegExp(`^Page \\d+ of \\d+\\. Call ${tool} again with the cursor "(\\d+)"`).exec(text)?.[1];
  }
  return pages;
}
