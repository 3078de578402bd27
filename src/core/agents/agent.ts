// Agents: the type, its defaults, and parsing an agent's Markdown file.
import { basename } from 'node:path';
import { asRepair } from '../base/config-values.ts';
import { CouncilError } from '../base/errors.ts';
import { isId, toSlug } from '../base/ids.ts';
import { isObject, MAX_CONTRIBUTION_BYTES, toOneLine } from '../base/text.ts';
import { readAgentFile } from './agent-front-matter.ts';
import { createFieldReader, createLenientFieldReader } from './front-matter-fields.ts';
import type { Fields } from './front-matter-fields.ts';
import { canContinue, INPUTS, RUNNERS, SESSIONS } from './runner-kind.ts';
import type { RunnerKind } from './runner-kind.ts';
import { readWorkSettings, WORK_SETTINGS } from './work-settings.ts';
import type { WorkSettings } from './work-settings.ts';

/** The source of an agent, in order of precedence. */
export type AgentSource = 'project' | 'claude' | 'user' | 'opencode' | 'built-in';

/** A possible participant, as described by its Markdown file. */
export interface Agent extends WorkSettings {
  id: string;
  /** Display name; the id if the file has none. */
  title: string;
  emoji: string;
  description: string;
  /** The body of the file: who the agent is, in its own words. */
  persona: string;
  model: string | null;
  tools: string[];
  /** `human` participants are waited for; all others are launched. */
  runner: RunnerKind;
  /**
   * Program and arguments, never a shell. The runner expands `${NODE}` (the Node binary that runs council)
   * and `${COUNCIL_HOME}` (council's package folder); nothing else is expanded. For a preset: the program to use
   * instead of the one found on PATH.
   */
  command: string[];
  /** Arguments added to those of a preset. */
  args: string[];
  /** The input on stdin: the prompt, the view as one JSON document, or in a task one line at a time. */
  input: (typeof INPUTS)[number];
  /** Milliseconds allowed for one launch. */
  timeout: number;
  /** Milliseconds a launch may stay silent; null for no limit. */
  inactivity: number | null;
  /** Maximum output in bytes. */
  maxOutput: number;
  /** How often to ask again for missing parts of an answer; null if the file does not say. */
  repair: number | null;
  /** `continue`: later phases resume the program's own session. */
  session?: 'continue';
  /** Limits for this agent in one council; null if not set. */
  budget: { usd: number | null; tokens: number | null };
  /** Address of the model server, for the `model` runner; null for the provider's default. */
  baseUrl: string | null;
  /** Environment variable with the API key, for the `model` runner; null for the provider's usual one. */
  apiKey: string | null;
  /** US$ per million tokens, for the `model` runner; null if the file has none: then the cost is unknown. */
  prices: { input: number; output: number; cached?: number } | null;
  /** The reply to an `acp` agent that requests a permission. */
  permissions: 'refuse' | 'allow';
  /** Environment variables passed to the program in addition to the allowlist. */
  env: string[];
  capabilities: string[];
  /** The entry of --agents that this file was written for: only councils that name it seat the agent. */
  seat?: string;
  path: string;
  source: AgentSource;
  /** Sentences about settings without effect. */
  notes?: string[];
}

const PERMISSIONS = ['refuse', 'allow'] as const;
/** All keys allowed below `council:`. */
const KEYS = [
  ...['title', 'emoji', 'runner', 'command', 'args', 'input', 'timeout', 'inactivity', 'maxOutput', 'repair'],
  ...['budget', 'baseUrl', 'apiKey', 'prices', 'permissions', 'env', 'capabilities', 'model', 'tools'],
  ...['seat', 'session'],
  ...Object.keys(WORK_SETTINGS),
];
export const DEFAULT_TIMEOUT = 300_000;
export const getDefaultEmoji = (runner: RunnerKind): string => (runner === 'human' ? '👤' : '🤖');
const COMMAND_EXAMPLE = '["node", "speak.mjs", "henry"]';
const COUNCIL_EXAMPLE = `For example:\ncouncil:\n  runner: command\n  command: ${COMMAND_EXAMPLE}`;

/**
 * Reads an agent's Markdown file: front matter in Claude Code's schema, council's own keys under `council:`,
 * the body as the persona. `launchTimeout` (ms) applies if the file has none. Throws `invalid_agent` naming
 * `path`, the key, and the expected and actual value.
 */
export function parseAgent(
  text: string,
  path: string,
  source: AgentSource,
  launchTimeout = DEFAULT_TIMEOUT,
): Agent {
  const { data, body } = readAgentFile(text, path);
  const common = createLenientFieldReader(data);
  const council = readCouncilKeys(data, path);
  const own = createFieldReader(council, path, 'council.');
  const id = resolveAgentId(data.name, path);
  const command = readCommand(own);
  const runner = own.choice('runner', RUNNERS) ?? (command.length > 0 ? 'command' : 'human');
  if ((runner === 'command' || runner === 'acp') && command.length === 0) {
    own.refuse('command', 'a list of a program and its arguments', `For example command: ${COMMAND_EXAMPLE}`);
  }
  const work = readWorkSettings(own);
  const seat = own.text('seat');
  const session = own.choice('session', SESSIONS);

  const agent = {
    id,
    title: toOneLine(own.text('title') ?? pickAgentTitle(data.name), 80) || id,
    emoji: toOneLine(own.text('emoji') ?? '', 16) || getDefaultEmoji(runner),
    description: common.text('description'),
    persona: body.trim(),
    model: addProviderPrefix(own.text('model') ?? (common.text('model') || null), runner, work.provider),
    tools: isGiven(council.tools) ? own.names('tools') : common.names('tools'),
    runner,
    command,
    args: own.list('args', '["--verbose"]') ?? [],
    input: own.choice('input', INPUTS) ?? 'prompt',
    timeout: own.duration('timeout') ?? launchTimeout,
    inactivity: own.duration('inactivity'),
    maxOutput: readMaxOutput(own),
    repair: readRepair(own, council.repair),
    budget: readBudget(own, council.budget, path),
    baseUrl: own.text('baseUrl'),
    apiKey: own.text('apiKey'),
    prices: readPrices(own, council.prices, path),
    permissions: own.choice('permissions', PERMISSIONS) ?? 'refuse',
    env: readEnv(own),
    capabilities: own.names('capabilities'),
    ...(seat !== null && { seat }),
    ...(session === 'continue' && { session }),
    ...work,
    path,
    source,
  };
  const notes = [...common.notes];
  const unknown = Object.keys(council).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) notes.push(`Unknown under "council", ignored: ${unknown.join(', ')}.`);
  if (session === 'continue' && !canContinue(runner))
    notes.push(`"session: continue" has no effect: ${runner} has no session that can be named.`);
  return notes.length > 0 ? { ...agent, notes } : agent;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A `model` runner needs `PROVIDER/NAME`; the file may give them as two keys. */
function addProviderPrefix(model: string | null, runner: RunnerKind, provider: string | null): string | null {
  if (runner !== 'model' || provider === null || model === null || model.startsWith(`${provider}/`))
    return model;
  return `${provider}/${model}`;
}

/** A name that is no id is used as the title. */
const pickAgentTitle = (name: unknown): string => (typeof name === 'string' && !isId(name) ? name : '');

/**
 * Reads the mapping below `council:`. A runner or command above it is refused: it would be ignored, and the
 * council would wait for a person.
 */
function readCouncilKeys(data: Record<string, unknown>, path: string): Record<string, unknown> {
  const council = data.council ?? {};
  if (!isObject(council))
    return createFieldReader(data, path).refuse('council', 'a mapping', COUNCIL_EXAMPLE);
  const has = (place: Record<string, unknown>) => ['runner', 'command'].find((key) => isGiven(place[key]));
  const above = has(data);
  if (above !== undefined && has(council) === undefined)
    createFieldReader(data, path).refuse(above, 'a key below "council:"', COUNCIL_EXAMPLE);
  return council;
}

/** Takes the id from `name`, else from the file name; a title becomes a slug. */
function resolveAgentId(name: unknown, path: string): string {
  const stem = getAgentFileStem(path);
  const found = [name, stem, ...[name, stem].map((one) => toSlug(typeof one === 'string' ? one : '', ''))];
  const id = found.find(isId);
  if (id !== undefined) return id;
  throw new CouncilError(
    'invalid_agent',
    `${path}: neither "name" nor the file's name ${JSON.stringify(stem)} can be an agent's id.`,
    {
      hint: 'Add a line such as "name: henry" (1 to 64 lower-case letters, digits and hyphens), or rename the file.',
    },
  );
}

/** Returns the file name of an agent without its extension. */
export const getAgentFileStem = (path: string): string => basename(path).replace(/(?:\.agent)?\.md$/i, '');

function readCommand(own: Fields): string[] {
  const command = own.list('command', COMMAND_EXAMPLE) ?? [];
  if (command[0]?.trim() === '' || command.some((part) => part.includes('\0'))) {
    own.refuse(
      'command',
      'a list that starts with a program and has no NUL character',
      `For example command: ${COMMAND_EXAMPLE}`,
    );
  }
  return command;
}

/** More output would be refused when it is recorded, after the launch has been paid for. */
function readMaxOutput(own: Fields): number {
  const bytes = own.number('maxOutput') ?? MAX_CONTRIBUTION_BYTES;
  if (Number.isInteger(bytes) && bytes <= MAX_CONTRIBUTION_BYTES) return bytes;
  return own.refuse(
    'maxOutput',
    `a whole number of bytes up to ${MAX_CONTRIBUTION_BYTES} (1 MiB), the limit of a contribution`,
    'Leave it out for 1 MiB.',
  );
}

function readRepair(own: Fields, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return asRepair(value) ?? own.refuse('repair', '0, 1 or 2', 'For example repair: 0');
}

function readEnv(own: Fields): string[] {
  const names = own.names('env');
  if (names.some((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) {
    own.refuse(
      'env',
      'a list of names of environment variables',
      'For example env: [MY_TOKEN] (names only, no values).',
    );
  }
  return names;
}

function readBudget(own: Fields, value: unknown, path: string): Agent['budget'] {
  if (value === undefined || value === null) return { usd: null, tokens: null };
  if (!isObject(value)) own.refuse('budget', 'a mapping', 'For example budget: { usd: 0.5, tokens: 200000 }');
  const limits = createFieldReader(value, path, 'council.budget.');
  return { usd: limits.number('usd'), tokens: limits.number('tokens') };
}

function readPrices(own: Fields, value: unknown, path: string): Agent['prices'] {
  if (value === undefined || value === null) return null;
  const hint = 'US$ per million tokens, for example prices: { input: 3, output: 15 }';
  if (!isObject(value)) own.refuse('prices', 'a mapping', hint);
  const prices = createFieldReader(value, path, 'council.prices.');
  const [input, output] = [prices.range('input', { min: 0 }), prices.range('output', { min: 0 })];
  const cached = prices.range('cached', { min: 0 });
  return input === null || output === null
    ? own.refuse('prices', 'a mapping with both "input" and "output"', hint)
    : { input, output, ...(cached !== null && { cached }) };
}
