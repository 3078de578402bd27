// How each agent program is called for one turn: its arguments, its persona, its settings; and all that is known of it.
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

/** The model's flag, and nothing where the agent's file leaves the choice to the program. */
function modelArgs(flag: string, { model }: Agent): string[] {
  return model === null || model === '' || model === 'inherit' ? [] : [flag, model];
}

/** The prompt with the persona above it, for programs that take no system prompt. */
function withPersona(system: string, input: string): string {
  return system === '' ? input : `${system}\n\n${input}`;
}

const PERSONA = 'persona.md';

/** Where the persona lies while the program runs. */
const personaPath = (folder: string): string => join(folder, PERSONA);

/** The file to write for it, and none for an agent without a persona. */
function personaFile(system: string): Record<string, string> {
  return system === '' ? {} : { [PERSONA]: system };
}

/**
 * Claude Code. It prints the result alone, or as the last of a list or of lines, as its user's settings have it. `subtype`
 * says "success" even in failures.
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
    // Only the tools to read, and to write below its folder where that is allowed; no server of the user's settings.
    ...['--tools', writes ? 'Read,Grep,Glob,Edit,Write' : reads ? 'Read,Grep,Glob' : ''],
    ...(writes ? ['--permission-mode', 'acceptEdits'] : []),
    ...(readable === undefined ? [] : ['--add-dir', readable]),
    ...['--strict-mcp-config', '--output-format', 'json'],
    ...sessionArgs(asked, ['--no-session-persistence']),
    ...(system === '' ? [] : ['--system-prompt-file', personaPath(folder)]),
    ...modelArgs('--model', agent),
    ...agent.args,
  ],
  input,
  // The program asks the model for a window title, and tries ten times; council shows no title, and tries again itself.
  env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1', CLAUDE_CODE_MAX_RETRIES: '2' },
  files: personaFile(system),
});

/** One argument may have 128 KiB on Linux; a longer persona goes above the prompt. */
const LONGEST_ARGUMENT = 100_000;

/** Goes on with a session by its id, or begins one with an id of council's; `none`: what keeps a program from keeping one. */
function sessionArgs({ session }: Pick<PlanInput, 'session'>, none: string[]): string[] {
  if (!session) return none;
  return session.resume === null ? ['--session-id', session.fresh] : ['--resume', session.resume];
}

/** OpenAI's Codex. It prints one event on each line; a failed turn says so in the last of them. */
const planCodex: Planner = ({ agent, system, input, reads, writes = false, session }) => {
  // A TOML string: JSON's escapes are among TOML's, all but the one for DEL.
  const persona = `developer_instructions=${JSON.stringify(system).replaceAll('\u007f', '\\u007f')}`;
  const fits = Buffer.byteLength(persona) <= LONGEST_ARGUMENT;
  return {
    args: [
      ...['exec', '--json', ...(session ? [] : ['--ephemeral']), '--skip-git-repo-check'],
      ...['-s', writes ? 'workspace-write' : 'read-only'],
      ...['-c', 'analytics.enabled=false'],
      ...(reads ? [] : CODEX_WITHOUT_FILES),
      ...(system !== '' && fits ? ['-c', persona] : []),
      ...modelArgs('-m', agent),
      ...agent.args,
      ...(session?.resume ? ['resume', session.resume] : []),
      '-',
    ],
    input: fits ? input : withPersona(system, input),
  };
};

const POLICY = 'policy.toml';
/** Turns tools off over the settings of project and user; MCP servers that its owner added stay. */
function buildPolicy(reads: boolean, writes: boolean): string {
  const denied = [...(reads ? [] : GEMINI_READING), ...(writes ? [] : GEMINI_WRITING), ...GEMINI_OTHER];
  return `[[rule]]\ntoolName = ${JSON.stringify(denied)}\ndecision = "deny"\npriority = 999\n`;
}

/** Google's Gemini CLI. Answers come on stdout, failures as the last JSON document on stderr. */
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
    ...sessionArgs(asked, []),
    ...modelArgs('-m', agent),
    ...agent.args,
    ...['-p', ''],
  ],
  input,
  ...(system === '' ? {} : { env: { GEMINI_SYSTEM_MD: personaPath(folder) } }),
  files: { ...personaFile(system), [POLICY]: buildPolicy(reads, writes) },
});

/** OpenCode. It reads the persona from the file that the configuration of this one launch names. */
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
  const persona = system === '' ? {} : { prompt: `{file:${personaPath(folder)}}` };
  const permission = {
    ...{ '*': 'deny', ...(reads && OPENCODE_READING), ...(writes && { edit: 'allow' }) },
    ...(readable !== undefined && { external_directory: { [join(readable, '*')]: 'allow' } }),
  };
  const seat = { mode: 'primary', ...persona, permission };
  return {
    args: [
      ...['run', '--pure', '--format', 'json', '--title', 'council', '--agent', 'council'],
      ...(session?.resume ? ['--session', session.resume] : []),
      // Its events do not say which model is unknown or that it waits for a quota; its log does.
      ...['--print-logs', '--log-level', 'ERROR'],
      ...modelArgs('-m', agent),
      ...agent.args,
    ],
    input,
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ agent: { council: seat } }) },
    files: personaFile(system),
  };
};

/** OpenClaw. Its one-shot run has the tools of a coder, so it gets its owner's settings with all tools denied. */
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
      ...modelArgs('--model', agent),
      ...agent.args,
    ],
    input: withPersona(system, input),
    // It includes files of its own folder only, unless another one is named.
    env: { OPENCLAW_INCLUDE_ROOTS: roots.join(delimiter) },
    files: { 'openclaw.json': JSON.stringify(config) },
  };
};

/** Ollama: a model on this machine. The answer is plain text, the tokens stand on stderr. */
const planOllama: Planner = ({ agent, system, input }) => {
  const [, model] = modelArgs('', agent);
  return {
    args: ['run', ...['--nowordwrap', '--hidethinking', '--verbose'], ...agent.args, model ?? ''],
    input: withPersona(system, input),
    ...(model === undefined ? { problem: 'ollama needs a model: write "model: llama3.2" or the like' } : {}),
  };
};

/** The `llm` program: plain text, the tokens on stderr. */
const planLlm: Planner = ({ agent, system, input, folder }) => ({
  args: [
    ...['prompt', '--no-log', '--usage'],
    ...(system === '' ? [] : ['--system-fragment', personaPath(folder)]),
    ...modelArgs('-m', agent),
    ...agent.args,
  ],
  input,
  files: personaFile(system),
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

/** Every agent program that council knows how to call. */
export const presets = Object.fromEntries(
  PRESETS.map((name) => [name, { ...programs[name], shape: shapes[name], plan: planners[name] }]),
) as Record<PresetName, Preset>;
