import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import type { Agent } from '../../../../src/core/agents/agent.ts';
import { NOTHING } from '../../../../src/core/agents/runners/finished-turn.ts';
import { buildTurnResult } from '../../../../src/core/agents/runners/turn-result.ts';
import { readReport } from '../../../../src/core/agents/runners/presets/read-report.ts';
import { PROXIES } from '../../../../src/core/agents/runners/presets/programs.ts';
import type {
  Plan,
  PlanInput,
  ProgramOutput,
  ReportReading,
} from '../../../../src/core/agents/runners/presets/preset.ts';
import { presets } from '../../../../src/core/agents/runners/presets/preset-table.ts';
import type { SpeakRequest, SpeakResult } from '../../../../src/core/agents/runners/turn-types.ts';
import { PRESETS } from '../../../../src/core/agents/runner-kind.ts';
import type { PresetName } from '../../../../src/core/agents/runner-kind.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'presets');

/** What the real program printed. */
function printed(text: string): ProgramOutput {
  const { stdout, stderr, exitCode } = JSON.parse(readFileSync(join(FIXTURES, `${text}.json`), 'utf8')) as {
    stdout: string;
    stderr: string;
    exitCode: number | null;
  };
  return { stdout: Buffer.from(stdout), stderr, exitCode };
}
const readAs = (name: PresetName, printed: ProgramOutput): ReportReading =>
  readReport(presets[name].shape, printed);

/** What becomes of a launch that printed this. */
const judged = (name: PresetName, told: ProgramOutput): SpeakResult => {
  const { isOver, ...reading } = readAs(name, told);
  const isLate = told.exitCode === null && !isOver;
  return buildTurnResult(
    { agent: agentOf(name), env: {} } as unknown as SpeakRequest,
    {
      ...NOTHING,
      ...reading,
      stdout: told.stdout,
      stderr: Buffer.from(told.stderr),
      exitCode: isLate ? null : (told.exitCode ?? 0),
      stoppedFor: isLate ? 'timeout' : null,
    },
    { secrets: [], maxRaw: 1e9, ways: presets[name] },
  );
};

const agentOf = (runner: string, more: Partial<Agent> = {}): Agent => ({
  ...parseAgent(`---\ncouncil: { runner: ${runner}, args: [--extra] }\n---\n`, 'agents/ada.md', 'project'),
  ...more,
});
const plan = (name: PresetName, more: Partial<PlanInput> = {}): Plan =>
  presets[name].plan({
    agent: agentOf(name),
    system: 'You are "Ada".\nKind.',
    input: 'the prompt',
    env: { HOME: '/home/ana' },
    reads: false,
    folder: '/tmp/f',
    exists: () => true,
    ...more,
  });

describe('what the programs print', () => {
  it.each<[PresetName, string, object]>([
    [
      'claude',
      'ok',
      { model: 'claude-opus-4-8[1m]', inputTokens: 156, outputTokens: 1, costUsd: 0.0008049999999999999 },
    ],
    ['codex', 'Buy it, says codex.', { model: null, inputTokens: 5179, outputTokens: 5, costUsd: null }],
    [
      'gemini',
      'Buy it, says gemini.',
      { model: 'gemini-3.1-pro-preview-customtools', inputTokens: 149, outputTokens: 5, costUsd: null },
    ],
    [
      'opencode',
      'Buy it, says opencode.',
      { model: null, inputTokens: 208, outputTokens: 6, costUsd: 0.000714 },
    ],
    [
      'openclaw',
      'Buy it, says openclaw.',
      { model: 'fake/fake-model', inputTokens: 3654, outputTokens: 6, costUsd: 0.011052 },
    ],
  ])('has the answer and the usage of %s in it', (name, answer, usage) => {
    const reading = readAs(name, printed(`${name}-ok`));
    expect(reading.answer.toString()).toBe(answer);
    expect(reading).toMatchObject({ usage, failure: null });
  });

  it.each<[PresetName, string, string, string]>([
    ['claude', 'rate-limit', 'rate-limit', 'API Error: Request rejected (429)'],
    ['claude', 'unauthorized', 'config', 'Failed to authenticate. API Error: 401'],
    ['claude', 'unknown-model', 'config', "There's an issue with the selected model"],
    ['claude', 'not-logged-in', 'config', 'Not logged in · Please run /login'],
    ['claude', 'server-error', 'failed', 'API Error: 500'],
    ['claude', 'refusal', 'refusal', 'unable to respond to this request'],
    ['codex', 'rate-limit', 'rate-limit', 'last status: 429 Too Many Requests'],
    ['codex', 'unauthorized', 'config', 'unexpected status 401'],
    ['codex', 'unknown-model', 'config', 'unexpected status 404'],
    ['codex', 'server-error', 'failed', 'experiencing high demand'],
    ['gemini', 'rate-limit', 'rate-limit', 'fake 429'],
    ['gemini', 'unauthorized', 'config', 'fake 401'],
    ['gemini', 'unknown-model', 'config', 'fake 404'],
    ['gemini', 'not-logged-in', 'config', 'Invalid auth method selected.'],
    ['gemini', 'refusal', 'refusal', 'blocked due to safety settings'],
    ['opencode', 'rate-limit', 'rate-limit', 'fake 429'],
    ['opencode', 'unauthorized', 'config', 'fake 401'],
    ['opencode', 'unknown-model', 'config', 'ProviderModelNotFoundError: Model not found: fake/other.'],
    ['opencode', 'refusal', 'refusal', 'content filter'],
    ['openclaw', 'rate-limit', 'rate-limit', 'status=429'],
    ['openclaw', 'unauthorized', 'config', 'HTTP 401'],
    ['openclaw', 'unknown-model', 'config', 'Unknown model: nobody/x.'],
  ])('tells that %s failed: %s', (name, text, kind, reason) => {
    const told = printed(`${name}-${text}`);
    expect(judged(name, told)).toMatchObject({
      failure: kind,
      reason: expect.stringContaining(reason) as string,
    });
    expect(readAs(name, told).answer.length).toBe(0);
  });

  it('is empty when codex ends a turn without a message', () => {
    expect(readAs('codex', printed('codex-refusal'))).toMatchObject({
      answer: Buffer.alloc(0),
      failure: null,
    });
  });

  it('names a quota that opencode and openclaw wait for when they are ended', () => {
    const stderr = 'level=ERROR message="stream error" error.error="AI_APICallError: Rate limit exceeded"';
    expect(judged('opencode', { stdout: Buffer.alloc(0), stderr, exitCode: null })).toMatchObject({
      failure: 'rate-limit',
      reason: 'no answer within 5m: AI_APICallError: Rate limit exceeded',
    });
  });

  it('has the seconds to wait that a provider sent to opencode', () => {
    const error = {
      name: 'APIError',
      data: { message: 'slow down', statusCode: 429, responseHeaders: { 'retry-after': '12' } },
    };
    const stdout = Buffer.from(JSON.stringify({ type: 'error', error }));
    expect(judged('opencode', { stdout, stderr: '', exitCode: 1 })).toMatchObject({
      failure: 'rate-limit',
      reason: 'slow down',
      retryAfterMs: 12_000,
    });
  });

  it('is plain text from ollama and llm, with the tokens on stderr', () => {
    const stdout = Buffer.from('Buy it.\n\n');
    const summary =
      'total duration:       2s\nprompt eval count:    26 token(s)\nprompt eval rate:     90 tokens/s\neval count:           298 token(s)\n';
    expect(readAs('ollama', { stdout, stderr: summary, exitCode: 0 })).toEqual({
      answer: stdout,
      usage: { model: null, inputTokens: 26, outputTokens: 298, costUsd: null },
      failure: null,
      isOver: false,
    });
    expect(
      readAs('llm', { stdout, stderr: 'Token usage: 1,200 input, 5 output\n', exitCode: 0 }).usage,
    ).toEqual({
      model: null,
      inputTokens: 1200,
      outputTokens: 5,
      costUsd: null,
    });
  });

  it.each<[PresetName, string, string]>([
    ['ollama', 'Error: 429 Too Many Requests: you have reached your hourly limit', 'rate-limit'],
    ['ollama', 'Error: pull model manifest: file does not exist', 'config'],
    ['ollama', 'Error: could not connect to ollama server, run `ollama serve` to start it', 'failed'],
    ['ollama', '⠙ Error: 503 Service Unavailable: server busy', 'failed'],
    ['ollama', 'Error: an error was encountered while running the model', 'failed'],
    ['llm', "Error: Error code: 429 - {'error': {'message': 'Please try again in 20s'}}", 'rate-limit'],
    ['llm', "Error: Error code: 401 - {'error': {}}", 'config'],
    ['llm', "Error: 'Unknown model: nobody'", 'config'],
    ['llm', 'Error: Connection error.', 'failed'],
  ])('tells what an error line of %s means: %s', (name, stderr, kind) => {
    const told = { stdout: Buffer.alloc(0), stderr: `warning\n${stderr}\n`, exitCode: 1 };
    expect(judged(name, told)).toMatchObject({ failure: kind, reason: `exit code 1: ${stderr}` });
  });

  it.each(PRESETS)('may be anything: %s is read without a crash', (name) => {
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '"x"',
      '{"result":5}\n{"type":"item.completed"}',
      '\xff\xfe',
    ]) {
      for (const exitCode of [0, 1, null]) {
        const one = readAs(name, { stdout: Buffer.from(text, 'latin1'), stderr: text, exitCode });
        expect(Buffer.isBuffer(one.answer)).toBe(true);
      }
    }
  });
});

describe('the command lines', () => {
  it.each<[PresetName, string, Partial<Plan>]>([
    [
      'claude',
      '-p --tools  --strict-mcp-config --output-format json --no-session-persistence --system-prompt-file /tmp/f/persona.md --extra',
      { input: 'the prompt', files: { 'persona.md': 'You are "Ada".\nKind.' } },
    ],
    [
      'codex',
      'exec --json --ephemeral --skip-git-repo-check -s read-only -c analytics.enabled=false -c features.shell_tool=false -c features.unified_exec=false -c features.view_image=false -c developer_instructions="You are \\"Ada\\".\\nKind." --extra -',
      { input: 'the prompt' },
    ],
    [
      'gemini',
      '--approval-mode plan --skip-trust -o json --policy /tmp/f/policy.toml --extra -p ',
      { env: { GEMINI_SYSTEM_MD: '/tmp/f/persona.md' }, files: { 'persona.md': 'You are "Ada".\nKind.' } },
    ],
    [
      'opencode',
      'run --pure --format json --title council --agent council --print-logs --log-level ERROR --extra',
      { files: { 'persona.md': 'You are "Ada".\nKind.' } },
    ],
    [
      'openclaw',
      'agent exec --message-file - --json --config /tmp/f/openclaw.json --timeout 300 --extra',
      {
        input: 'You are "Ada".\nKind.\n\nthe prompt',
        env: { OPENCLAW_INCLUDE_ROOTS: '/home/ana/.openclaw' },
        files: { 'openclaw.json': '{"$include":"/home/ana/.openclaw/openclaw.json","tools":{"deny":["*"]}}' },
      },
    ],
    ['llm', 'prompt --no-log --usage --system-fragment /tmp/f/persona.md --extra', { input: 'the prompt' }],
  ])('of %s', (name, args, more) => {
    const made = plan(name);
    expect(made.args.join(' ')).toBe(args);
    expect(made).toMatchObject(more);
  });

  it.each<[PresetName, string]>([
    ['claude', '--model opus'],
    ['codex', '-m opus'],
    ['gemini', '-m opus'],
    ['opencode', '-m opus'],
    ['openclaw', '--model opus'],
    ['ollama', '--extra opus'],
    ['llm', '-m opus'],
  ])('name the model for %s', (name, flag) => {
    expect(plan(name, { agent: agentOf(name, { model: 'opus' }) }).args.join(' ')).toContain(flag);
    for (const model of [null, 'inherit']) {
      const { args } = plan(name, { agent: agentOf(name, { model }) });
      expect(args).not.toContain('inherit');
      expect(args).not.toContain(flag.split(' ')[0] === '--extra' ? 'opus' : flag.split(' ')[0]);
    }
  });

  it('have nothing for a persona that is empty', () => {
    for (const name of PRESETS) {
      const { args, env = {}, files = {}, input } = plan(name, { system: '' });
      expect(JSON.stringify([args, env, Object.keys(files)])).not.toMatch(/persona|developer_instructions/);
      expect(input).toBe('the prompt');
    }
  });

  it('deny opencode every tool, and give it the persona as a file', () => {
    expect(JSON.parse(plan('opencode').env!.OPENCODE_CONFIG_CONTENT!)).toEqual({
      agent: {
        council: { mode: 'primary', prompt: '{file:/tmp/f/persona.md}', permission: { '*': 'deny' } },
      },
    });
  });

  it('give tools to read, and none to write, where the council allows that', () => {
    expect(plan('claude', { reads: true }).args.join(' ')).toContain('--tools Read,Grep,Glob --strict');
    const codex = plan('codex', { reads: true }).args.join(' ');
    expect(codex).toContain('-s read-only');
    expect(codex).not.toContain('features.');
    for (const reads of [true, false]) {
      const policy = plan('gemini', { reads }).files!['policy.toml']!;
      expect(policy).toMatch(/^\[\[rule\]\]\ntoolName = \[".*"\]\ndecision = "deny"\npriority = 999\n$/);
      expect(policy).toContain('"run_shell_command"');
      expect(policy.includes('"read_file"')).toBe(!reads);
    }
    const { agent } = JSON.parse(plan('opencode', { reads: true }).env!.OPENCODE_CONFIG_CONTENT!) as {
      agent: { council: { permission: Record<string, unknown> } };
    };
    expect(agent.council.permission).toMatchObject({ '*': 'deny', grep: 'allow', read: { '*.env': 'deny' } });
    for (const name of ['openclaw', 'llm'] as const) expect(plan(name, { reads: true })).toEqual(plan(name));
    const more = { reads: true, readable: '/texts' };
    expect(plan('claude', more).args.join(' ')).toContain('--add-dir /texts');
    expect(plan('gemini', more).args.join(' ')).toContain('--include-directories /texts');
    expect(plan('opencode', more).env!.OPENCODE_CONFIG_CONTENT).toContain(
      '"external_directory":{"/texts/*":"allow"}',
    );
  });

  it('keep no session unless they are told to, and go on with one by its id alone', () => {
    const fresh = '12345678-1234-4234-8234-123456789abc';
    const args = (name: PresetName, resume?: string | null) =>
      plan(name, resume === undefined ? {} : { session: { resume, fresh } }).args.join(' ');
    expect(args('claude')).toContain('--no-session-persistence');
    expect(args('codex')).toContain('--ephemeral');
    for (const name of ['claude', 'gemini'] as const) {
      expect(args(name)).not.toMatch(/--session-id|--resume/);
      expect(args(name, null)).toContain(`--session-id ${fresh}`);
      expect(args(name, fresh)).toContain(`--resume ${fresh}`);
    }
    expect(args('claude', null)).not.toContain('--no-session-persistence');
    expect(args('codex', null)).not.toMatch(/--ephemeral|resume/);
    expect(args('codex', fresh)).toMatch(new RegExp(`resume ${fresh} -$`));
    expect(args('opencode', null)).not.toContain('--session');
    expect(args('opencode', 'ses_abc12345')).toContain('--session ses_abc12345');
    for (const name of PRESETS) expect(args(name, fresh)).not.toMatch(/--last|--continue|latest/);
  });

  it('put a persona that is too long for an argument above the prompt', () => {
    const system = 'é'.repeat(60_000);
    const { args, input } = plan('codex', { system });
    expect(args.join(' ')).not.toContain('developer_instructions');
    expect(input).toBe(`${system}\n\nthe prompt`);
  });

  it('find the settings of openclaw where its owner has them', () => {
    const include = (env: NodeJS.ProcessEnv, exists = true): string =>
      plan('openclaw', { env, exists: () => exists }).files!['openclaw.json']!;
    expect(include({ HOME: '/h', OPENCLAW_STATE_DIR: '/s' })).toContain('"/s/openclaw.json"');
    expect(include({ HOME: '/h', OPENCLAW_CONFIG_PATH: '/c/x.json' })).toContain('"/c/x.json"');
    expect(include({ HOME: '/h' }, false)).toBe('{"tools":{"deny":["*"]}}');
  });

  it('refuse ollama without a model', () => {
    expect(plan('ollama').problem).toContain('ollama needs a model');
    expect(plan('ollama', { agent: agentOf('ollama', { model: 'llama3.2' }) })).toMatchObject({
      args: ['run', '--nowordwrap', '--hidethinking', '--verbose', '--extra', 'llama3.2'],
      input: 'You are "Ada".\nKind.\n\nthe prompt',
    });
  });
});

describe('docs/agents.md', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'agents.md'), 'utf8');

  it.each(PRESETS)('names every variable that %s gets, and every flag it is called with', (name) => {
    const section = page.split(`### ${name}\n`)[1]!.split('\n##')[0]!;
    const { secrets, settings } = presets[name];
    const { args } = plan(name, { agent: { ...agentOf(name), args: [] } });
    const flags = args.filter((arg) => /^--?\w/.test(arg));
    const missing = [...secrets, ...settings.filter((one) => !PROXIES.includes(one)), ...flags].filter(
      (word) => !section.includes(word),
    );
    expect(missing).toEqual([]);
    for (const proxy of PROXIES) expect(page).toContain(proxy);
  });
});
