// Fingerprint of an agent's login: if it changes, a failed login is worth a retry.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { isPreset } from '../runner-kind.ts';
import { presets } from './presets/preset-table.ts';

/** Credential files of each program: the environment variable with their folder, the default below the home folder, the file. */
const FILES: Record<string, readonly (readonly [variable: string, otherwise: string, file: string])[]> = {
  claude: [['CLAUDE_CONFIG_DIR', '.claude', '.credentials.json']],
  codex: [
    ['CODEX_HOME', '.codex', 'auth.json'],
    ['CODEX_HOME', '.codex', 'config.toml'],
  ],
  gemini: [
    ['', '.gemini', 'oauth_creds.json'],
    ['', '.gemini', 'settings.json'],
  ],
  opencode: [['', '.local/share/opencode', 'auth.json']],
  openclaw: [['OPENCLAW_STATE_DIR', '.openclaw', 'openclaw.json']],
  ollama: [['', '.ollama', 'id_ed25519']],
  llm: [['LLM_USER_PATH', '.config/io.datasette.llm', 'keys.json']],
};

/** Returns a hash that reveals no secret. */
export function fingerprintLogin(agent: Agent, env: NodeJS.ProcessEnv): string {
  const { runner, command, args, model, env: declared } = agent;
  const names = isPreset(runner)
    ? [...declared, ...presets[runner].secrets, ...presets[runner].settings]
    : declared;
  const files = (FILES[runner] ?? []).map(([variable, otherwise, file]) =>
    readChangeTime(join(env[variable] ?? join(env.HOME ?? '', otherwise), file)),
  );
  const parts = [runner, command, args, model, names.map((name) => env[name] ?? null), env.PATH, files];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

const readChangeTime = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
