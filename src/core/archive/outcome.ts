// Computes votes, decision and names from the facts of an archive.
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

/** Returns all votes after COLLECT and at the end, in seating order. */
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

/** Returns all last votes, after joining positions that count as one. */
export function countArchivedVotes(facts: Proceedings): Vote[] {
  const { last } = readArchivedVotes(facts);
  return facts.meta.ballot ? joinEquivalentPositions(last, facts.meta.ballot).votes : last;
}

/**
 * Computes what the votes of COLLECT alone would have decided by the same rule, with positions joined as in the
 * end; null if nothing was decided by a rule.
 */
export function withoutDebate(facts: Proceedings): Decision | null {
  const { rules, decision, quorum, participants, transitions, ballot } = facts.meta;
  if (!decision) return null;
  // Unanimity in COLLECT ended the council without a debate.
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

/** True if both decide the same position, or nothing. */
export const isSameOutcome = (a: Decision, b: Decision): boolean =>
  a.decided === b.decided && normalisePosition(a.position ?? '') === normalisePosition(b.position ?? '');

type MetaWithLetters = Omit<ArchiveMeta, 'ledger' | 'metrics' | 'ballot'> & LedgerOfClaims;

/**
 * Returns a finder of labels in the texts of a finished council, which maps them to titles, plus the id if two
 * titles are equal.
 */
export function findArchiveLetters({ meta }: { meta: MetaWithLetters }): FindLetters {
  const { participants } = meta;
  const getName = (id: string): string => {
    const { title } = participants.find((one) => one.id === id)!;
    const isShared = participants.filter((one) => one.title === title).length > 1;
    return safe(isShared ? `${title} (${id})` : title);
  };
  return makeLetterFinder({ ...meta, order: participants.map(({ id }) => id) }, getName);
}
