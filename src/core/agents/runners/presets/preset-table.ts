// How each agent program is called for one turn (arguments, persona, settings), and the table of presets.
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from '../../agent.ts';
import { PRESETS } from '../../runner-kind.ts';
import type { PresetName } from '../../runner-kind.ts';
import type { PlanInput, Planner, Preset } from './preset.ts';
import {
  CODEX_WITHOUT_FILES,
  GEMINI_OTHER,
  GEMINI_READING,
  GEMINI_WRITING,
  OPENCODE_READING,
  programs,
} from './programs.ts';
import { shapes } from './output-formats.ts';

/** Returns the model's flag; empty if the agent's file leaves the choice to the program. */
function buildModelArgs(flag: string, { model }: Agent): string[] {
  return model === null || model === '' || model === 'inherit' ? [] : [flag, model];
}

/** Puts the persona above the prompt, for programs without a system prompt. */
function prependPersona(system: string, input: string): string {
  return system === '' ? input : `${system}\n\n${input}`;
}

const PERSONA = 'persona.md';

/** Path of the persona file during a launch. */
const getPersonaPath = (folder: string): string => join(folder, PERSONA);

/** The persona file to write; none for an agent without a persona. */
function buildPersonaFile(system: string): Record<string, string> {
  return system === '' ? {} : { [PERSONA]: system };
}

/**
 * Claude Code. It prints the result alone, or as the last item of a list or of lines, depending on the user's
 * settings. `subtype` is "success" even for failures.
 */
const planClaude: Planner = ({
  agent,
  system,
  input,
  reads,
  readable,
  writes = false,
  folder,
  ...asked
}) => ({
  args: [
    '-p',
    // Only tools for reading, and for writing in its folder if allowed; no servers from the user's settings.
    ...['--tools', writes ? 'Read,Grep,Glob,Edit,Write' : reads ? 'Read,Grep,Glob' : ''],
    ...(writes ? ['--permission-mode', 'acceptEdits'] : []),
    ...(readable === undefined ? [] : ['--add-dir', readable]),
    ...['--strict-mcp-config', '--output-format', 'json'],
    ...buildSessionArgs(asked, ['--no-session-persistence']),
    ...(system === '' ? [] : ['--system-prompt-file', getPersonaPath(folder)]),
    ...buildModelArgs('--model', agent),
    ...agent.args,
  ],
  input,
  // By default the program generates a title and retries ten times; council shows no title, and retries
  // itself.
  env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1', CLAUDE_CODE_MAX_RETRIES: '2' },
  files: buildPersonaFile(system),
});

/** Linux limits one argument to 128 KiB; a longer persona goes above the prompt. */
const LONGEST_ARGUMENT = 100_000;

/** Resumes a session by its id, or starts one with an id from council; `none`: arguments for no session. */
function buildSessionArgs({ session }: Pick<PlanInput, 'session'>, none: string[]): string[] {
  if (!session) return none;
  return session.resume === null ? ['--session-id', session.fresh] : ['--resume', session.resume];
}

/** OpenAI's Codex. It prints one event per line; the last one reports a failed turn. */
const planCodex: Planner = ({ agent, system, input, reads, writes = false, session }) => {
  // A TOML string: JSON's escapes are valid in TOML, but DEL must be escaped, too.
  const persona = `developer_instructions=${JSON.stringify(system).replaceAll('\u007f', '\\u007f')}`;
  const fits = Buffer.byteLength(persona) <= LONGEST_ARGUMENT;
  return {
    args: [
      ...['exec', '--json', ...(session ? [] : ['--ephemeral']), '--skip-git-repo-check'],
      ...['-s', writes ? 'workspace-write' : 'read-only'],
      ...['-c', 'analytics.enabled=false'],
      ...(reads ? [] : CODEX_WITHOUT_FILES),
      ...(system !== '' && fits ? ['-c', persona] : []),
      ...buildModelArgs('-m', agent),
      ...agent.args,
      ...(session?.resume ? ['resume', session.resume] : []),
      '-',
    ],
    input: fits ? input : prependPersona(system, input),
  };
};

const POLICY = 'policy.toml';
/** Disables tools, overriding project and user settings; MCP servers that the owner added stay enabled. */
function buildPolicy(reads: boolean, writes: boolean): string {
  const denied = [...(reads ? [] : GEMINI_READING), ...(writes ? [] : GEMINI_WRITING), ...GEMINI_OTHER];
  return `[[rule]]\ntoolName = ${JSON.stringify(denied)}\ndecision = "deny"\npriority = 999\n`;
}

/** Google's Gemini CLI. Answers are on stdout, failures in the last JSON document on stderr. */
const planGemini: Planner = ({
  agent,
  system,
  input,
  reads,
  readable,
  writes = false,
  folder,
  ...asked
}) => ({
  args: [
    ...['--approval-mode', writes ? 'auto_edit' : 'plan', '--skip-trust', '-o', 'json'],
    ...['--policy', join(folder, POLICY)],
    ...(readable === undefined ? [] : ['--include-directories', readable]),
    ...buildSessionArgs(asked, []),
    ...buildModelArgs('-m', agent),
    ...agent.args,
    ...['-p', ''],
  ],
  input,
  ...(system === '' ? {} : { env: { GEMINI_SYSTEM_MD: getPersonaPath(folder) } }),
  files: { ...buildPersonaFile(system), [POLICY]: buildPolicy(reads, writes) },
});

/** OpenCode. It reads the persona from a file named in the configuration of this launch. */
const planOpenCode: Planner = ({
  agent,
  system,
  input,
  reads,
  readable,
  session,
  writes = false,
  folder,
}) => {
  const persona = system === '' ? {} : { prompt: `{file:${getPersonaPath(folder)}}` };
  const permission = {
    ...{ '*': 'deny', ...(reads && OPENCODE_READING), ...(writes && { edit: 'allow' }) },
    ...(readable !== undefined && { external_directory: { [join(readable, '*')]: 'allow' } }),
  };
  const seat = { mode: 'primary', ...persona, permission };
  return {
    args: [
      ...['run', '--pure', '--format', 'json', '--title', 'council', '--agent', 'council'],
      ...(session?.resume ? ['--session', session.resume] : []),
      // Its events name neither an unknown model nor a wait for a quota; its log does.
      ...['--print-logs', '--log-level', 'ERROR'],
      ...buildModelArgs('-m', agent),
      ...agent.args,
    ],
    input,
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ agent: { council: seat } }) },
    files: buildPersonaFile(system),
  };
};

/** OpenClaw. Its one-shot run has coding tools, so it gets the owner's settings with all tools denied. */
const planOpenClaw: Planner = ({ agent, system, input, env, folder, exists }) => {
  const state = env.OPENCLAW_STATE_DIR ?? join(env.OPENCLAW_HOME ?? env.HOME ?? '', '.openclaw');
  const settings = env.OPENCLAW_CONFIG_PATH ?? join(state, 'openclaw.json');
  const roots = [env.OPENCLAW_INCLUDE_ROOTS ?? '', dirname(settings)].filter((root) => root !== '');
  const config = { ...(exists(settings) ? { $include: settings } : {}), tools: { deny: ['*'] } };
  return {
    args: [
      ...['agent', 'exec', '--message-file', '-', '--json'],
      ...['--config', join(folder, 'openclaw.json')],
      // OpenClaw's default timeout is ten minutes.
      ...['--timeout', String(Math.ceil(agent.timeout / 1000))],
      ...buildModelArgs('--model', agent),
      ...agent.args,
    ],
    input: prependPersona(system, input),
    // By default it includes only files of the folder of its settings.
    env: { OPENCLAW_INCLUDE_ROOTS: roots.join(delimiter) },
    files: { 'openclaw.json': JSON.stringify(config) },
  };
};

/** Ollama: a local model. The answer is plain text, the token counts are on stderr. */
const planOllama: Planner = ({ agent, system, input }) => {
  const [, model] = buildModelArgs('', agent);
  return {
    args: ['run', ...['--nowordwrap', '--hidethinking', '--verbose'], ...agent.args, model ?? ''],
    input: prependPersona(system, input),
    ...(model === undefined ? { problem: 'ollama needs a model: write "model: llama3.2" or the like' } : {}),
  };
};

/** The `llm` program: plain text, token counts on stderr. */
const planLlm: Planner = ({ agent, system, input, folder }) => ({
  args: [
    ...['prompt', '--no-log', '--usage'],
    ...(system === '' ? [] : ['--system-fragment', getPersonaPath(folder)]),
    ...buildModelArgs('-m', agent),
    ...agent.args,
  ],
  input,
  files: buildPersonaFile(system),
});

const planners: Record<PresetName, Planner> = {
  claude: planClaude,
  codex: planCodex,
  gemini: planGemini,
  opencode: planOpenCode,
  openclaw: planOpenClaw,
  ollama: planOllama,
  llm: planLlm,
};

/** All agent programs that council can call. */
export const presets = Object.fromEntries(
  PRESETS.map((name) => [name, { ...programs[name], shape: shapes[name], plan: planners[name] }]),
) as Record<PresetName, Preset>;
