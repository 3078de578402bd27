import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import type { Agent } from '../../../../src/core/agents/agent.ts';
import { createPresetRunner, createRunner } from '../../../../src/core/agents/runners/runner.ts';
import type { Preset } from '../../../../src/core/agents/runners/presets/preset.ts';
import type { SpeakRequest, SpeakResult } from '../../../../src/core/agents/runners/turn-types.ts';
import { isRunning } from '../../../contracts/runner-harness.ts';
import { runnerContract } from '../../../contracts/runner.ts';

/** A preset that adds nothing: what is left is the runner itself. */
const bare: Preset = {
  program: 'node',
  install: '',
  login: '',
  secrets: [],
  settings: [],
  plan: ({ input }) => ({ args: [], input }),
  shape: { rules: [] },
};

runnerContract('the preset runner', () => createPresetRunner(bare));

describe('a preset with a program that plays it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'council-preset-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const groups: number[] = [];
  afterEach(async () => {
    for (const group of groups.splice(0)) {
      await expect.poll(() => isRunning(-group)).toBe(false);
    }
  });

  const program = (code: string): string => {
    const path = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
    writeFileSync(path, code);
    return path;
  };
  const agentOf = (runner: string, code: string, more: Partial<Agent> = {}): Agent => ({
    ...parseAgent(`---\ncouncil: { runner: ${runner} }\n---\n`, 'agents/ada.md', 'project'),
    command: [process.execPath, program(code)],
    ...more,
  });
  const speak = (agent: Agent, more: Partial<SpeakRequest> = {}): Promise<SpeakResult> =>
    createRunner(agent).speak({
      agent,
      input: 'the prompt',
      system: 'You are Ada.',
      turn: null,
      toolServers: [],
      cwd: folder,
      env: process.env,
      extraEnv: {},
      signal: new AbortController().signal,
      onSpawn: async (pid) => void groups.push(pid),
      ...more,
    });
  /** Prints the report of a turn whose answer is what this code gives. */
  const claudePrints = (answer: string): string =>
    `console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: ${answer} }));`;

  it('finds its persona in a file of its own, which is gone afterwards', async () => {
    const code = `import { readFileSync, statSync } from 'node:fs';
      const path = process.argv[process.argv.indexOf('--system-prompt-file') + 1];
      const seen = { path, persona: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777, cwd: process.cwd() };
      ${claudePrints('JSON.stringify(seen)')}`;
    const { output, ok } = await speak(agentOf('claude', code));
    expect(ok).toBe(true);
    const seen = JSON.parse(output.toString()) as {
      path: string;
      persona: string;
      mode: number;
      cwd: string;
    };
    expect(seen).toMatchObject({ persona: 'You are Ada.', mode: 0o600, cwd: folder });
    expect(seen.path.startsWith(folder)).toBe(false);
    expect(() => statSync(seen.path)).toThrow('ENOENT');
    expect(readdirSync(folder).filter((name) => !name.endsWith('.mjs'))).toEqual([]);
  });

  it('is not waited for once its report is complete, and is ended', async () => {
    const hangs = `setInterval(() => {}, 1000);`;
    const agent = agentOf('claude', `${claudePrints("'Buy it.'")} ${hangs}`, { timeout: 60_000 });
    const result = await speak(agent, { exitWithin: 100 });
    expect(result).toMatchObject({ ok: true, timedOut: false, exitCode: 0, signal: null });
    expect(result.output.toString()).toBe('Buy it.');
    expect(result.durationMs).toBeLessThan(50_000);
    // A failure that it reports ends the wait as well; words that are no report do not.
    const failing = `console.log(JSON.stringify({ type: 'result', is_error: true, result: 'API Error: 500' })); ${hangs}`;
    expect(await speak(agentOf('claude', failing), { exitWithin: 100 })).toMatchObject({
      ok: false,
      timedOut: false,
      reason: 'API Error: 500',
    });
    const talks = `console.log('{"type":"system"}'); ${hangs}`;
    const late = await speak(agentOf('claude', talks, { timeout: 1500 }), { exitWithin: 100 });
    expect(late).toMatchObject({ ok: false, timedOut: true, failure: 'timeout' });
  });

  it('counts with its answer when its time is up behind its report', async () => {
    const code = `${claudePrints("'Buy it.'")} setInterval(() => {}, 1000);`;
    const result = await speak(agentOf('claude', code, { timeout: 1500 }), { exitWithin: 60_000 });
    expect(result).toMatchObject({ ok: true, timedOut: false });
  });

  it('may go on after a report: then the last word counts', async () => {
    const code = `import { setTimeout } from 'node:timers/promises';
      const step = (reason, text) => console.log(JSON.stringify({ type: 'text', part: { text } }) + '\\n' + JSON.stringify({ type: 'step_finish', part: { reason } }));
      step('stop', 'First.'); await setTimeout(600); console.log('{"type":"step_start"}'); step('stop', 'Second.');`;
    const result = await speak(agentOf('opencode', code));
    expect({ ok: result.ok, said: result.output.toString() }).toEqual({ ok: true, said: 'Second.' });
  });

  it('removes the persona also when the program has to be killed', async () => {
    const note = join(folder, 'note.mjs');
    const code = `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(note)}, process.argv[process.argv.indexOf('--system-prompt-file') + 1]);
      process.on('SIGTERM', () => {}); console.log('x'); setInterval(() => {}, 1000);`;
    const abort = new AbortController();
    const result = await speak(agentOf('claude', code), {
      signal: abort.signal,
      onOutput: () => abort.abort(),
    });
    expect(result).toMatchObject({ cancelled: true, failure: 'cancelled', signal: 'SIGKILL' });
    expect(() => statSync(readFileSync(note, 'utf8'))).toThrow('ENOENT');
  });

  it('passes its login and settings, and no secret that it did not name', async () => {
    const code = claudePrints('JSON.stringify(process.env)');
    const env = {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'key-1234',
      CLAUDE_CONFIG_DIR: '/c',
      OPENAI_API_KEY: 'another',
      SENTINEL: 'leak',
      XDG_STATE_HOME: '/sealed',
      MINE: 'yes',
    };
    const { output } = await speak(agentOf('claude', code, { env: ['MINE'] }), { env });
    expect(JSON.parse(output.toString())).toEqual({
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'key-1234',
      CLAUDE_CONFIG_DIR: '/c',
      CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1',
      CLAUDE_CODE_MAX_RETRIES: '2',
      XDG_STATE_HOME: '/sealed',
      MINE: 'yes',
    });
  });

  it('never shows its key, wherever the program prints it', async () => {
    const code = `console.error('using ' + process.env.ANTHROPIC_API_KEY);
      console.log(JSON.stringify({ type: 'result', is_error: true, result: 'bad key ' + process.env.ANTHROPIC_API_KEY, api_error_status: 401 })); process.exitCode = 1;`;
    const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'hunter2-hunter2' };
    const result = await speak(agentOf('claude', code), { env });
    expect(result).toMatchObject({ failure: 'config', reason: 'bad key [redacted]' });
    expect(result.stderrTail).toBe('using [redacted]\n');
  });

  it('reports a rate limit, and the answer of the next attempt', async () => {
    const state = join(folder, 'tried.mjs');
    const code = `import { existsSync, writeFileSync } from 'node:fs';
      if (existsSync(${JSON.stringify(state)})) { ${claudePrints("'Buy it.'")} }
      else { writeFileSync(${JSON.stringify(state)}, '');
        console.log(JSON.stringify({ type: 'result', is_error: true, result: 'API Error: 429. Please try again in 1.5s.', api_error_status: 429 })); process.exitCode = 1; }`;
    const agent = agentOf('claude', code);
    expect(await speak(agent)).toMatchObject({ ok: false, failure: 'rate-limit', retryAfterMs: 1500 });
    const second = await speak(agent);
    expect(second).toMatchObject({ ok: true, failure: null, retryAfterMs: null });
    expect(second.output.toString()).toBe('Buy it.');
  });

  it.each([
    [
      'exits 1 with JSON on stderr',
      `console.error('{"error":"boom"}'); process.exitCode = 1;`,
      'exit code 1: {"error":"boom"}',
    ],
    ['prints nothing', ``, 'printed nothing'],
    ['prints something else', `console.log('{"kind":"final","words":"Hello."}');`, '"words":"Hello."'],
    [
      'prints no UTF-8',
      `process.stdout.write(Buffer.from('{"result":"\\xff"}', 'latin1'));`,
      'its turn did not end',
    ],
    ['answers with nothing', claudePrints("' '"), 'printed nothing'],
  ])('fails when the program %s', async (_, code, reason) => {
    const result = await speak(agentOf('claude', code));
    expect(result.ok).toBe(false);
    expect(result.reason).toContain(reason);
  });

  it('holds the limit of an answer that is within the limit of the raw output', async () => {
    const result = await speak(agentOf('claude', claudePrints("'x'.repeat(2000)")), {
      maxOutput: 1000,
    });
    expect(result).toMatchObject({ ok: false, truncated: true, reason: 'output exceeds 1000 bytes' });
    expect(result.output.length).toBe(1000);
  });

  it('says what to add when the agent file lacks something', async () => {
    const result = await speak(agentOf('ollama', ''), {
      onSpawn: () => Promise.reject(new Error('launched')),
    });
    expect(result).toMatchObject({ ok: false, failure: 'config' });
    expect(result.reason).toContain('ollama needs a model');
  });

  it('says when the program is not installed', async () => {
    const agent = { ...agentOf('codex', ''), command: [] };
    const result = await speak(agent, { env: { PATH: '/nowhere' } });
    expect(result).toMatchObject({ failure: 'config', reason: '"codex" was not found on PATH' });
  });
});
