// Warnings for authors about claims or challenges beyond the ledger's limits.
import { MAX_CHALLENGES, MAX_CLAIMS } from './text/limits.ts';
import type { PhaseName } from '../state/choices.ts';

/** What the ledger will not tell apart in a contribution to `phase`, as sentences for its author. */
export async function beyondLedger(phase: PhaseName, text: string): Promise<string[]> {
  const limit = { COLLECT: MAX_CLAIMS, CHALLENGE: MAX_CHALLENGES, RESOLVE: null, SYNTHESIZE: null }[phase];
  // Each takes a line of its own: no Markdown parser is loaded for a text of few lines.
  if (limit === null || text.split('\n', limit + 1).length <= limit) return [];
  const what = phase === 'COLLECT' ? 'claims' : 'challenges';
  const { countClaims } = await import('./claims.ts');
  const { countPassages } = await import('./text/passages.ts');
  // Which claims exist is not asked here: naming one that does not is a challenge too many all the same.
  const count =
    phase === 'COLLECT'
      ? countClaims(text)
      : countPassages(text, { isClaim: () => true, isSaid: () => false });
  if (count <= limit) return [];
  return [
    `Only ${limit} ${what} of a contribution are told apart; this one has ${count}. The text keeps all.`,
  ];
}
