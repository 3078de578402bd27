// Votes, decision, metrics and names read from the facts of an archive.
import { asJoined } from '../council/vote/ballot-figures.ts';
import { decide } from '../council/vote/decision.ts';
import { joinEquivalentPositions } from '../council/vote/joined-positions.ts';
import { collectVoteMarks } from '../council/vote/outcome.ts';
import { blindVotes, collectVotes } from '../council/vote/votes.ts';
import type { Vote } from '../council/vote/votes.ts';
import type { Proceedings, ArchiveMeta } from './archive.ts';
import { listRounds } from './archive.ts';
import type { Decision } from '../council/state/state.ts';
import { normalisePosition } from '../council/state/ballot.ts';
import { safe } from '../council/document/page.ts';
import { makeLetterFinder } from '../council/naming/reveal-names.ts';
import type { LedgerOfClaims } from '../council/naming/labels.ts';
import type { FindLetters } from '../council/naming/reveal-names.ts';

/** Everybody's vote after COLLECT and at the end, in seating order. */
export function readArchivedVotes({ meta, contributions }: Proceedings): { first: Vote[]; last: Vote[] } {
  const { rules, advocate } = meta;
  const ballots = {
    state: { order: meta.participants.map(({ id }) => id), ballot: meta.ballot },
    contributions,
  };
  const marks = collectVoteMarks({ rules, advocate });
  const tours = listRounds({ meta, contributions }).filter(([, phase]) => phase !== 'SYNTHESIZE');
  const upTo = tours.at(-1)?.[0] ?? 1;
  return { first: blindVotes(ballots, marks), last: collectVotes(ballots, { ...marks, upTo }) };
}

/** Everybody's last vote by the position that it counts as. */
export function countArchivedVotes(facts: Proceedings): Vote[] {
  const { last } = readArchivedVotes(facts);
  return facts.meta.ballot ? joinEquivalentPositions(last, facts.meta.ballot).votes : last;
}

/**
 * What the votes of COLLECT alone would have decided by the same rule, sentences that were joined later counted as one; null where
 * nothing was decided by a rule.
 */
export function withoutDebate(facts: Proceedings): Decision | null {
  const { rules, decision, quorum, participants, transitions, ballot } = facts.meta;
  if (!decision) return null;
  // Unanimity of COLLECT ended the council: there was no debate.
  if (transitions.some(({ from, reason }) => from === 'COLLECT' && reason === 'consensus')) return decision;
  const order = participants.map(({ id }) => id);
  const { first, last } = readArchivedVotes(facts);
  const votes = ballot
    ? first.map((vote) => asJoined(vote, joinEquivalentPositions(last, ballot), ballot))
    : first;
  const { how: _how, ...before } = decide({
    ...{ ...rules, order, quorum, votes, ballot },
    blind: facts.meta.blind ? votes : null,
  });
  return before;
}

/** True when both decide the same position, or nothing. */
export const isSameOutcome = (a: Decision, b: Decision): boolean =>
  a.decided === b.decided && normalisePosition(a.position ?? '') === normalisePosition(b.position ?? '');

type MetaWithLetters = Omit<ArchiveMeta, 'ledger' | 'metrics' | 'ballot'> & LedgerOfClaims;

/** Finds the letters in the texts of a council that is over, with titles for people: the id too where two have the same. */
export function findArchiveLetters({ meta }: { meta: MetaWithLetters }): FindLetters {
  const { participants } = meta;
  const getName = (id: string): string => {
    const { title } = participants.find((one) => one.id === id)!;
    const isShared = participants.filter((one) => one.title === title).length > 1;
    return safe(isShared ? `${title} (${id})` : title);
  };
  return makeLetterFinder({ ...meta, order: participants.map(({ id }) => id) }, getName);
}
