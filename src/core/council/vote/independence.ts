// Estimates a panel's independent votes from its model families.

/**
 * Error correlation of two participants, 0 to 1: `within` one family, `across` two known ones.
 * `across` is measured: Kohli (2026), "Nine Judges, Two Effective Votes", arXiv:2605.29800, gives a mean
 * pairwise error correlation of 0.391 for nine models of seven families on ChaosNLI-MNLI (0.35 and 0.33 on its
 * two other sets), that is 9 / (1 + 8 · 0.391) = 2.18 votes. Another vendor therefore helps less than one would
 * like.
 * `within` is set, not measured: at 0.5 a panel of one family approaches, but never exceeds, 1 / 0.5 = 2 votes.
 * It must be above `across`: Kim et al. (2025), arXiv:2506.07962, find that models of one provider agree on
 * errors more often than models of two.
 */
export const CORRELATION = { within: 0.5, across: 0.391 };

export interface EffectiveVotes {
  /** At least 1 if there is a voter, at most the number of voters. */
  votes: number;
  /** Number of voters of unknown family, counted as independent of all others, which may flatter the figure. */
  unknown: number;
}

/**
 * Computes the number of independent votes of a table from its model families (null if unknown): Kish's
 * effective sample size with correlated errors, n_eff = n² / Σᵢ Σⱼ ρᵢⱼ, with ρᵢᵢ = 1. With a single ρ it is n /
 * (1 + (n − 1) ρ).
 * Source: Kish (1965), Survey Sampling; used for model panels by arXiv:2605.29800, see `CORRELATION`. A person
 * or a program of unknown family has ρ = 0 with everyone.
 */
export function countEffectiveVotes(families: readonly (string | null)[]): EffectiveVotes {
  const shared = families.flatMap((a, i) => families.map((b, j) => (i === j ? 1 : getCorrelation(a, b))));
  const sum = shared.reduce((total, rho) => total + rho, 0);
  return {
    votes: sum === 0 ? 0 : families.length ** 2 / sum,
    unknown: families.filter((family) => family === null).length,
  };
}

function getCorrelation(a: string | null, b: string | null): number {
  if (a === null || b === null) return 0;
  return a === b ? CORRELATION.within : CORRELATION.across;
}

/** Returns the family shared by all of at least two voters; null if one differs or is unknown. */
export function findSharedFamily(families: readonly (string | null)[]): string | null {
  const first = families[0] ?? null;
  return families.length > 1 && families.every((family) => family === first) ? first : null;
}

/** Names of a family's models and programs. No letter may follow a name, so "ollama" does not match. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  // Distilled models have two names: the teacher's comes first, because they inherit its errors.
  ['deepseek', /deepseek/],
  ['claude', /claude|anthropic|sonnet|opus|haiku/],
  ['gpt', /gpt|chatgpt|openai|codex|o[134](?=$|-)/],
  ['gemini', /gemini|gemma/],
  ['mistral', /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/],
  ['qwen', /qwen|qwq/],
  ['llama', /llama|codellama/],
  ['grok', /grok|xai/],
  ['command', /cohere|command-[ar]/],
  ['phi', /phi-?[1-9]/],
  ['nova', /nova-(?:micro|lite|pro|premier)/],
  ['kimi', /kimi|moonshot/],
  ['glm', /glm|chatglm|zhipu/],
  ['granite', /granite/],
  ['minimax', /minimax/],
];

/**
 * Finds the model family from a model's name (`anthropic/claude-sonnet-4-5`, `gpt-5`, `sonnet`) or a command's
 * arguments, where the value of `--model` or `-m` is checked first. Null if the name says nothing: a person, a
 * script, a new vendor.
 */
export function findModelFamily(model: string | readonly string[] | null): string | null {
  if (model === null) return null;
  const words = typeof model === 'string' ? [model] : sortModelArguments(model);
  for (const word of words) {
    const family = matchModelFamily(word);
    if (family !== null) return family;
  }
  return null;
}

/** Returns the arguments, most informative first; of paths only the file name, since users name folders. */
function sortModelArguments(argv: readonly string[]): string[] {
  const isFlag = (arg: string | undefined) => arg === '--model' || arg === '-m';
  const models = argv.flatMap((arg, at) =>
    arg.startsWith('--model=') ? [arg.slice('--model='.length)] : isFlag(argv[at - 1]) ? [arg] : [],
  );
  const rest = argv.map((arg) =>
    /^(?:[/\\.~]|[a-z]:)/i.test(arg) ? arg.slice(arg.search(/[^/\\]*$/)) : arg,
  );
  return [...models, ...rest];
}

function matchModelFamily(name: string): string | null {
  // A provider's name says nothing about another vendor's model.
  const own = name.toLowerCase().replace(/^openai-compatible\//, '');
  const parts = own.split(/[^a-z0-9-]+/);
  const found = FAMILIES.find(([, names]) =>
    parts.some((part) => new RegExp(`(?:^|-)(?:${names.source})(?![a-z])`).test(part)),
  );
  return found?.[0] ?? null;
}
