import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAnonymousLabels } from '../../src/core/council/naming/labels.ts';
import { canary, secretsOf } from '../helpers/canary.ts';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Responded, Started, Ticked } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { listening, overHttp, overStdio, post } from '../helpers/mcp.ts';
import type { Connected } from '../helpers/mcp.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';

type Tokens = Record<string, string>;
type WithTokens = Started & { tokens?: Tokens };

async function guarded(
  people: string[],
  ...args: string[]
): Promise<{ project: Project; tokens: Tokens; started: WithTokens }> {
  const project = await newProject();
  for (const id of people) addAgent(project, id);
  const run = await project.council<WithTokens>([
    'start',
    'Who?',
    '--identity',
    'token',
    '--timeout',
    '1h',
    '--json',
    ...args,
  ]);
  expect(run.code).toBe(0);
  return { project, tokens: run.json.tokens ?? {}, started: run.json };
}

const privateToken = (project: Project, { conversationId }: Started, id: string): string =>
  fs.readFileSync(join(project.privateDir, conversationId, `token-${id}`), 'utf8');

describe('fault 17: who is who in an anonymous council', () => {
  it('is in nothing that a bound participant hears, and labels hang on nothing that is shown', async () => {
    const ids = 'ana bob cem dan eve fay gil hal'.split(' ');
    const { project, tokens, started } = await guarded(ids);
    const { conversationId } = started;
    const said: string[] = [];
    const server = await listening(project);
    const clients = [
      await overHttp('v2', server.url, tokens.ana!),
      await overStdio('v2', project, { COUNCIL_TOKEN: tokens.ana! }),
    ];
    const [client] = clients;
    for (const one of clients)
      for (const [tool, args] of [
        ['respond', { text: 'ana says' }],
        ['respond', { text: 'ana says more' }],
        ['respond', { text: 'x', agent: 'bob' }],
        ['view', {}],
        ['list', {}],
        ['search', { query: 'ana' }],
        ['show', { archive: 'active-conversation' }],
      ] as const)
        said.push(JSON.stringify(await one.call(tool, args)));
    const refused = await client!.call<Responded>('respond', { text: 'ana says more' });
    expect(refused.json.kept).toMatch(/^kept-ana-COLLECT-1-[0-9a-f]{16}$/);
    const env = { COUNCIL_TOKEN: tokens.ana };
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await project.council(['respond', 'ana', ...json], { input: 'else', env });
      expect(stdout + stderr).toMatch(/kept-ana-COLLECT-1-/);
      said.push(stdout, stderr);
    }
    for (const id of ids.slice(1)) {
      const own = { COUNCIL_TOKEN: tokens[id] };
      said.push(
        (await project.council(['respond', id, '--json'], { input: `text ${ids.indexOf(id)}`, env: own }))
          .stdout,
      );
    }
    await project.council(['tick', '--no-launch']);
    const late = await client!.call<Responded>('respond', { text: 'ana says more' });
    const viewed = await client!.call('view');
    said.push(JSON.stringify(late), JSON.stringify(viewed));
    await Promise.all(clients.map((one) => one.close()));
    await server.stop();
    for (const text of said) expect(text).not.toContain(conversationId);

    const claims = viewed.text.matchAll(/^@([a-z])\.1 text (\d)$/gm);
    const seen = new Map(
      [...claims].map(([, letter, at]) => [ids[Number(at)]!, `Participant ${letter!.toUpperCase()}`]),
    );
    expect(seen.size).toBe(7);
    const [, labelSeed = ''] =
      /"labelSeed": ?"([0-9a-f]{32})"/.exec(
        project.read('memory/shared/council-active-conversation.md').toString(),
      ) ?? [];
    expect(labelSeed).not.toBe('');
    const guessed = createAnonymousLabels({ conversationId, order: ids, lang: 'en' });
    const right = [...seen].filter(([id, label]) => guessed.get(id) === label);
    expect(right.length).toBeLessThan(7);
    for (const args of [
      ['status', '--json'],
      ['history', '--json'],
      ['view', 'ana', '--json'],
    ])
      expect((await project.council(args, { env })).stdout).not.toContain(labelSeed);

    // The archive tells who stood behind the labels that were seen.
    const { json } = await project.council<{ archive: string }>(['cancel', '--why', 'enough', '--json']);
    const archive = project.read(json.archive).toString();
    for (const [id, label] of seen) expect(archive).toMatch(new RegExp(`${label} is [^,.]*${id}`, 'i'));
  }, 300_000);
});

describe('a council with --identity token', () => {
  it('shows the tokens of people once, and keeps hashes', async () => {
    const { project, tokens, started } = await guarded(['ana', 'bob', 'maman'], '--coordinator', 'maman');
    expect(Object.keys(tokens).sort()).toEqual(['ana', 'bob', 'maman']);
    const state = await stateOf(project);
    expect(state).toMatchObject({ identity: 'token', change: { actor: expect.stringMatching(/ via cli$/) } });
    for (const [id, token] of Object.entries(tokens)) {
      expect(privateToken(project, started, id)).toBe(token);
      expect(fs.statSync(join(project.privateDir, started.conversationId, `token-${id}`)).mode & 0o077).toBe(
        0,
      );
    }
    const secrets = secretsOf(Object.values(tokens));
    await project.council(['respond', 'ana'], { input: 'Hi.', env: { COUNCIL_TOKEN: tokens.ana } });
    for (const args of [
      ['status'],
      ['status', '--json'],
      ['history'],
      ['history', '--json'],
      ['tick', '--json'],
      ['ledger', '--json'],
      ['metrics', '--json'],
      ['restore', '1', '--json'],
      ['cancel', '--why', 'enough', '--json'],
      ['list', '--json'],
      ['show', started.conversationId, '--json'],
      ['export', started.conversationId],
    ]) {
      const run = await project.council(args);
      expect({ args, code: run.code, found: secrets.in(run.raw) }).toEqual({ args, code: 0, found: [] });
    }
    expect(secrets.inFiles(project.root)).toEqual([]);
  });

  it('prints them for people without --json, and leaves nothing behind for a name that is taken', async () => {
    const { project } = await guarded(['ana']);
    const before = filesIn(project.privateDir);
    const again = await project.council(['start', 'Who?', '--identity', 'token']);
    expect(again).toMatchObject({ code: 1 });
    expect(filesIn(project.privateDir)).toEqual(before);
    const plain = await project.council(['start', 'Who?', '--identity', 'token', '--name', 'second']);
    expect(plain.stdout).toMatch(/Token of ana, shown once: COUNCIL_TOKEN=council_[\w-]{43}\n/);
    expect((await project.council(['start', 'Who?', '--identity', 'none', '--name', 'third'])).code).toBe(2);
  });

  it('lets nobody respond or look without the right token, on the command line', async () => {
    const { project, tokens } = await guarded(['ana', 'bob']);
    const other = await project.council<WithTokens>([
      'start',
      'Another?',
      '--identity',
      'token',
      '--name',
      'other',
      '--json',
    ]);
    const refused = [undefined, '', 'council_wrong', tokens.bob, other.json.tokens!.ana];
    const word = canary();
    for (const token of refused) {
      const env = { COUNCIL_TOKEN: token, COUNCIL_NAME: 'active-conversation' };
      const view = await project.council<Failed>(['view', 'ana', '--json'], { env });
      expect({ token, code: view.code, error: view.json.error.code }).toEqual({
        token,
        code: 1,
        error: 'forbidden',
      });
      expect(view.stdout).not.toContain('Who?');
      const text = `${word} ${token}`;
      const run = await project.council<Failed>(['respond', 'ana', '--json'], { input: text, env });
      expect({ token, code: run.code, error: run.json.error.code }).toEqual({
        token,
        code: 1,
        error: 'forbidden',
      });
      const kept = (run.json.error as unknown as { kept: string }).kept;
      expect(kept.startsWith(project.privateDir)).toBe(true);
      expect(fs.readFileSync(kept, 'utf8')).toBe(text);
      expect(run.stderr + run.stdout).not.toContain(word);
    }
    expect(secretsOf([word]).inFiles(project.root)).toEqual([]);
    expect((await stateOf(project)).participants.ana).toMatchObject({ status: 'WAITING' });
    const env = { COUNCIL_TOKEN: tokens.ana, COUNCIL_NAME: 'active-conversation' };
    expect((await project.council(['view', 'ana'], { env })).stdout).toContain('Who?');
    const accepted = await project.council<Responded>(['respond', 'ana', '--json'], { input: 'Me.', env });
    expect(accepted.json).toMatchObject({ accepted: true });
  });

  it('hands each agent its own token, and records what it prints', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben']) addSpeaker(project, id, { any: { say: `${id} here` } });
    addSpeaker(project, 'maman', { any: { say: 'So be it.' } });
    const { json: started } = await project.council<WithTokens>([
      'start',
      'Who?',
      '--mode',
      'synthesis',
      '--agents',
      'ada,ben',
      '--coordinator',
      'maman',
      '--identity',
      'token',
      '--json',
    ]);
    expect(started.tokens).toEqual({});
    const ticked = await project.council<Ticked>(['tick', '--until-idle', '--json'], {
      env: { COUNCIL_TOKEN: 'of-the-operator' },
    });
    expect(ticked.json.councils[0]!.failed).toEqual([]);
    expect(launches(project).length).toBe(3);
    for (const { id, env } of launches(project))
      expect(env.COUNCIL_TOKEN).toBe(privateToken(project, started, id));
    const archive = await exported(project, ticked.json.councils[0]!.archive!);
    expect(archive.contributions.map(({ text }) => text)).toContain('ada here');
  });
});

describe('identity over the tool server', () => {
  const agents = ['ana', 'bob'];

  it('takes the token of its environment, over stdio', async () => {
    const { project, tokens } = await guarded(agents);
    for (const token of [undefined, 'council_wrong', tokens.bob!]) {
      const env = { COUNCIL_PARTICIPANT: 'ana', ...(token && { COUNCIL_TOKEN: token }) };
      const client = await overStdio('v1', project, env);
      for (const [tool, args] of [
        ['view', {}],
        ['respond', { text: 'Me.' }],
      ] as const)
        expect(await client.call(tool, args)).toMatchObject({
          isError: true,
          json: { error: { code: 'forbidden' } },
        });
      await client.close();
    }
    const client = await overStdio('v2', project, {
      COUNCIL_PARTICIPANT: 'ana',
      COUNCIL_TOKEN: tokens.ana!,
      COUNCIL_NAME: 'active-conversation',
    });
    expect((await client.call('view')).text).toContain('You are 👤 ana (ana)');
    expect((await client.call<Responded>('respond', { text: 'Me.' })).json).toMatchObject({ accepted: true });
    await client.close();
  });

  it('binds a token to its participant and its council, over HTTP', async () => {
    const { project, tokens } = await guarded(agents);
    await project.council(['start', 'Open?', '--name', 'open-one']);
    // What the server was started with stands for nobody who calls it.
    const server = await listening(project, { COUNCIL_TOKEN: tokens.bob!, COUNCIL_PARTICIPANT: 'bob' });
    expect((await post(server.url, { authorization: 'Bearer council_wrong' })).status).toBe(401);

    const bearer = { authorization: `Bearer ${server.token}` };
    const { headers } = await post(server.url, bearer);
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    // A session works with the token that opened it: with another one, or where it is over, a new one begins.
    for (const stale of [
      { authorization: `Bearer ${tokens.ana}`, ...session },
      { ...bearer, 'mcp-session-id': 'made-up' },
    ]) {
      const begun = await post(server.url, stale);
      expect(begun.status).toBe(200);
      expect(begun.headers['mcp-session-id']).toEqual(expect.any(String));
      expect(begun.headers['mcp-session-id']).not.toBe(stale['mcp-session-id']);
      expect((await post(server.url, stale, 'DELETE')).status).toBe(404);
    }
    expect((await post(server.url, { ...bearer, ...session })).status).toBe(400);
    expect((await post(server.url, session)).status).toBe(401);

    const operator = await overHttp('v2', server.url, server.token);
    const forbidden = async (client: Connected, tool: string, args = {}) =>
      expect(await client.call(tool, args)).toMatchObject({
        isError: true,
        json: { error: { code: 'forbidden' } },
      });
    await forbidden(operator, 'view', { agent: 'bob', name: 'active-conversation' });
    await forbidden(operator, 'respond', { agent: 'bob', name: 'active-conversation', text: 'x' });
    expect((await operator.call('status')).isError).toBe(false);

    const ana = await overHttp('v2 (2026-07-28)', server.url, tokens.ana!);
    expect((await ana.call('view')).text).toContain('You are 👤 ana (ana)');
    await forbidden(ana, 'view', { agent: 'bob' });
    await forbidden(ana, 'respond', { agent: 'bob', text: 'I am bob.' });
    await forbidden(ana, 'view', { agent: 'ana', name: 'open-one' });
    for (const tool of ['start', 'tick', 'status']) await forbidden(ana, tool, { topic: 'x' });
    expect((await ana.call('list')).isError).toBe(false);
    expect(await ana.resources()).toEqual([]);
    await expect(ana.read('council://active-conversation')).rejects.toThrow();
    expect(await ana.prompt('respond', {})).toContain('Who?');
    expect(await ana.prompt('respond', { agent: 'bob' })).toContain('forbidden');
    expect((await ana.call<Responded>('respond', { text: 'I am ana.' })).json).toMatchObject({
      accepted: true,
      participant: 'ana',
    });
    await project.council(['cancel', '--why', 'enough', '--name', 'active-conversation']);
    expect((await post(server.url, { authorization: `Bearer ${tokens.ana}` })).status).toBe(401);
    await Promise.all([operator.close(), ana.close()]);
    await server.stop();
  });

  it('shows nothing of the others while COLLECT is blind, and fences it afterwards', async () => {
    const { project, tokens } = await guarded(agents);
    const word = canary();
    const secrets = secretsOf([word], [`${word} is what I think.`]);
    const server = await listening(project);
    const ana = await overHttp('v1', server.url, tokens.ana!);
    const bob = await overHttp('v2 (2026-07-28)', server.url, tokens.bob!);
    const operator = await overHttp('v2', server.url, server.token);
    expect((await ana.call('respond', { text: `${word} is what I think.` })).isError).toBe(false);
    const seen = [
      await bob.call('view'),
      await bob.prompt('respond', {}),
      await operator.call('status'),
      await operator.read('council://active-conversation'),
      await operator.call('tick', { launch: false }),
      await operator.call('search', { query: word.slice(0, 8) }),
    ];
    expect(secrets.in(JSON.stringify(seen))).toEqual([]);

    await bob.call('respond', { text: 'Bob too.' });
    await operator.call('tick', { launch: false });
    const { text } = await bob.call('view');
    expect(text).toMatch(new RegExp(`BEGIN (council-text-\\w+)\\n${word} is what I think\\.\\nEND \\1`));
    await Promise.all([ana.close(), bob.close(), operator.close()]);
    await server.stop();
  });
});

describe('an open council', () => {
  it('records who acted', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Who?']);
    expect((await stateOf(project)).change.actor).toMatch(/^.+@.+ via cli$/);
    const client = await overStdio('v1', project);
    await client.call('respond', { agent: 'ana', text: 'Me.' });
    expect((await stateOf(project)).change).toMatchObject({
      action: 'respond',
      by: 'ana',
      actor: expect.stringMatching(/^.+@.+ via mcp$/),
    });
    await client.close();
    await project.council(['tick']);
    expect((await stateOf(project)).change.actor).toMatch(/ via tick$/);
  });
});
