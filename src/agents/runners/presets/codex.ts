// Preset for OpenAI Codex: command line, persona and reading its events.
import type { Preset } from './preset.ts';
import { modelArgs, PROXIES, withPersona } from './preset.ts';
import { shapes } from './shapes.ts';

/** One argument may have 128 KiB on Linux; a longer persona goes above the prompt. */
const LONGEST_ARGUMENT = 100_000;

/** It reads by commands, which its sandbox keeps from writing: without these it has none. */
const NO_FILES = ['shell_tool', 'unified_exec', 'view_image'].flatMap((tool) => [
  '-c',
  `features.${tool}=false`,
]);

/** OpenAI's Codex. It prints one event on each line; a failed turn says so in the last of them. */
export const codex: Preset = {
  program: 'codex',
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  secrets: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'OPENAI_API_KEY'],
  settings: [...PROXIES, 'CODEX_HOME', 'CODEX_CA_CERTIFICATE', 'OPENAI_BASE_URL'],
  plan: ({ agent, system, input, reads, writes = false }) => {
    // A TOML string: JSON's escapes are among TOML's, all but the one for DEL.
    const persona = `developer_instructions=${JSON.stringify(system).replaceAll('\u007f', '\\u007f')}`;
    const fits = Buffer.byteLength(persona) <= LONGEST_ARGUMENT;
    return {
      args: [
        ...['exec', '--json', '--ephemeral', '--skip-git-repo-check'],
        ...['-s', writes ? 'workspace-write' : 'read-only'],
        ...['-c', 'analytics.enabled=false'],
        ...(reads ? [] : NO_FILES),
        ...(system !== '' && fits ? ['-c', persona] : []),
        ...modelArgs('-m', agent),
        ...agent.args,
        '-',
      ],
      input: fits ? input : withPersona(system, input),
    };
  },
  shape: shapes.codex,
};
