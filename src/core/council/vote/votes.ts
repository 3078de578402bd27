// Reads each participant's vote from the contributions.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { findBallotNumber, pickCommonSpelling, normalisePosition } from '../state/ballot.ts';
import type { BallotLine, Contribution, CouncilState } from '../state/state.ts';

/** One participant's vote. */
export interface Vote {
  by: string;
  /** The participant's own last stated position; null if never stated. */
  position: string | null;
  /**
   * `spoken` in the counted round; `carried` from an earlier one; `advocate`: argued for the other side on
   * request, so the earlier position counts; `absent`: never heard; `recused`: excluded, outside the
   * denominator.
   */
  kind: 'spoken' | 'carried' | 'absent' | 'recused' | 'advocate';
  /** 0 to 1, as stated; used only in a weighted vote. */
  confidence?: number;
  agreed: boolean;
  blocking: boolean;
  /** On a ballot: the number of the position. */
  number?: string;
  /** On a ballot: the numbers it approves, including its own. */
  approves?: readonly string[];
  /** On a ballot: pairs of numbers it calls the same. */
  same?: readonly (readonly [string, string])[];
  /** Under `ranked`: groups of numbers, best first. */
  rank?: readonly (readonly string[])[];
}

/** The source of votes: an active council, or `{ state: { order }, contributions }` of an archive. */
export interface Ballots {
  state: Pick<CouncilState, 'order' | 'ballot'>;
  contributions: readonly Contribution[];
}

/** Participants and contributions that do not count as votes of their own. */
export interface VoteMarks {
  /** Excluded from the vote; the reason is recorded elsewhere. */
  recused?: readonly string[];
  /** Contributions requested from the advocate, in addition to marked ones: not the author's own position. */
  advocates?: readonly { by: string; tour: number }[];
}

export interface VoteScope extends VoteMarks {
  /** The last round that counts. Participants who did not speak in it are `carried`. */
  upTo: number;
}

/**
 * Returns one vote per participant, in seating order, from the visible contributions; none for the coordinator.
 * A position stays until its participant states another, or an unclear one; an advocate's contribution changes
 * only the kind. A blocking issue stays until its participant speaks again; agreement ends with its round,
 * unless done.
 * On a ballot, a position has its number; approvals and `same` stay until restated, and one's own position
 * counts as approved. If answers are ranked, the first-ranked one is held.
 */
export function collectVotes({ state, contributions }: Ballots, scope: VoteScope): Vote[] {
  const { upTo, recused = [], advocates = [] } = scope;
  const speaksForAnother = (c: Contribution) =>
    c.advocate === true || advocates.some((asked) => asked.by === c.by && asked.tour === c.tour);
  const inScope = contributions.filter((c) => c.tour <= upTo && c.phase !== 'SYNTHESIZE');
  const saidBy = Map.groupBy(inScope, ({ by }) => by);
  return state.order.map((by): Vote => {
    const said = saidBy.get(by) ?? [];
    const own = said.filter((c) => !speaksForAnother(c)).sort((a, b) => a.tour - b.tour);
    const last = own.at(-1);
    const newest = own.findLast((c) => c.position !== undefined || c.unclear === true);
    const stated = newest?.unclear ? undefined : newest;
    const asked = said.some((c) => c.tour === upTo && speaksForAnother(c));
    const done = own.some((c) => c.done === true);
    const confidence = stated && (state.ballot ? stated.confidence : parseConfidence(stated.text));
    const first = upTo > 1 && state.ballot ? pickFirstAnswer(own, state.ballot) : undefined;
    return {
      by,
      position: first ? first.position : (stated?.position ?? null),
      kind: classifyVote({ recused: recused.includes(by), asked, last, tour: upTo }),
      ...(confidence !== undefined && { confidence }),
      ...(state.ballot && pickBallotChoice(own, first ?? stated, state.ballot)),
      // The advocate was not asked for agreement, so the earlier statement stands.
      agreed: last?.agreed === true && (done || asked || last.tour === upTo),
      blocking: (last?.blocking ?? []).length > 0,
    };
  });
}

/** If answers are ranked: returns the sole answer in first place, never one's own; otherwise undefined. */
function pickFirstAnswer(
  own: readonly Contribution[],
  ballot: readonly BallotLine[],
): { position: string | null; vote?: string } | undefined {
  if (!ballot.some(({ author }) => author !== undefined)) return undefined;
  const [first = []] = own.findLast((c) => c.rank !== undefined)?.rank ?? [];
  const line = first.length === 1 ? ballot.find(({ id }) => id === first[0]) : undefined;
  return line ? { position: line.position, vote: line.id } : { position: null };
}

/** Returns the number voted for, and the latest approvals, `same` pairs and ranking. */
function pickBallotChoice(
  own: readonly Contribution[],
  stated: { vote?: string; position?: string | null } | undefined,
  ballot: readonly BallotLine[],
): Pick<Vote, 'number' | 'approves' | 'same' | 'rank'> {
  const number = stated && (stated.vote ?? findBallotNumber(ballot, stated.position ?? ''));
  const approves = own.findLast((c) => c.approve !== undefined)?.approve ?? [];
  const same = own.findLast((c) => c.same !== undefined)?.same ?? [];
  const ranked = own.findLast((c) => c.rank !== undefined || c.unclear === true);
  return {
    ...(number !== undefined && { number }),
    approves: [...new Set([...(number === undefined ? [] : [number]), ...approves])],
    same,
    ...(ranked?.rank && { rank: ranked.rank }),
  };
}

/** The blind vote: answers to COLLECT, before anyone could read another's. No positions while sealed. */
export const blindVotes = (ballots: Ballots, marks: VoteMarks = {}): Vote[] =>
  collectVotes(ballots, { ...marks, upTo: 1 });

/**
 * Returns the `confidence` in a contribution's front matter, 0 to 1. Reads only a plain line such as
 * `confidence: 0.8`; any other form is ignored, and a vote without confidence has full weight.
 */
export function parseConfidence(text: string): number | undefined {
  const found = /^confidence:[ \t]*([01](?:\.\d+)?|\.\d+)[ \t]*(?:#.*)?\r?$/m.exec(
    cutFrontMatter(text)?.yaml ?? '',
  );
  const value = Number(found?.[1] ?? NaN);
  return value <= 1 ? value : undefined;
}

function classifyVote(facts: {
  recused: boolean;
  asked: boolean;
  last: Contribution | undefined;
  tour: number;
}): Vote['kind'] {
  const { recused, asked, last, tour } = facts;
  if (recused) return 'recused';
  if (asked) return 'advocate';
  if (!last) return 'absent';
  return last.tour === tour ? 'spoken' : 'carried';
}

/** Weights are counted in whole millionths: sums of fractions would depend on the order of the participants. */
const UNIT = 1_000_000;

/** Keys that are rejected in JSON files; a position with such a name is quoted. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);

/** A stated position with its weight, 0 to 1. */
export interface StatedPosition {
  position: string;
  weight: number;
  by?: string;
}

/** The support of one position. */
export interface PositionSupport {
  /** The declared option's spelling, or the most frequent one. */
  position: string;
  /** Sum of the weights; the number of participants if unweighted. */
  weight: number;
  heads: number;
  by: string[];
  number?: string | undefined;
}

/**
 * Returns support by position, widest first, then by code units. The order of `stated` does not matter. Blank
 * positions, those outside the declared options, and those with zero weight are left out.
 */
export function tally(
  stated: readonly StatedPosition[],
  options: readonly string[] | null,
): PositionSupport[] {
  const declared = options && new Map(options.map((option) => [normalisePosition(option), option]));
  const groups = new Map<string, StatedPosition[]>();
  for (const one of stated) {
    const key = normalisePosition(one.position);
    if (key === '' || (declared && !declared.has(key))) continue;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const support = [...groups].map(([key, group]) => ({
    position: quoteReservedPosition(
      declared?.get(key) ?? pickCommonSpelling(group.map(({ position }) => position)),
    ),
    weight: group.reduce((sum, { weight }) => sum + Math.round(weight * UNIT), 0) / UNIT,
    heads: group.length,
    by: group.flatMap(({ by }) => by ?? []),
  }));
  return support
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || compareTexts(a.position, b.position));
}

/** Converts a tally to the object printed by commands: votes by position. */
export const asVotes = (support: readonly PositionSupport[]): Record<string, number> =>
  Object.fromEntries(support.map(({ position, weight }) => [position, weight]));

const quoteReservedPosition = (position: string): string =>
  REFUSED.has(position) ? `"${position}"` : position;

const compareTexts = (a: string, b: string): number => (a < b ? -1 : 1);
