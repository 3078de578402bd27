import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../../src/core/agents/agent.ts';
import { createAcpRunner } from '../../../../src/core/agents/runners/acp.ts';
import type {
  SpeakRequest,
  SpeakResult,
  ToolServer,
} from '../../../../src/core/agents/runners/turn-types.ts';
import { ACP_PROGRAMS, acpProgram } from '../../../contracts/acp-programs.ts';
import { harness, isRunning } from '../../../contracts/runner-harness.ts';
import { runnerContract } from '../../../contracts/runner.ts';
import { IS_SHORT } from '../../../helpers/long.ts';

// The contract is played on the runner of commands; what is the protocol's own is played below.
if (!IS_SHORT) runnerContract('the acp runner', createAcpRunner, ACP_PROGRAMS);

describe('the acp runner', () => {
  const { folder, agent, speak } = harness(createAcpRunner, ACP_PROGRAMS);
  let count = 0;

  /** Runs an agent whose program is `code`. */
  const play = (
    code: string,
    more: Partial<Agent> = {},
    request: Partial<SpeakRequest> = {},
  ): Promise<SpeakResult> => {
    const file = join(folder, `agent-${++count}.mjs`);
    writeFileSync(file, code);
    return speak(agent('answers', { command: [process.execPath, file], ...more }), request);
  };
  const SHOW_SESSION = `const { cwd, mcpServers } = turn.session;
    await turn.say(JSON.stringify({ cwd, mcpServers, model: turn.model, text: turn.text }));`;
  const shown = (result: SpeakResult) => JSON.parse(result.output.toString()) as Record<string, unknown>;

  it('puts the persona above the prompt, and hands folder and tool servers over as they are', async () => {
    const toolServers: ToolServer[] = [
      {
        name: 'council',
        command: ['/bin/node', '/x y/council.js', 'mcp', '--as', 'ana'],
        env: { COUNCIL_TOKEN: 't=1' },
      },
      { name: 'bare', command: ['tool'], env: {} },
    ];
    const result = await play(acpProgram(SHOW_SESSION), {}, { system: 'You are Ana.', toolServers });
    expect(shown(result)).toEqual({
      cwd: folder,
      mcpServers: [
        {
          name: 'council',
          command: '/bin/node',
          args: ['/x y/council.js', 'mcp', '--as', 'ana'],
          env: [{ name: 'COUNCIL_TOKEN', value: 't=1' }],
        },
        { name: 'bare', command: 'tool', args: [], env: [] },
      ],
      model: null,
      text: 'You are Ana.\n\nthe prompt',
    });
  });

  it('sends nothing before the group is recorded', async () => {
    const code = `import { writeFileSync } from 'node:fs';
      process.stdin.once('data', () => { writeFileSync('heard', ''); process.exit(3); });
      writeFileSync('listening', '');`;
    const result = await play(
      code,
      {},
      {
        onSpawn: async (pid) => {
          expect(isRunning(-pid)).toBe(true);
          await expect.poll(() => existsSync(join(folder, 'listening'))).toBe(true);
          // Long enough for a program that was told too early.
          await delay(150);
          expect(existsSync(join(folder, 'heard'))).toBe(false);
        },
      },
    );
    expect(result).toMatchObject({ ok: false, exitCode: 3 });
    expect(existsSync(join(folder, 'heard'))).toBe(true);
  });

  it('takes messages to the user only', async () => {
    const result = await play(
      acpProgram(`const content = (text) => ({ type: 'text', text });
        await turn.update({ sessionUpdate: 'agent_thought_chunk', content: content('thinking ') });
        await turn.update({ sessionUpdate: 'user_message_chunk', content: content('echo ') });
        await turn.update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'read' });
        await turn.update({ sessionUpdate: 'from_the_future', anything: true });
        await turn.say('One, '); await turn.say('two.');
        await turn.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '', mimeType: 'image/png' } });`),
    );
    expect(result).toMatchObject({ ok: true, failure: null, usage: null });
    expect(result.output.toString()).toBe('One, two.');
  });

  it.each([
    ['refuse', ['allow_always', 'reject_always', 'allow_once', 'reject_once'], 'option-reject_once'],
    ['refuse', ['allow_once', 'allow_always'], 'cancelled'],
    ['allow', ['reject_once', 'allow_always', 'allow_once'], 'option-allow_once'],
  ] as const)('answers permissions by policy: %s of %o', async (permissions, kinds, chosen) => {
    const body = `await turn.say(await turn.ask(${JSON.stringify(kinds)}));`;
    const result = await play(acpProgram(body), { permissions });
    expect(result.output.toString()).toBe(chosen);
  });

  it('offers neither files nor terminals', async () => {
    const body = `await turn.client.request('fs/read_text_file', { sessionId: 's', path: '/etc/passwd' })
      .catch((error) => turn.say(String(error.code)));`;
    expect((await play(acpProgram(body))).output.toString()).toBe('-32601');
  });

  it('reads files of the project for an agent where the council allows that, and no others', async () => {
    mkdirSync(join(folder, 'notes'), { recursive: true });
    writeFileSync(join(folder, 'notes/a.md'), 'one\ntwo\nthree\n');
    writeFileSync(join(folder, '..', 'acp-outside.md'), 'outside');
    symlinkSync(join(folder, '..', 'acp-outside.md'), join(folder, 'notes/link.md'));
    const body = `
      const read = (path, more = {}) => turn.client
        .request('fs/read_text_file', { sessionId: 's', path, ...more })
        .then(({ content }) => content, (error) => String(error.code));
      const { cwd } = turn.session;
      const said = [];
      said.push(await read(cwd + '/notes/a.md'), await read(cwd + '/notes/a.md', { line: 2, limit: 1 }));
      for (const path of ['/etc/passwd', cwd + '/../acp-outside.md', cwd + '/notes/link.md', 'notes/a.md', cwd + '/notes', '/dev/zero'])
        said.push(await read(path));
      said.push(await turn.client.request('fs/write_text_file', { sessionId: 's', path: cwd + '/new', content: 'x' }).catch((error) => String(error.code)));
      await turn.say(JSON.stringify(said));`;
    const result = await play(acpProgram(body), {}, { reads: true });
    rmSync(join(folder, '..', 'acp-outside.md'));
    expect(JSON.parse(result.output.toString())).toEqual([
      ...['one\ntwo\nthree\n', 'two'],
      ...Array.from({ length: 6 }, () => '-32002'),
      '-32601',
    ]);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  it.each([
    ['read', ['notes/a.md'], 'option-allow_once'],
    ['search', ['notes'], 'option-allow_once'],
    ['read', ['notes/a.md', '/etc/passwd'], 'option-reject_once'],
    ['read', [], 'option-reject_once'],
    ['edit', ['notes/a.md'], 'option-reject_once'],
    ['execute', ['notes'], 'option-reject_once'],
  ])('lets an agent that may read %s %o: %s', async (kind, paths, chosen) => {
    mkdirSync(join(folder, 'notes'), { recursive: true });
    writeFileSync(join(folder, 'notes/a.md'), 'one\n');
    const body = `const locations = ${JSON.stringify(paths)}.map((path) => ({ path: path.startsWith('/') ? path : turn.session.cwd + '/' + path }));
      await turn.say(await turn.ask(['allow_once', 'reject_once'], { kind: '${kind}', locations }));`;
    expect((await play(acpProgram(body), {}, { reads: true })).output.toString()).toBe(chosen);
    expect((await play(acpProgram(body))).output.toString()).toBe('option-reject_once');
  });

  it.each([
    ['refusal', 'refusal', 'stop reason refusal'],
    ['max_tokens', 'limit', 'stop reason max_tokens'],
    ['max_turn_requests', 'limit', 'stop reason max_turn_requests'],
    ['cancelled', 'failed', 'its turn did not end: stop reason cancelled'],
  ])('knows the stop reason %s', async (stop, failure, reason) => {
    const result = await play(acpProgram(`await turn.say('half'); return '${stop}';`));
    expect(result).toMatchObject({ ok: false, failure, reason, cancelled: false });
  });

  it('says how to log in', async () => {
    const script = `{ loggedOut: true, initialized: { authMethods: [{ id: 'x', name: 'Login', description: 'Run fake login' }] } }`;
    const result = await play(acpProgram('', script));
    expect(result).toMatchObject({ ok: false, failure: 'config' });
    expect(result.reason).toMatch(/^it is not logged in: .*\(Run fake login\).*Authentication required/);
  });

  it('logs in by itself where the agent takes a key out of its environment, and only then', async () => {
    const methods = `[{ id: 'chat', name: 'Chat' }, { id: 'api-key', name: 'Key', _meta: { 'api-key': {} } }]`;
    const code = acpProgram(
      `await turn.say('in');`,
      `{ loggedOut: true, initialized: { authMethods: ${methods} } }`,
    );
    const env = { ...process.env, DECLARED: 'hunter2!' };
    const result = await play(code, { env: ['DECLARED'] }, { env });
    expect(result.output.toString()).toBe('in');
    expect(await play(code, { env: ['UNSET'] }, { env })).toMatchObject({ ok: false, failure: 'config' });
  });

  it.each([
    ['the provider said no', 'failed'],
    ['429 Too Many Requests', 'rate-limit'],
    ['401 invalid api key', 'config'],
  ])('takes the error %j for %s', async (message, failure) => {
    const result = await play(
      acpProgram(
        `throw new Error('${message}, \${process.env.DECLARED}'.replace('\${process.env.DECLARED}', process.env.DECLARED));`,
      ),
      { env: ['DECLARED'] },
      {
        env: { ...process.env, DECLARED: 'hunter2!' },
      },
    );
    expect(result).toMatchObject({ ok: false, failure, timedOut: false });
    expect(result.reason).toContain(`${message}, [redacted]`);
  });

  it('says what a program printed that is no agent', async () => {
    const talks = await play(`console.log('Welcome to fake 1.0!'); console.log('{"log":1}');`);
    expect(talks).toMatchObject({ ok: false, failure: 'failed', exitCode: 0 });
    expect(talks.reason).toBe('it ended without an answer; it printed "Welcome to fake 1.0!"');
    const stays = await play(`setInterval(() => console.log('[1,2]'), 20);`, { timeout: 1000 });
    expect(stays).toMatchObject({ timedOut: true, failure: 'timeout' });
  });

  it.each([
    ['{ initialized: { protocolVersion: "one" } }', 'config', 'it wants version "one"'],
    ['{ opened: { sessionId: 7, configOptions: 3 } }', 'failed', 'it opened a session without an id'],
    ['{ ended: { stopReason: "whim" } }', 'failed', 'stop reason whim'],
  ])('does not trust what an agent answers: %s', async (script, failure, reason) => {
    const wrong = await play(acpProgram('', script));
    expect(wrong).toMatchObject({ ok: false, failure });
    expect(wrong.reason).toContain(reason);
  });

  it('does not mind greetings on stdout', async () => {
    const result = await play(
      `console.log('Loaded cached credentials.');\n${acpProgram(`await turn.say('fine');`)}`,
    );
    expect(result.output.toString()).toBe('fine');
  });

  it('says that the agent died in the middle of its answer', async () => {
    const body = `await turn.say('I think that'); console.error('out of memory'); process.exit(7);`;
    const result = await play(acpProgram(body));
    expect(result).toMatchObject({
      ok: false,
      failure: 'failed',
      exitCode: 7,
      reason: 'exit code 7: out of memory',
    });
  });

  it('ends an agent that falls silent, not one that goes on', async () => {
    const steady = acpProgram(`for (let i = 0; i < 25; i++) {
        await new Promise((go) => setTimeout(go, 200));
        await turn.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
      }
      await turn.say('done');`);
    const [quiet, other] = await Promise.all([
      play(ACP_PROGRAMS.hangs, { inactivity: 1000 }),
      play(steady, { inactivity: 4000 }),
    ]);
    expect(quiet).toMatchObject({ ok: false, timedOut: true, failure: 'timeout' });
    expect(quiet.reason).toBe('printed nothing for 1s');
    expect(other).toMatchObject({ ok: true });
  });

  it('refuses a version of the protocol that it does not speak', async () => {
    const result = await play(acpProgram('', '{ initialized: { protocolVersion: 99 } }'));
    expect(result).toMatchObject({ ok: false, failure: 'config' });
    expect(result.reason).toBe('it wants version 99 of the Agent Client Protocol, council speaks 1');
  });

  describe('choosing a model', () => {
    const OPTION = `{ opened: { configOptions: [{ id: 'model-id', name: 'Model', category: 'model', type: 'select', currentValue: 'a/one',
      options: [{ group: 'a', name: 'A', options: [{ value: 'a/one', name: 'One' }] }, { group: 'b', name: 'B', options: [{ value: 'b/two', name: 'Two' }] }] }] } }`;
    const OLDER = `{ opened: { models: { currentModelId: 'one', availableModels: [{ modelId: 'one', name: 'One' }, { modelId: 'two', name: 'Two' }] } } }`;

    it.each([
      ['a configuration option', OPTION, 'b/two', 'model-id=b/two'],
      ['a configuration option by its short name', OPTION, 'two', 'model-id=b/two'],
      ['the way of older agents', OLDER, 'two', 'two'],
      ['nothing when it is chosen already', OPTION, 'a/one', null],
      ['nothing when the file says so', OPTION, 'inherit', null],
      ['nothing when there is no choice', '{}', 'two', null],
    ])('uses %s', async (_, script, model, chosen) => {
      expect(shown(await play(acpProgram(SHOW_SESSION, script), { model })).model).toBe(chosen);
    });

    it.each([
      [OPTION, 'a/one, b/two'],
      [OLDER, 'one, two'],
    ])('names the models there are', async (script, known) => {
      const result = await play(acpProgram(SHOW_SESSION, script), { model: 'three' });
      expect(result).toMatchObject({ ok: false, failure: 'config' });
      expect(result.reason).toBe(`it has no model "three": it offers ${known}`);
    });
  });

  it.each([
    [`{ ended: { usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } } }`, 10, 2, null],
    [
      `{ ended: { usage: { inputTokens: 10, cachedReadTokens: 5, cachedWriteTokens: 3, outputTokens: 2, totalTokens: 20 } } }`,
      ...[18, 2, null, 5],
    ],
    [
      `{ ended: { usage: { inputTokens: 10, cachedReadTokens: 5, outputTokens: 2, totalTokens: 12 } } }`,
      ...[10, 2, null, 5],
    ],
    [`{ ended: { _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } } }`, 7, 3, null],
    ['{}', null, null, 0.25],
  ])('reads what was used up: %s', async (script, inputTokens, outputTokens, costUsd, cachedTokens) => {
    const cost = `await turn.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } });`;
    const result = await play(acpProgram(`${costUsd === null ? '' : cost} await turn.say('x');`, script));
    expect(result.usage).toEqual({ model: null, inputTokens, cachedTokens, outputTokens, costUsd });
  });
});
