// Reads a contribution part by part: an addition counts only for what was missing.
import { splitParts } from '../ledger/text/spoken-words.ts';
import type { TextInParts } from '../ledger/text/spoken-words.ts';
import { mentionsAnother } from '../naming/names.ts';
import { createNameResolver } from '../naming/labels.ts';
import { openBallot } from '../state/ballot.ts';
import type { CouncilState, Verdict } from '../state/state.ts';
import { listMissingStatements } from '../vote/missing-statements.ts';
import type { DeclaredContribution } from '../vote/missing-statements.ts';
import { readVerdict } from './verdict.ts';
import type { RankScope } from './read-rank.ts';
import type { ReadVerdict, VerdictFlags } from './verdict.ts';

interface Written extends Omit<DeclaredContribution, 'verdict'>, TextInParts {
  flags: VerdictFlags;
}

/** Returns the first part's verdict, with what it lacks from later parts, and the blocking issues of all. */
export function readParts(state: CouncilState, written: Written): ReadVerdict {
  const [first = '', ...others] = splitParts(written);
  let read = readPartVerdict(state, written.by, first, written.flags);
  for (const text of others) {
    const more = readPartVerdict(state, written.by, text, NO_FLAGS);
    const isAsked = read.unclear.some(({ field }) => field === 'blocking') && more.saysBlocking;
    // Blocking issues count wherever they are stated.
    const before = isAsked ? [] : read.verdict.blocking;
    const blocking = [...new Set([...before, ...more.verdict.blocking])];
    read = {
      ...more,
      verdict: { ...fillVerdict(state, written, read.verdict, more.verdict), blocking },
      warnings: [...read.warnings, ...more.warnings],
    };
  }
  // An answer that lacks a required vote is not silence, so no earlier vote is carried over.
  const isUnvoted = listMissingStatements(state, { ...written, verdict: read.verdict }).some(
    (what) => what === 'vote' || what === 'rank',
  );
  return isUnvoted && state.rules.ranks !== 'answers'
    ? { ...read, verdict: { ...read.verdict, unclear: true } }
    : read;
}

/** Returns the verdict of one part; without a council, from the text alone. */
export const readPartVerdict = (
  state: CouncilState | undefined,
  by: string | null,
  text: string,
  flags: VerdictFlags,
): ReadVerdict =>
  state
    ? readVerdict(
        text,
        flags,
        openBallot(state),
        state.rules.options !== null,
        (words) => mentionsAnother(state, by, words),
        findRankScope(state, by),
      )
    : readVerdict(text, flags, []);

function findRankScope(state: CouncilState, ranker: string | null): RankScope | undefined {
  const { rules, ballot = [] } = state;
  if (rules.rule !== 'ranked' || ballot.length === 0) return undefined;
  return {
    ballot,
    ...(rules.ranks === 'answers' && { answers: { resolve: createNameResolver(state), ranker } }),
  };
}

export const NO_FLAGS: VerdictFlags = { agree: false, done: false, block: [] };

/** Completes the first verdict with what it lacks from the second. */
function fillVerdict(
  state: CouncilState,
  { by, phase, tour }: Omit<DeclaredContribution, 'verdict'>,
  verdict: Verdict,
  more: Verdict,
): Verdict {
  const listMissing = (one: Verdict) => listMissingStatements(state, { by, phase, tour, verdict: one });
  if (listMissing(verdict).length === 0) return verdict;
  if ((more.position === null && !more.rank) || listMissing(more).length > 0) return verdict;
  const { vote: _vote, new: _new, unclear: _unclear, ...kept } = verdict;
  const { position, vote, new: added, rank } = more;
  return {
    ...kept,
    position,
    ...(vote !== undefined && { vote }),
    ...(added !== undefined && { new: added }),
    ...(rank && { rank }),
  };
}
