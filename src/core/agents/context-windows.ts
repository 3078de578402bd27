// How many tokens of input models take: one table, by the beginnings of their names (pure).
import type { Agent } from './agent.ts';
import { findByModelName } from './prices.ts';

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
