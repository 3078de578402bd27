// Preset for Gemini CLI: command line, persona and reading its output.
import { join } from 'node:path';
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES } from './preset.ts';
import { shapes } from './shapes.ts';

const POLICY = 'policy.toml';
const READING = ['glob', 'grep_search', 'list_directory', 'read_file', 'read_many_files'];
/** What else plan mode leaves it, or would let it reach: agents and modes of its own, and the web. */
const OTHER = [
  ...['activate_skill', 'ask_user', 'cli_help', 'codebase_investigator', 'enter_plan_mode', 'exit_plan_mode'],
  ...[
    'get_internal_docs',
    'google_web_search',
    'invoke_agent',
    'replace',
    'run_shell_command',
    'save_memory',
  ],
  ...['web_fetch', 'write_file', 'write_todos'],
];

const WRITING = ['replace', 'write_file'];

/** Takes tools away, whatever the settings of project and user say; servers that its owner added are left alone. */
const policy = (reads: boolean, writes: boolean): string =>
  `[[rule]]\ntoolName = ${JSON.stringify([...(reads ? [] : READING), ...OTHER.filter((tool) => !writes || !WRITING.includes(tool))])}\ndecision = "deny"\npriority = 999\n`;

/** Google's Gemini CLI. Answers come on stdout, failures as the last JSON document on stderr. */
export const gemini: Preset = {
  program: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  login: 'gemini',
  secrets: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  settings: [
    ...PROXIES,
    'GEMINI_CLI_HOME',
    'GEMINI_MODEL',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENAI_USE_GCA',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GOOGLE_VERTEX_BASE_URL',
  ],
  plan: ({ agent, system, input, reads, writes = false, folder }) => ({
    args: [
      ...['--approval-mode', writes ? 'auto_edit' : 'plan', '--skip-trust', '-o', 'json'],
      ...['--policy', join(folder, POLICY)],
      ...modelArgs('-m', agent),
      ...agent.args,
      ...['-p', ''],
    ],
    input,
    ...(system === '' ? {} : { env: { GEMINI_SYSTEM_MD: personaPath(folder) } }),
    files: { ...personaFile(system), [POLICY]: policy(reads, writes) },
  }),
  shape: shapes.gemini,
};
