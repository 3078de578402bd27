import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import type { Agent } from '../../../../src/core/agents/agent.ts';
import { NOTHING } from '../../../../src/core/agents/runners/finished-turn.ts';
import type { FinishedTurn } from '../../../../src/core/agents/runners/finished-turn.ts';
import { buildTurnResult } from '../../../../src/core/agents/runners/turn-result.ts';
import { readReport } from '../../../../src/core/agents/runners/presets/read-report.ts';
import { presets } from '../../../../src/core/agents/runners/presets/preset-table.ts';
import { findSafeReason, findFullReason } from '../../../../src/core/agents/runners/failure-classes.ts';
import type { SpeakRequest, SpeakResult } from '../../../../src/core/agents/runners/turn-types.ts';
import type { PresetName } from '../../../../src/core/agents/runner-kind.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'presets');

const agentOf = (council: string, model = ''): Agent =>
  parseAgent(`---\n${model}\ncouncil: ${council}\n---\n`, 'agents/ada.md', 'project');
const judged = (
  agent: Agent,
  ended: Partial<FinishedTurn>,
  ways?: (typeof presets)[PresetName],
): SpeakResult =>
  buildTurnResult(
    { agent, env: {} } as unknown as SpeakRequest,
    { ...NOTHING, ...ended },
    { secrets: [], maxRaw: 1e9, ...(ways && { ways }) },
  );

/** What the real program printed, as a result. */
function ofFixture(name: PresetName, text: string): SpeakResult {
  const { stdout, stderr, exitCode } = JSON.parse(
    readFileSync(join(FIXTURES, `${name}-${text}.json`), 'utf8'),
  ) as { stdout: string; stderr: string; exitCode: number | null };
  const printed = { stdout: Buffer.from(stdout), stderr, exitCode };
  const ended = { ...printed, stderr: Buffer.from(stderr), ...readReport(presets[name].shape, printed) };
  return judged(agentOf(`{ runner: ${name} }`), ended, presets[name]);
}

/** A plain command that ended with 1. */
const ofCommand = (stderr: string, stdout = '', exitCode = 1): SpeakResult =>
  judged(agentOf('{ command: [./ask.sh] }'), {
    exitCode,
    stderr: Buffer.from(stderr),
    stdout: Buffer.from(stdout),
  });

describe('the table of known failures', () => {
  it.each([
    'Prompt is too long',
    'API Error: 400 {"error":{"message":"input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648"}}',
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history.",
    'Your input exceeds the context window of this model. (code context_length_exceeded)',
    "This model's maximum context length is 128000 tokens.",
    'The input token count (134123) exceeds the maximum number of tokens allowed (131072).',
    "The input (345516 tokens) is longer than the model's context length (262144 tokens).",
    'the request exceeds the available context size (4096 tokens)',
  ])('knows a prompt that is too long: %s', (said) => {
    expect(ofCommand(said)).toMatchObject({ failure: 'limit', known: { class: 'context' } });
  });

  it.each<[PresetName, string, string]>([
    ['claude', 'not-logged-in', 'not logged in (exit code 1); log in with: claude /login'],
    [
      'claude',
      'unauthorized',
      'its key or login is not accepted (HTTP 401); mend the variable that holds its API key, or log in with: claude /login',
    ],
    [
      'claude',
      'unknown-model',
      'its model is unknown (HTTP 404); change "model" in its file (council agents show ada)',
    ],
    [
      'claude',
      'rate-limit',
      'rate limit (HTTP 429); if it lasts, name another model in its file (council agents show ada)',
    ],
    [
      'codex',
      'unauthorized',
      'its key or login is not accepted (HTTP 401); mend the variable that holds its API key, or log in with: codex login',
    ],
    [
      'codex',
      'unknown-model',
      'its model is unknown (HTTP 404); change "model" in its file (council agents show ada)',
    ],
    [
      'codex',
      'rate-limit',
      'rate limit (HTTP 429); if it lasts, name another model in its file (council agents show ada)',
    ],
    ['gemini', 'not-logged-in', 'not logged in (exit code 41); log in with: gemini'],
    [
      'gemini',
      'unauthorized',
      'its key or login is not accepted (HTTP 401); mend the variable that holds its API key, or log in with: gemini',
    ],
    [
      'opencode',
      'unauthorized',
      'its key or login is not accepted (HTTP 401); mend the variable that holds its API key, or log in with: opencode auth login',
    ],
    [
      'opencode',
      'unknown-model',
      'its model is unknown (exit code 1); change "model" in its file (council agents show ada); those there are: opencode models',
    ],
    [
      'openclaw',
      'unauthorized',
      'its key or login is not accepted (HTTP 401); mend the variable that holds its API key, or log in with: openclaw configure',
    ],
  ])('names what %s printed for %s', (name, text, line) => {
    const result = ofFixture(name, text);
    expect(findSafeReason(result)).toBe(line);
    // Afterwards the provider's own words stand behind it.
    expect(findFullReason(result)).toBe(
      `${line}. It said: ${result.reason?.replace(/^exit code \d+: /, '')}`,
    );
  });

  it.each<[string, string]>([
    ['Error: Please run `tool login` first', 'not logged in'],
    ['Not logged in · Please run /login', 'not logged in'],
    ['Your session has expired. Sign in again.', 'not logged in'],
    ['To sign in, use a web browser to open the page https://example.org/device', 'not logged in'],
    ['error: No API key found. Set the OPENAI_API_KEY environment variable.', 'there is no API key'],
    ['OPENAI_API_KEY is not set', 'there is no API key'],
    ['openai.AuthenticationError: Error code: 401 - Incorrect API key provided: sk-x', 'its key or login'],
    ['The model `gpt-9` does not exist or you do not have access to it.', 'its model is unknown'],
    ["Error: 'Unknown model: nobody'", 'its model is unknown'],
    ['anthropic.RateLimitError: Error code: 429 - rate_limit_error', 'rate limit (HTTP 429)'],
    ['429 Too Many Requests', 'rate limit'],
    ['You exceeded your current quota, please check your plan and billing details.', 'its account has no'],
    ['Not inside a trusted directory and --skip-git-repo-check was not specified.', 'asks whether'],
    ['Gemini CLI is not running in a trusted directory. To proceed, use --skip-trust', 'asks whether'],
    ['Error: connect ECONNREFUSED 127.0.0.1:11434', "cannot reach its model's server"],
    [
      'API Error (claude-9): 404 {"error":{"type":"not_found_error","message":"model: claude-9"}}',
      'its model is unknown',
    ],
    ['429 RESOURCE_EXHAUSTED. You exceeded your current quota. Please retry in 40.99s.', 'rate limit'],
    ["You've reached your Fable 5 limit. Resets at 7pm.", 'rate limit'],
    ['Your refresh token was already used. Please log out and sign in again.', 'not logged in'],
    ['This request requires more credits, or fewer max_tokens.', 'its account has no'],
  ])('knows it on stderr of any program: %s', (stderr, says) => {
    const result = ofCommand(`starting up\n${stderr}\n`);
    expect(result.known?.says.startsWith(says), String(result.known?.says)).toBe(true);
    expect(result.failure).toBe(
      says.startsWith('rate limit') ? 'rate-limit' : says.startsWith('cannot reach') ? 'failed' : 'config',
    );
    // And on stdout, where a program that cannot start complains there.
    expect(ofCommand('', stderr).known?.says).toBe(result.known?.says);
  });

  it('says nothing of the words of a program, whatever they are', () => {
    const secret = 'the prompt says BLUE-WHALE';
    for (const line of ['Not logged in', 'Unknown model', 'rate limit', 'No API key found']) {
      const safe = findSafeReason(ofCommand(`${line}: ${secret}`));
      expect(safe).not.toContain('WHALE');
      expect(safe).not.toBe('exit code 1');
    }
  });

  it.each([
    ['Error: no quota left'],
    ['model is down'],
    ['out of memory'],
    ['The design has a rate of 5 requests and a limit of 3.'],
    ['TypeError: cannot read properties of undefined'],
    ['warning: the login page of the design is slow'],
  ])('takes nothing else for one of them: %s', (stderr) => {
    expect(ofCommand(stderr).known).toBeUndefined();
  });

  it('is not misled by a long answer, nor by one that was refused for its size', () => {
    const answer = `You are not logged in when the rate limit is reached. ${'x'.repeat(2000)}`;
    expect(ofCommand('', answer).known).toBeUndefined();
    expect(judged(agentOf('{ command: [x] }'), { exitCode: 0, stdout: Buffer.from(answer) }).ok).toBe(true);
  });

  it('has no line of stderr as the reason of a timeout, but what the program waits for', () => {
    const late = (stderr: string, stdout = ''): SpeakResult =>
      judged(agentOf('{ command: [./ask.sh], timeout: 90s }'), {
        stoppedFor: 'timeout',
        stderr: Buffer.from(stderr),
        stdout: Buffer.from(stdout),
      });
    const stray = late('(node:1) Warning: something is deprecated\n');
    expect({ reason: stray.reason, safe: findSafeReason(stray) }).toEqual({
      reason: 'no answer within 1m30s',
      safe: 'no answer in time',
    });
    const asks = late('Open https://example.org/device\nPlease log in with the code ABCD\n');
    expect(findSafeReason(asks)).toBe(
      'not logged in (no answer within 1m30s); log in with: ./ask.sh (start it once by hand)',
    );
    // Another attempt would wait as long.
    expect(asks.failure).toBe('config');
    expect(late('', 'Do you trust the files in this folder?\n 1. Yes\n 2. No\n').known?.says).toBe(
      'asks whether it may trust this folder (no answer within 1m30s)',
    );
    // Who has begun to fill in the form is answering, whatever it is about.
    expect(late('', 'position: let users log in with passkeys\n\nBecause.').known).toBeUndefined();
    expect(ofCommand('', '**Position:** tell users when their session expired\n').known).toBeUndefined();
    // What makes no program wait is no reason either.
    expect(late('Unknown model: trying the default\n').known).toBeUndefined();
  });

  it('names the program that is not there, and what installs it', () => {
    const broken = {
      kind: 'config',
      reason: '"codex" was not found on PATH',
      missing: 'it is not on PATH',
    } as const;
    expect(findSafeReason(judged(agentOf('{ runner: codex }'), { broken }, presets.codex))).toBe(
      'the program "codex" cannot be launched: it is not on PATH; install it: npm install -g @openai/codex',
    );
    const own = judged(agentOf('{ command: [nowhere] }'), { broken });
    expect(findFullReason(own)).toBe(
      'the program "nowhere" cannot be launched: it is not on PATH; change "command" in its file (council agents show ada)',
    );
  });

  it('names the variable of a model that has no key', () => {
    const agent = agentOf('{ runner: model }', 'model: mistral/x');
    const reason = 'there is no key: the variable MISTRAL_API_KEY is not set';
    expect(findSafeReason(judged(agent, { broken: { kind: 'config', reason } }))).toBe(
      'there is no API key; set the variable MISTRAL_API_KEY',
    );
  });
});
