// Prices and context windows of models: tables that COUNCIL.md can override (pure).
import type { Agent } from './agent.ts';

/** US$ per million tokens. */
export interface Price {
  input: number;
  output: number;
  /** Price of cached input; as for other input if not set. */
  cached?: number | undefined;
}

/** Date of the price table, as YYYY-MM: the providers' published prices of that month. */
export const PRICES_OF = '2026-11';

/** Prefixes of model names, and the short names that agent programs accept; the longest match counts. */
const TABLE: Record<string, readonly [input: number, output: number, cached: number]> = {
  'claude-fable': [10, 50, 1],
  'claude-opus': [5, 25, 0.5],
  'claude-opus-4-1': [15, 75, 1.5],
  'claude-opus-5-5': [4, 20, 0.4],
  opus: [4, 20, 0.4],
  'claude-sonnet': [3, 15, 0.3],
  'claude-sonnet-5': [2, 10, 0.2],
  sonnet: [2, 10, 0.2],
  'claude-haiku': [1, 5, 0.1],
  'claude-haiku-5-5': [0.1, 0.5, 0.01],
  haiku: [0.1, 0.5, 0.01],
  'gpt-4.1': [2, 8, 0.5],
  'gpt-4o': [2.5, 10, 1.25],
  'gpt-5': [1.25, 10, 0.125],
  'gpt-5-mini': [0.25, 2, 0.025],
  'gpt-5-nano': [0.05, 0.4, 0.005],
  'gpt-5.2': [1.75, 14, 0.175],
  'gpt-5.3': [1.75, 14, 0.175],
  'gpt-5.4': [2.5, 15, 0.25],
  'gpt-5.4-mini': [0.75, 4.5, 0.075],
  'gpt-5.5': [5, 30, 0.5],
  'gpt-5.5-mini': [0.4, 1.6, 0.04],
  'gpt-5.6-luna': [0.2, 1.2, 0.02],
  'gpt-5.6-sol': [4, 20, 0.4],
  'gpt-5.6-terra': [2, 12, 0.2],
  'gpt-6-astra': [10, 50, 1],
  'gpt-6-luna': [0.1, 0.5, 0.01],
  'gpt-6-sol': [2, 10, 0.2],
  'gpt-6.1-sol': [2, 10, 0.2],
  'gemini-2.5-flash': [0.3, 2.5, 0.03],
  'gemini-2.5-pro': [1.25, 10, 0.125],
  'gemini-3.1-pro': [2, 12, 0.2],
  'gemini-3.5-flash': [1.5, 9, 0.15],
  'gemini-3.6-flash': [0.75, 3.75, 0.075],
  'gemini-3.7-flash': [0.75, 3.75, 0.075],
  'gemini-3.8-flash': [0.75, 3.75, 0.075],
  'mistral-medium': [1.5, 7.5, 1.5],
  codestral: [0.3, 0.9, 0.3],
};

/** An approximation, since tokenizers differ: English prose and code have about four bytes per token. */
const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text by its size in bytes. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Surcharge on the input price for writing to the provider's cache. */
const WRITE_SURCHARGE = 0.25;

/** Returns the cost in US$. */
export const computeCost = (
  { input, output, cached = input }: Price,
  { inputTokens, cachedTokens = 0, writtenTokens = 0, outputTokens }: PricedTokens,
): number =>
  ((inputTokens - cachedTokens + WRITE_SURCHARGE * writtenTokens) * input +
    cachedTokens * cached +
    outputTokens * output) /
  1e6;

interface PricedTokens {
  inputTokens: number;
  /** Input tokens that were read from the provider's cache, and those written to it. */
  cachedTokens?: number | undefined;
  writtenTokens?: number | undefined;
  outputTokens: number;
}

/** Prices from COUNCIL.md, by prefix of the model name. */
export type OwnPrices = Readonly<Record<string, Price>>;

/**
 * Returns the price of an agent's model: its own file's first; local models cost nothing. Undefined if
 * unknown.
 */
export function findPrice(
  { prices, runner, model }: Pick<Agent, 'prices' | 'runner' | 'model'>,
  own: OwnPrices,
): Price | undefined {
  if (prices) return prices;
  if (runner === 'ollama' || model?.startsWith('ollama/')) return { input: 0, output: 0 };
  return model === null ? undefined : findModelPrice(model, own);
}

/** Name prefix of the models that a program uses if its agent names no model. */
const MAKERS: Readonly<Record<string, string>> = { claude: 'claude', codex: 'gpt', gemini: 'gemini' };

/** Returns the price of the most expensive model that a program may have chosen itself. */
export function findDearestPrice({ runner }: Pick<Agent, 'runner'>): Price {
  const beginning = MAKERS[runner] ?? '';
  const prices = Object.entries(TABLE).flatMap(([name, price]) =>
    name.startsWith(beginning) ? [price] : [],
  );
  const [input, output] = prices.reduce((most, one) => (one[1] > most[1] ? one : most));
  return { input, output };
}

/** Returns the price of a model by its name, with or without a provider prefix. Undefined if unknown. */
export function findModelPrice(model: string, own: OwnPrices): Price | undefined {
  const given = findByModelName(own, model);
  if (given) return given;
  const known = findByModelName(TABLE, model);
  return known && { input: known[0], output: known[1], cached: known[2] };
}

/** Looks up the longest matching prefix of a model name, with or without its provider. */
function findByModelName<T>(table: Readonly<Record<string, T>>, model: string): T | undefined {
  // "anthropic/claude-opus-5-5[1m]"
  const name = model.toLowerCase().replace(/\[.*\]$/, '');
  const short = name.slice(name.lastIndexOf('/') + 1);
  const fits = (key: string): boolean => name.startsWith(key) || short.startsWith(key);
  const [longest] = Object.entries(table)
    .filter(([key]) => fits(key.toLowerCase()))
    .toSorted(([a], [b]) => b.length - a.length);
  return longest?.[1];
}

/** Smallest context window offered for such models, in tokens; copied from the providers' pages in 2026-11. */
const WINDOWS: Record<string, number> = {
  claude: 200_000,
  'claude-fable': 1_000_000,
  'claude-opus-4-6': 1_000_000,
  'claude-opus-4-7': 1_000_000,
  'claude-opus-4-8': 1_000_000,
  'claude-opus-5': 1_000_000,
  'claude-sonnet-4-6': 1_000_000,
  'claude-sonnet-5': 1_000_000,
  'claude-haiku-5-5': 1_000_000,
  opus: 1_000_000,
  sonnet: 1_000_000,
  haiku: 200_000,
  'gpt-4.1': 1_047_576,
  'gpt-4o': 128_000,
  'gpt-5': 272_000,
  gemini: 1_048_576,
  'mistral-medium': 131_072,
  codestral: 256_000,
};

/** For programs whose agent names no model. */
const OF_PROGRAMS: Partial<Record<Agent['runner'], number>> = {
  claude: 200_000,
  codex: 272_000,
  gemini: 1_048_576,
};
/** Ollama's default: its server truncates longer prompts silently. */
const OLLAMA_WINDOW = 4096;

/** Returns the context window of an agent's model in tokens; undefined if unknown. */
export function findContextWindow({ runner, model }: Pick<Agent, 'runner' | 'model'>): number | undefined {
  if (runner === 'ollama' || model?.startsWith('ollama/')) return OLLAMA_WINDOW;
  if (model === null) return OF_PROGRAMS[runner];
  return model.endsWith('[1m]') ? 1_000_000 : findByModelName(WINDOWS, model);
}
