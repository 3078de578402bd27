// Settings of a project, merged from COUNCIL.md, the environment and options.
import {
  asAgents,
  asApprovalPlace,
  asCommand,
  asDollars,
  asGroups,
  asPrices,
  asRates,
  asThreshold,
  asTokens,
  asToolRisks,
  asWhole,
} from './config-values.ts';
import type { ApprovalPlace, Risk } from './config-values.ts';
import { asDuration } from './duration.ts';
import { CouncilError } from './errors.ts';
import { cutFrontMatter } from './front-matter-block.ts';
import { isId } from './ids.ts';

/** The settings of a project: COUNCIL.md, the environment and the command line, merged. */
export interface Config {
  lang: 'en' | 'fr';
  mode: string;
  /** The agent that writes the synthesis; null for nobody, undefined where nothing is said. */
  coordinator: string | null | undefined;
  /** Who is seated; null for every agent of the project. */
  agents: string[] | null;
  /** Milliseconds a phase may last; null leaves it to the mode. */
  timeout: number | null;
  /** How many runners may be at work at once. */
  concurrency: number;
  /** Milliseconds one launch may take where the agent's own file does not say; null for the runner's default. */
  launchTimeout: number | null;
  /** How often an agent may be asked once more where its own file does not say; null for the runner's default. */
  repair: number | null;
  /** What one council may use up, in US$ and in tokens (input and output together); null for no limit. */
  budgetUsd: number | null;
  budgetTokens: number | null;
  /** Above so many estimated US$ `run` asks before it starts; null for never. */
  askAboveUsd: number | null;
  /** What models cost in US$ per million tokens, by the beginning of their names. */
  prices: Record<string, { input: number; output: number }>;
  /** Milliseconds after which what waits for an approval, and an approval that nobody used, expires. */
  approvalTimeout: number;
  /** Where a person approves: only at a terminal, or also without one. */
  approveAt: ApprovalPlace;
  /** How risky it is to call the tools whose names match a pattern. */
  toolRisks: Record<string, Risk>;
  /** Tokens that a task may use up where nothing else is said; null for no limit. */
  taskBudget: number | null;
  /** How often a task may be handed on, and how many parts may be handed on out of one. */
  taskDepth: number;
  taskParts: number;
  /** How many launches a minute the agents of one provider may have together, by its name. */
  providerRates: Record<string, number>;
  /** The command that is told what happens, as an argument list; null for none. */
  notify: string[] | null;
  /** Agents that may be written to together, by the name of their group (`G1`). */
  groups: Record<string, string[]>;
  /** The body of COUNCIL.md: part of every prompt. */
  houseRules: string;
  /** Sentences on what was ignored. */
  warnings: string[];
}

export interface ConfigSources {
  /** The text of COUNCIL.md; undefined when there is none. */
  text: string | undefined;
  /** Its path, for errors. */
  path: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Options of the command line by setting; others are not looked at. */
  flags: Readonly<Record<string, unknown>>;
}

type Key = (typeof KEYS)[number];

const KEYS = [
  'lang',
  'mode',
  'coordinator',
  'agents',
  'timeout',
  'concurrency',
  'launchTimeout',
  'repair',
  'budgetUsd',
  'budgetTokens',
  'askAboveUsd',
  'prices',
  'approvalTimeout',
  'approveAt',
  'toolRisks',
  'taskBudget',
  'taskDepth',
  'taskParts',
  'providerRates',
  'notify',
  'groups',
  'store',
] as const;
/** Those that only COUNCIL.md has. */
const FILE_ONLY = new Set<Key>([
  ...([
    'launchTimeout',
    'repair',
    'askAboveUsd',
    'prices',
    'approvalTimeout',
    'approveAt',
    'toolRisks',
  ] as const),
  ...(['taskBudget', 'taskDepth', 'taskParts', 'providerRates', 'notify', 'groups'] as const),
]);
const MAX_CONCURRENCY = 64;
/** Unknown settings that are named one by one. */
const MAX_UNKNOWN = 10;

/** A value that was set, and where: for precedence and for errors. */
interface Found {
  value: unknown;
  where: string;
  from: 'flag' | 'environment' | 'file';
}

/**
 * Merges the sources: flags beat the environment, that beats COUNCIL.md's front matter, that beats the defaults.
 * An empty variable counts as not set; an empty `--coordinator` means `none`.
 * Throws `invalid_config` (for a name on the command line `invalid_id`) with path, key, expected and received.
 */
export async function readConfig({ text, path, env, flags }: ConfigSources): Promise<Config> {
  const { data, body } = await readFile(text ?? '', path);
  const find = (key: Key): Found | undefined => {
    const variable = `COUNCIL_${inWords(key, '_').toUpperCase()}`;
    if (!FILE_ONLY.has(key)) {
      if (flags[key] !== undefined)
        return { value: flags[key], where: `the option --${inWords(key, '-').toLowerCase()}`, from: 'flag' };
      if (env[variable])
        return { value: env[variable], where: `the environment variable ${variable}`, from: 'environment' };
    }
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    return value === undefined || value === null ? undefined : { value, where: path, from: 'file' };
  };
  const read = <T>(key: Key, expected: string, accept: (value: unknown) => T | undefined, fallback: T): T => {
    const found = find(key);
    if (!found) return fallback;
    const value = accept(found.value);
    if (value === undefined) throw invalid(found, key, expected);
    return value;
  };
  return {
    lang: read('lang', 'en or fr', (v) => (v === 'en' || v === 'fr' ? v : undefined), 'en'),
    mode: read('mode', 'the name of a mode', (v) => (isId(v) ? v : undefined), 'debate'),
    coordinator: read('coordinator', "an agent's id, or none", asCoordinator, undefined),
    agents: read('agents', 'a list of agent ids, or ids separated by commas', asAgents, null),
    timeout: read('timeout', 'a duration such as 300s, 30m or 1h', asDuration, null),
    concurrency: read('concurrency', `a whole number from 1 to ${MAX_CONCURRENCY}`, asConcurrency, 4),
    launchTimeout: read('launchTimeout', 'a duration such as 300s or 10m', asDuration, null),
    repair: read('repair', '0, 1 or 2', asRepair, null),
    budgetUsd: read('budgetUsd', 'a number of US$ above 0', asDollars, null),
    budgetTokens: read('budgetTokens', 'a whole number of tokens above 0', asTokens, null),
    askAboveUsd: read('askAboveUsd', 'a number of US$, 0 or more', asThreshold, null),
    prices: read(
      'prices',
      'a mapping such as { my-model: { input: 3, output: 15 } }, in US$ per million tokens',
      asPrices,
      {},
    ),
    approvalTimeout: read('approvalTimeout', 'a duration such as 30m or 1h', asDuration, 3_600_000),
    approveAt: read('approveAt', 'terminal or anywhere', asApprovalPlace, 'anywhere'),
    toolRisks: read(
      'toolRisks',
      'a mapping such as { "*delete*": high }: low, medium or high',
      asToolRisks,
      {},
    ),
    taskBudget: read('taskBudget', 'a whole number of tokens above 0', asTokens, null),
    taskDepth: read('taskDepth', 'a whole number from 0 to 5', (v) => asWhole(v, 0, 5), 3),
    taskParts: read('taskParts', 'a whole number from 0 to 20', (v) => asWhole(v, 0, 20), 3),
    providerRates: read('providerRates', 'a mapping such as { anthropic: 30 }', asRates, {}),
    notify: read('notify', 'a list of a program and its arguments, all of them text', asCommand, null),
    groups: read(
      'groups',
      'a mapping such as { G1: [codex-1, claude-1] }: names with a capital, of agents',
      asGroups,
      {},
    ),
    houseRules: body.trim(),
    warnings: unknownKeys(data, path),
  };
}

async function readFile(
  text: string,
  path: string,
): Promise<{ data: Record<string, unknown>; body: string }> {
  // Loading the YAML reader costs more than all the rest of a command's start.
  const nothingSet = (yaml: string) => /^(?:[ \t]*(?:#.*)?(?:\r?\n|$))*$/.test(yaml);
  const block = cutFrontMatter(text);
  if (block && nothingSet(block.yaml)) return { data: {}, body: block.body };
  if (!/^\uFEFF?---/.test(text)) return { data: {}, body: text.replace(/^\uFEFF/, '') };
  const { readFrontMatter } = await import('./front-matter.ts');
  return readFrontMatter(text, path);
}

function asCoordinator(value: unknown): string | null | undefined {
  if (value === '' || value === 'none') return null;
  return isId(value) ? value : undefined;
}

function asConcurrency(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MAX_CONCURRENCY
    ? count
    : undefined;
}

/** How often somebody may be asked once more. */
export const asRepair = (value: unknown): number | undefined => [0, 1, 2].find((count) => value === count);

/** `budgetUsd` as `budget_Usd` or `budget-Usd`. */
const inWords = (key: Key, joint: string): string => key.replace(/(?=[A-Z])/g, joint);

function unknownKeys(data: Record<string, unknown>, path: string): string[] {
  const unknown = Object.keys(data).filter((key) => !KEYS.some((known) => known === key));
  const named = unknown.slice(0, MAX_UNKNOWN).map((key) => {
    const shown = JSON.stringify(key.slice(0, 80));
    return `${path}: the setting ${shown} is not known and was ignored. Known: ${KEYS.join(', ')}.`;
  });
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${path}: ${more} more settings are not known and were ignored.`] : named;
}

function invalid({ value, where, from }: Found, key: Key, expected: string): CouncilError {
  const received = (JSON.stringify(value) ?? String(value)).slice(0, 120);
  const isName = key === 'mode' || key === 'coordinator' || key === 'agents';
  const message =
    from === 'file'
      ? `${where}: "${key}" must be ${expected}; received ${received}.`
      : `${where} must be ${expected}; received ${received}.`;
  return new CouncilError(isName && from === 'flag' ? 'invalid_id' : 'invalid_config', message, {
    hint: isName
      ? '`council agents list` shows the agents; names are lower-case letters, digits and hyphens.'
      : `Correct ${from === 'file' ? `"${key}"` : where} and run the command again.`,
    details: { path: where, key, expected, received },
  });
}
