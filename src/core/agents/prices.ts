// What models cost and how many tokens they take: tables that COUNCIL.md overrides (pure).
import type { Agent } from './agent.ts';

/** US$ per million tokens. */
export interface Price {
  input: number;
  output: number;
}

/** When the table was read from the providers' pages. */
export const PRICES_OF = '2026-11';

/** Beginnings of model names, and the short names that agent programs take; the longest that fits counts. */
const TABLE: Record<string, readonly [input: number, output: number]> = {
  'claude-fable': [10, 50],
  'claude-opus': [5, 25],
  'claude-opus-4-1': [15, 75],
  'claude-opus-5-5': [4, 20],
  opus: [4, 20],
  'claude-sonnet': [3, 15],
  'claude-sonnet-5': [2, 10],
  sonnet: [2, 10],
  'claude-haiku': [1, 5],
  'claude-haiku-5-5': [0.1, 0.5],
  haiku: [0.1, 0.5],
  'gpt-4.1': [2, 8],
  'gpt-4o': [2.5, 10],
  'gpt-5': [1.25, 10],
  'gpt-5-mini': [0.25, 2],
  'gpt-5-nano': [0.05, 0.4],
  'gpt-5.2': [1.75, 14],
  'gpt-5.3': [1.75, 14],
  'gpt-5.4': [2.5, 15],
  'gpt-5.4-mini': [0.75, 4.5],
  'gpt-5.5': [5, 30],
  'gpt-5.5-mini': [0.4, 1.6],
  'gpt-5.6-luna': [0.2, 1.2],
  'gpt-5.6-sol': [4, 20],
  'gpt-5.6-terra': [2, 12],
  'gpt-6-astra': [10, 50],
  'gpt-6-luna': [0.1, 0.5],
  'gpt-6-sol': [2, 10],
  'gpt-6.1-sol': [2, 10],
  'gemini-2.5-flash': [0.3, 2.5],
  'gemini-2.5-pro': [1.25, 10],
  'gemini-3.1-pro': [2, 12],
  'gemini-3.5-flash': [1.5, 9],
  'gemini-3.6-flash': [0.75, 3.75],
  'gemini-3.7-flash': [0.75, 3.75],
  'gemini-3.8-flash': [0.75, 3.75],
  'mistral-medium': [1.5, 7.5],
  codestral: [0.3, 0.9],
};

/** No tokenizer fits all models: of English prose and code four bytes are about one token. */
const BYTES_PER_TOKEN = 4;

export const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** In US$. */
export const computeCost = (
  { input, output }: Price,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): number => (inputTokens * input + outputTokens * output) / 1e6;

/** The prices of COUNCIL.md, by the beginning of a model's name. */
export type OwnPrices = Readonly<Record<string, Price>>;

/** What an agent's model costs: its own file first; a model on this machine costs nothing. Undefined where the price is not known. */
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

/** The dearest model that a program may have chosen by itself. */
export function findDearestPrice({ runner }: Pick<Agent, 'runner'>): Price {
  const beginning = MAKERS[runner] ?? '';
  const prices = Object.entries(TABLE).flatMap(([name, price]) =>
    name.startsWith(beginning) ? [price] : [],
  );
  const [input, output] = prices.reduce((most, one) => (one[1] > most[1] ? one : most));
  return { input, output };
}

/** The price of a model by its name, with or without a provider prefix. Undefined if unknown. */
export function findModelPrice(model: string, own: OwnPrices): Price | undefined {
  const given = findByModelName(own, model);
  if (given) return given;
  const known = findByModelName(TABLE, model);
  return known && { input: known[0], output: known[1] };
}

/** What a table has for the longest beginning that fits a model's name, with or without its provider. */
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

/** Tokens of the smallest window that a model of that name is offered with; read from the providers' pages in 2026-11. */
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

/** Of programs whose agent names no model. */
const OF_PROGRAMS: Partial<Record<Agent['runner'], number>> = {
  claude: 200_000,
  codex: 272_000,
  gemini: 1_048_576,
};
/** A server of Ollama cuts longer prompts without a word, unless it was told otherwise. */
const OLLAMA_WINDOW = 4096;

/** The tokens of input that an agent's model takes; undefined where that is not known. */
export function findContextWindow({ runner, model }: Pick<Agent, 'runner' | 'model'>): number | undefined {
  if (runner === 'ollama' || model?.startsWith('ollama/')) return OLLAMA_WINDOW;
  if (model === null) return OF_PROGRAMS[runner];
  return model.endsWith('[1m]') ? 1_000_000 : findByModelName(WINDOWS, model);
}
