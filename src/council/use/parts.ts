// Reads a contribution part by part: what was added counts for what was missing, and for nothing else.
import { splitParts } from '../ledger/text/parts.ts';
import type { InParts } from '../ledger/text/parts.ts';
import { openBallot } from '../state/ballot.ts';
import type { CouncilState, Verdict } from '../state/state.ts';
import { wantedIn } from '../vote/wanted.ts';
import type { Declared } from '../vote/wanted.ts';
import { readVerdict } from './verdict.ts';
import type { ReadVerdict, VerdictFlags } from './verdict.ts';

interface Written extends Omit<Declared, 'verdict'>, InParts {
  flags: VerdictFlags;
  /** Its author was asked once more, whether that added a part or not. */
  wasAsked?: boolean;
}

/** The verdict of a contribution: that of its first part, with the position or vote that was missing there out of a later one, and what blocks where that was not clear. */
export function readParts(state: CouncilState, written: Written): ReadVerdict {
  const [first = '', ...others] = splitParts(written);
  let read = readIn(state, first, written.flags);
  for (const text of others) {
    const more = readIn(state, text, NO_FLAGS);
    const isAsked = read.unclear.some(({ field }) => field === 'blocking') && more.saysBlocking;
    const { blocking } = isAsked ? more.verdict : read.verdict;
    read = {
      ...more,
      verdict: { ...withMissing(state, written, read.verdict, more.verdict), blocking },
      warnings: [...read.warnings, ...more.warnings],
    };
  }
  // Who was asked for a vote and gives none is not silent: none of an earlier round counts.
  const isWithoutVote =
    (written.wasAsked === true || others.length > 0) &&
    wantedIn(state, { ...written, verdict: read.verdict }).includes('vote');
  return isWithoutVote ? { ...read, verdict: { ...read.verdict, unclear: true } } : read;
}

const readIn = (state: CouncilState, text: string, flags: VerdictFlags): ReadVerdict =>
  readVerdict(text, flags, openBallot(state), state.rules.options !== null);

export const NO_FLAGS: VerdictFlags = { agree: false, done: false, block: [] };

/** The first verdict, with what it lacks out of the second. */
function withMissing(
  state: CouncilState,
  { by, phase, tour }: Omit<Declared, 'verdict'>,
  verdict: Verdict,
  more: Verdict,
): Verdict {
  const wanted = (one: Verdict) => wantedIn(state, { by, phase, tour, verdict: one });
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
