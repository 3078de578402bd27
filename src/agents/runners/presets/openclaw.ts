// Preset for OpenClaw, launched with all its tools denied.
import { delimiter, dirname, join } from 'node:path';
import type { Preset } from './preset.ts';
import { modelArgs, PROXIES, withPersona } from './preset.ts';
import { shapes } from './shapes.ts';

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
  shape: shapes.openclaw,
};
