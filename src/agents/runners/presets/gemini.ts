// Preset for Gemini CLI: command line, persona and reading its output.
import { join } from 'node:path';
import type { FailureKind, Usage } from '../speak.ts';
import type { Preset } from './preset.ts';
import { modelArgs, personaFile, personaPath, PROXIES } from './preset.ts';
import { answered, failed, kindOfStatus, parseJson, sum } from './reading.ts';
import type { Json } from './reading.ts';

/** Exit codes of its own; every other one is an HTTP status modulo 256. */
const CONFIG_EXITS = [41, 42, 44, 52];

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
  read: ({ stdout, stderr, exitCode }) => {
    const result = parseJson(stdout);
    const said = result?.text('response') ?? '';
    if (exitCode === 0 && said !== '') return answered(said, usageOf(result));
    const report = result ?? reportIn(stderr);
    const reason = report?.object('error').text('message') ?? null;
    if (/\bsafety settings\b|\bSAFETY\b|\bPROHIBITED_CONTENT\b/.test(reason ?? '')) {
      return failed('refusal', reason ?? '', usageOf(result));
    }
    // While it tries again it reports nothing else, and it does so for minutes.
    const throttled = /^Attempt \d+ failed with status 429\b.*/m.exec(stderr)?.[0];
    if (reason === null && throttled !== undefined) return failed('rate-limit', throttled);
    if (reason === null) return answered(said, usageOf(result));
    const code = report?.object('error').number('code') ?? null;
    const status = code !== null && code >= 400 ? code : null;
    return failed(kindOf(exitCode, status, stderr), messageIn(reason), usageOf(result), status);
  },
};

function kindOf(exitCode: number | null, status: number | null, stderr: string): FailureKind {
  if (/\b\w*QuotaError\b/.test(stderr)) return 'rate-limit';
  if (/\bModelNotFoundError\b/.test(stderr) || CONFIG_EXITS.includes(exitCode ?? 0)) return 'config';
  return kindOfStatus(status);
}

/** The document that its JSON mode puts at the end of stderr. */
function reportIn(stderr: string): Json | null {
  const start = stderr.lastIndexOf('\n{\n');
  return parseJson(start < 0 ? stderr : stderr.slice(start));
}

/** The provider's own message, which may come as JSON in the message. */
function messageIn(reason: string): string {
  return parseJson(reason)?.object('error').text('message') ?? reason;
}

function usageOf(result: Json | null): Usage | null {
  const models = result?.object('stats').object('models').entries() ?? [];
  if (models.length === 0) return null;
  const tokens = models.map(([, model]) => model.object('tokens'));
  return {
    model: models.map(([name]) => name).join(', '),
    inputTokens: sum(tokens.map((count) => count.number('prompt'))),
    outputTokens: sum(tokens.flatMap((count) => [count.number('candidates'), count.number('thoughts')])),
    costUsd: null,
  };
}
