// What the facts of an archive say of votes, decision, metrics and names, and how positions moved.
import type { Archive, Proceedings, ArchiveMeta } from './archive.ts';
import { listRounds } from './archive.ts';
import { normalisePosition } from '../council/state/ballot.ts';
import { asJoined } from '../council/vote/ballot-figures.ts';
import { decide } from '../council/vote/decision.ts';
import { joinEquivalentPositions } from '../council/vote/joined-positions.ts';
import { collectVoteMarks } from '../council/vote/outcome.ts';
import { blindVotes, collectVotes } from '../council/vote/votes.ts';
import type { Vote } from '../council/vote/votes.ts';
import type { Decision } from '../council/state/state.ts';
import { toSafeLine } from '../council/document/state-page.ts';
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
  const rounds = listRounds({ meta, contributions }).filter(([, phase]) => phase !== 'SYNTHESIZE');
  const upTo = rounds.at(-1)?.[0] ?? 1;
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
export function decideWithoutDebate(facts: Proceedings): Decision | null {
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

/** Returns a finder of labels in a finished council's texts, which maps them to titles (and ids if ambiguous). */
export function findArchiveLetters({ meta }: { meta: MetaWithLetters }): FindLetters {
  const { participants } = meta;
  const getName = (id: string): string => {
    const { title } = participants.find((one) => one.id === id)!;
    const isShared = participants.filter((one) => one.title === title).length > 1;
    return toSafeLine(isShared ? `${title} (${id})` : title);
  };
  return makeLetterFinder({ ...meta, order: participants.map(({ id }) => id) }, getName);
}

/** A participant's position at the end of a round; `statedIn` is an earlier round if it was carried over. */
export interface RoundPosition {
  tour: number;
  position: string | null;
  statedIn: number | null;
}

/** A participant's position and stance when the council ended. */
export interface FinalStanding {
  participant: string;
  /** False for a participant who never spoke. */
  spoke: boolean;
  /** One entry per round of the participants. */
  held: RoundPosition[];
  /** The last position, stated or carried. */
  position: string | null;
  /** The position it counts as: a different one if both were called the same. */
  counted: string | null;
  agreed: boolean;
  done: boolean;
  /** The blocking issues declared in the last contribution. */
  blocking: string[];
}

/** Returns the standing of every participant in seating order. The coordinator takes no position. */
export function computeStandings(archive: Pick<Archive, 'meta' | 'contributions'>): FinalStanding[] {
  const counted = new Map(countArchivedVotes(archive).map(({ by, position }) => [by, position]));
  const { ballot, decision, rules } = archive.meta;
  // The author of the answer ranked first could not rank it.
  const won = ballot?.find(({ id, author }) => author !== undefined && id === decision?.number);
  if (won?.author !== undefined) counted.set(won.author, won.position);
  const rounds = listRounds(archive)
    .filter(([, phase]) => phase !== 'SYNTHESIZE')
    .map(([tour]) => tour);
  const saidBy = Map.groupBy(archive.contributions, ({ by }) => by);
  return archive.meta.participants.map(({ id }) => {
    const said = (saidBy.get(id) ?? []).filter(({ phase }) => phase !== 'SYNTHESIZE');
    // A requested case against (the advocate's) is not the participant's own position.
    const last = said.findLast((c) => !c.advocate);
    const held = rounds.map((round): RoundPosition => {
      const stated = said.findLast(
        (c) => c.tour <= round && (c.position !== undefined || c.unclear === true),
      );
      return {
        tour: round,
        position: stated?.position ?? null,
        statedIn: stated?.unclear ? null : (stated?.tour ?? null),
      };
    });
    const done = said.some((c) => c.done === true);
    const position = (rules.ranks ? counted.get(id) : held.at(-1)?.position) ?? null;
    return {
      participant: id,
      spoke: said.length > 0,
      held,
      position,
      counted: counted.get(id) ?? position,
      // Agreement is requested anew in each phase, except from those who are done.
      agreed: last?.agreed === true && (done || said.at(-1)?.tour === rounds.at(-1)),
      done,
      blocking: last?.blocking ?? [],
    };
  });
}

/** Returns every change from one stated position to another, in seating order, then by round. */
export function listMoves(all: FinalStanding[]) {
  return all.flatMap(({ participant, held }) => {
    const stated = held.filter(
      (h): h is RoundPosition & { position: string } => h.position !== null && h.statedIn === h.tour,
    );
    return stated.flatMap((to, index) => {
      const from = stated[index - 1];
      if (!from || isSamePosition(from.position, to.position)) return [];
      return [{ participant, from: from.position, fromTour: from.tour, to: to.position, toTour: to.tour }];
    });
  });
}

/** Returns the last positions with their holders, most widely held first; joined positions count as one. */
export function groupByPosition(all: FinalStanding[]): { position: string; participants: string[] }[] {
  const groups: { position: string; participants: string[] }[] = [];
  for (const { participant, counted: position } of all) {
    if (position === null) continue;
    const group = groups.find((g) => isSamePosition(g.position, position));
    if (group) group.participants.push(participant);
    else groups.push({ position, participants: [participant] });
  }
  return groups.sort((a, b) => b.participants.length - a.participants.length);
}

/**
 * Returns the dissenters: those who block, or do not hold the decided position. Without a decided position:
 * those who did not agree although others did, or whose position is not the most common one. If no position is
 * the most common, returns everyone with a position.
 */
export function findDissenters(all: FinalStanding[], decided: string | null = null): FinalStanding[] {
  if (decided !== null)
    return all.filter(
      (s) => s.blocking.length > 0 || (s.counted !== null && !isSamePosition(s.counted, decided)),
    );
  const [first, second] = groupByPosition(all);
  const isWidest = first && first.participants.length > (second?.participants.length ?? 0);
  const majority = isWidest ? first.participants : [];
  const someAgreed = all.some((s) => s.agreed);
  return all.filter(
    (s) =>
      s.blocking.length > 0 ||
      (someAgreed && s.spoke && !s.agreed) ||
      (second !== undefined && s.position !== null && !majority.includes(s.participant)),
  );
}

const isSamePosition = (a: string, b: string): boolean => normalisePosition(a) === normalisePosition(b);

/** False if nothing is decided and no position was taken: a check, not a debate. */
export const hasVotes = (facts: Parameters<typeof computeStandings>[0]): boolean =>
  facts.meta.decision?.rule !== 'none' || computeStandings(facts).some(({ position }) => position !== null);
