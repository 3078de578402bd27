// Settings of a project, merged from COUNCIL.md, the environment and options.
import {
  asAgents,
  asApprovalPlace,
  asCommand,
  asConcurrency,
  asCoordinator,
  asDollars,
  asGroups,
  asLanguage,
  asPrices,
  asRates,
  asRepair,
  asThreshold,
  asTokens,
  asToolRisks,
  asWhole,
  MAX_CONCURRENCY,
} from './config-values.ts';
import type { ApprovalPlace, Risk } from './config-values.ts';
import { asDuration } from './duration.ts';
import { CouncilError } from './errors.ts';
import { cutFrontMatter } from './front-matter-block.ts';
import { isId } from './ids.ts';
import { readLocale } from './words/words.ts';

/** One setting with its documentation and validation. */
interface Setting<T> {
  /** The expected value, for errors and for docs/settings.md. */
  expected: string;
  /** Returns undefined for a value that is not accepted. */
  accept(value: unknown): T | undefined;
  fallback: T;
  /** Its purpose, in docs/settings.md. */
  help: string;
  /** What holds where it is not set, in docs/settings.md; the fallback itself if undefined. */
  otherwise?: string | undefined;
  /** Only in COUNCIL.md: no variable and no option. */
  isFileOnly: boolean;
}

const defineSetting = <T>(
  help: string,
  expected: string,
  accept: (value: unknown) => T | undefined,
  fallback: T,
  otherwise?: string,
): Setting<T> => ({ help, expected, accept, fallback, otherwise, isFileOnly: false });

const defineFileSetting = <T>(...facts: Parameters<typeof defineSetting<T>>): Setting<T> => ({
  ...defineSetting(...facts),
  isFileOnly: true,
});

/** All settings; the type of `Config` is derived from them. */
export const SETTINGS = {
  lang: defineSetting(
    'the language of prompts, documents and what a terminal tells',
    'en or fr',
    asLanguage,
    'en',
  ),
  mode: defineSetting(
    'the mode of a council',
    'the name of a mode',
    (v) => (isId(v) ? v : undefined),
    'debate',
  ),
  /** Null for none, undefined if not configured. */
  coordinator: defineSetting<string | null | undefined>(
    'the agent that writes the synthesis; it may be none',
    "an agent's id, or none",
    asCoordinator,
    undefined,
    '`maman`, where models sit',
  ),
  /** Null for all agents of the project. */
  agents: defineSetting<string[] | null>(
    'the participants',
    'a list of agent ids, or ids separated by commas',
    asAgents,
    null,
    'all of `agents/`',
  ),
  /** Milliseconds; null uses the mode's own. */
  timeout: defineSetting<number | null>(
    'how long a phase may last',
    'a duration such as 300s, 30m or 1h',
    asDuration,
    null,
    'that of the mode',
  ),
  concurrency: defineSetting(
    'how many agents may be at work at once',
    `a whole number from 1 to ${MAX_CONCURRENCY}`,
    asConcurrency,
    4,
  ),
  /** US$; null for no limit. */
  budgetUsd: defineSetting<number | null>(
    'what one council may cost',
    'a number of US$ above 0',
    asDollars,
    null,
    'no limit',
  ),
  /** Input and output together; null for no limit. */
  budgetTokens: defineSetting<number | null>(
    'how many tokens one council may use up',
    'a whole number of tokens above 0',
    asTokens,
    null,
    'no limit',
  ),
  /** Milliseconds; null for the runner's default. */
  launchTimeout: defineFileSetting<number | null>(
    "how long one launch may take where the agent's own file does not say",
    'a duration such as 300s or 10m',
    asDuration,
    null,
    '`300s`',
  ),
  /** Null for the runner's default. */
  repair: defineFileSetting<number | null>(
    'how often an agent may be asked once more where its own file does not say',
    '0, 1 or 2',
    asRepair,
    null,
    '`1`',
  ),
  /** US$; null for never. */
  askAboveUsd: defineFileSetting<number | null>(
    'run asks before it starts above this estimate',
    'a number of US$, 0 or more',
    asThreshold,
    null,
    'never',
  ),
  /** US$ per million tokens, by prefix of a model's name. */
  prices: defineFileSetting<Record<string, { input: number; output: number; cached?: number }>>(
    'what models cost',
    'a mapping such as { my-model: { input: 3, output: 15 } }, in US$ per million tokens',
    asPrices,
    {},
    "council's own table",
  ),
  /** Milliseconds. */
  approvalTimeout: defineFileSetting(
    'after how long a request for an approval, and an approval that was not used, expires',
    'a duration such as 30m or 1h',
    asDuration,
    3_600_000,
    '`1h`',
  ),
  approveAt: defineFileSetting<ApprovalPlace>(
    'where a person approves',
    'terminal or anywhere',
    asApprovalPlace,
    'anywhere',
  ),
  toolRisks: defineFileSetting<Record<string, Risk>>(
    'how risky it is to call the tools whose names match a pattern',
    'a mapping such as { "*delete*": high }: low, medium or high',
    asToolRisks,
    {},
    'none is',
  ),
  /** Tokens; null for no limit. */
  taskBudget: defineFileSetting<number | null>(
    'how many tokens a task may use up where nothing else is said',
    'a whole number of tokens above 0',
    asTokens,
    null,
    'no limit',
  ),
  taskDepth: defineFileSetting(
    'how often a task may be handed on',
    'a whole number from 0 to 5',
    (value) => asWhole(value, 0, 5),
    3,
  ),
  taskParts: defineFileSetting(
    'how many parts may be handed on out of one task',
    'a whole number from 0 to 20',
    (v) => asWhole(v, 0, 20),
    3,
  ),
  providerRates: defineFileSetting<Record<string, number>>(
    'how many launches a minute the agents of one provider may have together',
    'a mapping such as { anthropic: 30 }',
    asRates,
    {},
    'no limit',
  ),
  /** An argument list; null for none. */
  notify: defineFileSetting<string[] | null>(
    'the command that is told what happens',
    'a list of a program and its arguments, all of them text',
    asCommand,
    null,
    'none',
  ),
  groups: defineFileSetting<Record<string, string[]>>(
    'agents that may be written to together',
    'a mapping such as { G1: [codex-1, claude-1] }: names with a capital, of agents',
    asGroups,
    {},
    'none',
  ),
} satisfies Record<string, Setting<unknown>>;

type Key = keyof typeof SETTINGS;

/** The settings of a project: COUNCIL.md, the environment and the command line, merged. */
export type Config = { [K in Key]: (typeof SETTINGS)[K]['fallback'] } & {
  /** The body of COUNCIL.md: part of every prompt. */
  houseRules: string;
  /** Sentences about ignored settings. */
  warnings: string[];
};

/** The names of all settings. `store` is read earlier, by the stores. */
const NAMES = [...Object.keys(SETTINGS), 'store'];
/** Maximum number of unknown settings to name individually. */
const MAX_UNKNOWN = 10;

/** Returns the environment variable of a setting: COUNCIL_BUDGET_USD for budgetUsd. */
export const nameVariable = (key: string): string => `COUNCIL_${splitKeyWords(key, '_').toUpperCase()}`;

export interface ConfigSources {
  /** The text of COUNCIL.md; undefined if there is none. */
  text: string | undefined;
  /** Its path, for errors. */
  path: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Command line options by setting; others are ignored. */
  flags: Readonly<Record<string, unknown>>;
}

/** A value with its source, for precedence and errors. */
interface ConfigEntry {
  value: unknown;
  where: string;
  from: 'flag' | 'environment' | 'file';
}

/**
 * Merges the sources: flags override the environment, which overrides COUNCIL.md's front matter, which
 * overrides the defaults. The environment's language (LC_ALL, LC_MESSAGES, LANG) overrides only the default
 * one. An empty variable counts as not set; an empty `--coordinator` means `none`. Throws `invalid_config`
 * (for a name on the command line `invalid_id`) with path, key, expected and received value.
 */
export async function readConfig({ text, path, env, flags }: ConfigSources): Promise<Config> {
  const { data, body } = await readFile(text ?? '', path);
  const find = (key: Key): ConfigEntry | undefined => {
    const variable = nameVariable(key);
    if (!SETTINGS[key].isFileOnly) {
      if (flags[key] !== undefined)
        return {
          value: flags[key],
          where: `the option --${splitKeyWords(key, '-').toLowerCase()}`,
          from: 'flag',
        };
      if (env[variable])
        return { value: env[variable], where: `the environment variable ${variable}`, from: 'environment' };
    }
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    return value === undefined || value === null ? undefined : { value, where: path, from: 'file' };
  };
  const read = (key: Key): unknown => {
    const { expected, accept, fallback } = SETTINGS[key];
    const found = find(key);
    if (!found) return key === 'lang' ? readLocale(env) : fallback;
    const value = accept(found.value);
    if (value === undefined) throw describeInvalid(found, key, expected);
    return value;
  };
  const settings = Object.fromEntries((Object.keys(SETTINGS) as Key[]).map((key) => [key, read(key)]));
  return {
    ...(settings as unknown as Config),
    houseRules: body.trim(),
    warnings: listUnknownKeys(data, path),
  };
}

async function readFile(
  text: string,
  path: string,
): Promise<{ data: Record<string, unknown>; body: string }> {
  // Loading the YAML reader takes longer than the rest of a command's startup.
  const isEmptyYaml = (yaml: string) => /^(?:[ \t]*(?:#.*)?(?:\r?\n|$))*$/.test(yaml);
  const block = cutFrontMatter(text);
  if (block && isEmptyYaml(block.yaml)) return { data: {}, body: block.body };
  if (!/^\uFEFF?---/.test(text)) return { data: {}, body: text.replace(/^\uFEFF/, '') };
  const { readFrontMatter } = await import('./front-matter.ts');
  return readFrontMatter(text, path);
}

/** Splits `budgetUsd` into `budget_Usd` or `budget-Usd`. */
const splitKeyWords = (key: string, joint: string): string => key.replace(/(?=[A-Z])/g, joint);

function listUnknownKeys(data: Record<string, unknown>, path: string): string[] {
  const unknown = Object.keys(data).filter((key) => !NAMES.includes(key));
  const named = unknown.slice(0, MAX_UNKNOWN).map((key) => {
    const shown = JSON.stringify(key.slice(0, 80));
    return `${path}: the setting ${shown} is not known and was ignored. Known: ${NAMES.join(', ')}.`;
  });
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${path}: ${more} more settings are not known and were ignored.`] : named;
}

function describeInvalid({ value, where, from }: ConfigEntry, key: Key, expected: string): CouncilError {
  const received = (JSON.stringify(value) ?? String(value)).slice(0, 120);
  const isName = key === 'mode' || key === 'coordinator' || key === 'agents';
  const message =
    from === 'file'
      ? `${where}: "${key}" must be ${expected}; received ${received}.`
      : `${where} must be ${expected}; received ${received}.`;
  return new CouncilError(isName && from === 'flag' ? 'invalid_id' : 'invalid_config', message, {
    hint: isName
      ? '`council agents list` shows the agents; names are lower-case letters, digits and hyphens.'
      : {
          file: 'Correct this setting in COUNCIL.md, or remove it.',
          environment: 'Correct this variable, or unset it.',
          flag: 'council doctor shows what is set here, and whether it can be read.',
        }[from],
    details: { path: where, key, expected, received },
  });
}
