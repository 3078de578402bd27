// Reads a contribution part by part: what was added counts for what was missing, and for nothing else.
import { splitParts } from '../ledger/text/contribution-parts.ts';
import type { InParts } from '../ledger/text/contribution-parts.ts';
import { namesAnother } from '../naming/names.ts';
import { openBallot } from '../state/ballot.ts';
import type { CouncilState, Verdict } from '../state/state.ts';
import { listMissingStatements } from '../vote/missing-statements.ts';
import type { Declared } from '../vote/missing-statements.ts';
import { readVerdict } from './verdict.ts';
import type { ReadVerdict, VerdictFlags } from './verdict.ts';

interface Written extends Omit<Declared, 'verdict'>, InParts {
  flags: VerdictFlags;
}

/** The verdict of a contribution: that of its first part, with the position or vote that was missing there out of a later one, and what blocks in any of them. */
export function readParts(state: CouncilState, written: Written): ReadVerdict {
  const [first = '', ...others] = splitParts(written);
  let read = readPartVerdict(state, written.by, first, written.flags);
  for (const text of others) {
    const more = readPartVerdict(state, written.by, text, NO_FLAGS);
    const isAsked = read.unclear.some(({ field }) => field === 'blocking') && more.saysBlocking;
    // What blocks counts wherever it is said.
    const before = isAsked ? [] : read.verdict.blocking;
    const blocking = [...new Set([...before, ...more.verdict.blocking])];
    read = {
      ...more,
      verdict: { ...withMissing(state, written, read.verdict, more.verdict), blocking },
      warnings: [...read.warnings, ...more.warnings],
    };
  }
  // An answer without a vote, where a vote is asked for, is not silence: no earlier vote is carried.
  return listMissingStatements(state, { ...written, verdict: read.verdict }).includes('vote')
    ? { ...read, verdict: { ...read.verdict, unclear: true } }
    : read;
}

const readPartVerdict = (state: CouncilState, by: string, text: string, flags: VerdictFlags): ReadVerdict =>
  readVerdict(text, flags, openBallot(state), state.rules.options !== null, (words) =>
    namesAnother(state, by, words),
  );

export const NO_FLAGS: VerdictFlags = { agree: false, done: false, block: [] };

/** The first verdict, with what it lacks out of the second. */
function withMissing(
  state: CouncilState,
  { by, phase, tour }: Omit<Declared, 'verdict'>,
  verdict: Verdict,
  more: Verdict,
): Verdict {
  const wanted = (one: Verdict) => listMissingStatements(state, { by, phase, tour, verdict: one });
  if (wanted(verdict).length === 0) return verdict;
  if (more.position === null || wanted(more).length > 0) return verdict;
  const { vote: _vote, new: _new, unclear: _unclear, ...kept } = verdict;
  const { position, vote, new: added } = more;
  return {
    ...kept,
    position,
    ...(vote !== undefined && { vote }),
    ...(added !== undefined && { new: added }),
  };
}
