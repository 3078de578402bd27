// Preset for OpenClaw, launched with all its tools denied.
import { delimiter, dirname, join } from 'node:path';
import type { FailureKind } from '../speak.ts';
import type { Preset } from './preset.ts';
import { modelArgs, PROXIES, withPersona } from './preset.ts';
import { answered, failed, kindOfStatus, parseJson, sum } from './reading.ts';

/** OpenClaw. Its one-shot run has the tools of a coder, so it gets its owner's settings with all tools denied. */
export const openclaw: Preset = {
  program: 'openclaw',
  install: 'npm install -g openclaw',
  login: 'openclaw configure',
  models: 'openclaw models list',
  secrets: [
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'MISTRAL_API_KEY',
    'OPENAI_API_KEY',
    'OPENCLAW_GATEWAY_TOKEN',
    'OPENROUTER_API_KEY',
  ],
  settings: [...PROXIES, 'OPENCLAW_CONFIG_PATH', 'OPENCLAW_HOME', 'OPENCLAW_PROFILE', 'OPENCLAW_STATE_DIR'],
  plan: ({ agent, system, input, env, folder, exists }) => {
    const state = env.OPENCLAW_STATE_DIR ?? join(env.OPENCLAW_HOME ?? env.HOME ?? '', '.openclaw');
    const settings = env.OPENCLAW_CONFIG_PATH ?? join(state, 'openclaw.json');
    const roots = [env.OPENCLAW_INCLUDE_ROOTS ?? '', dirname(settings)].filter((root) => root !== '');
    const config = { ...(exists(settings) ? { $include: settings } : {}), tools: { deny: ['*'] } };
    return {
      args: [
        ...['agent', 'exec', '--message-file', '-', '--json'],
        ...['--config', join(folder, 'openclaw.json')],
        // Its own limit is ten minutes, whatever the agent's file says.
        ...['--timeout', String(Math.ceil(agent.timeout / 1000))],
        ...modelArgs('--model', agent),
        ...agent.args,
      ],
      input: withPersona(system, input),
      // It includes files of its own folder only, unless another one is named.
      env: { OPENCLAW_INCLUDE_ROOTS: roots.join(delimiter) },
      files: { 'openclaw.json': JSON.stringify(config) },
    };
  },
  read: ({ stdout, stderr }) => {
    const result = parseJson(stdout);
    // It tries again until its time is up, and then only its log tells why.
    const throttled = /\bstatus=429\b.*/.test(stderr) ? 'API rate limit reached (status 429)' : null;
    if (result === null) return throttled === null ? answered(null, null) : failed('rate-limit', throttled);
    const tokens = result.object('usage');
    const named = [result.text('provider'), result.text('model')].filter((part) => part !== null);
    const usage = {
      model: named.join('/') || null,
      inputTokens: sum(['input', 'cacheRead', 'cacheWrite'].map((key) => tokens.number(key))),
      outputTokens: tokens.number('output'),
      costUsd: result.number('costUsd'),
    };
    if (result.flag('ok')) return answered(result.text('final'), usage);
    const reason = result.object('error').text('message') ?? 'no reason given';
    return failed(result.text('status') === 'timeout' ? 'timeout' : kindOf(reason), reason);
  },
};

function kindOf(reason: string): FailureKind {
  const status = /\bHTTP (\d{3})\b/.exec(reason)?.[1];
  if (status !== undefined) return kindOfStatus(Number(status));
  if (/\brate.?limit/i.test(reason)) return 'rate-limit';
  return /\bUnknown model\b|\bNo API key\b/i.test(reason) ? 'config' : 'failed';
}
