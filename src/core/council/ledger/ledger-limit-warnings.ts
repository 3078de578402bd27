// Warns authors about claims or challenges beyond the ledger's limits.
import { MAX_CHALLENGES, MAX_CLAIMS } from './text/limits.ts';
import type { PhaseName } from '../state/allowed-values.ts';

/** Returns warnings for the author about claims or challenges that the ledger would merge. */
export async function listLimitWarnings(phase: PhaseName, text: string): Promise<string[]> {
  const limit = { COLLECT: MAX_CLAIMS, CHALLENGE: MAX_CHALLENGES, RESOLVE: null, SYNTHESIZE: null }[phase];
  // Each takes at least one line, so a short text needs no Markdown parser.
  if (limit === null || text.split('\n', limit + 1).length <= limit) return [];
  const what = phase === 'COLLECT' ? 'claims' : 'challenges';
  const { countClaims } = await import('./claims.ts');
  const { countPassages } = await import('./text/passages.ts');
  // Does not check whether a named claim exists: one that does not exist still counts towards the limit.
  const count =
    phase === 'COLLECT'
      ? countClaims(text)
      : countPassages(text, { isClaim: () => true, isSaid: () => false });
  if (count <= limit) return [];
  return [
    `Only ${limit} ${what} of a contribution are told apart; this one has ${count}. The text keeps all.`,
  ];
}
