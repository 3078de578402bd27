// Reads each participant's vote from the contributions.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { findBallotNumber, pickCommonSpelling, normalisePosition } from '../state/ballot.ts';
import type { BallotLine, Contribution, CouncilState } from '../state/state.ts';

/** Where one participant stands. */
export interface Vote {
  by: string;
  /** Its own last stated position; null when it never stated one. */
  position: string | null;
  /**
   * `spoken` in the tour that is counted; `carried` from an earlier one; `advocate`: it spoke for the other side on
   * request, and its earlier position counts; `absent`: never heard; `recused`: excluded, outside the denominator.
   */
  kind: 'spoken' | 'carried' | 'absent' | 'recused' | 'advocate';
  /** 0 to 1, as the participant stated it; looked at in a weighted vote only. */
  confidence?: number;
  agreed: boolean;
  blocking: boolean;
  /** On a ballot: the number of the position; not set without one. */
  number?: string;
  /** On a ballot: the numbers that it can live with, its own among them. */
  approves?: readonly string[];
  /** On a ballot: pairs of numbers that it calls the same. */
  same?: readonly (readonly [string, string])[];
  /** Under the rule `ranked`: numbers in groups, the best first. */
  rank?: readonly (readonly string[])[];
}

/** What votes are read from: an active council, or `{ state: { order }, contributions }` of an archive. */
export interface Ballots {
  state: Pick<CouncilState, 'order' | 'ballot'>;
  contributions: readonly Contribution[];
}

/** Whose voice is not its own vote. */
export interface VoteMarks {
  /** Excluded from the vote, recorded with a reason elsewhere. */
  recused?: readonly string[];
  /**
   * Contributions requested from the advocate, besides those marked so: not the author's own
   * position.
   */
  advocates?: readonly { by: string; tour: number }[];
}

export interface VoteScope extends VoteMarks {
  /** The last tour whose contributions count: who has not spoken in it is `carried`. */
  upTo: number;
}

/**
 * One vote per participant, in seating order, from the visible contributions. The coordinator has
 * none. A position stays until its participant states another one, or an unclear one; an advocate's
 * contribution changes only the kind. A blocking issue stands until its participant speaks again;
 * agreement ends with its tour, unless done. On a ballot a position has its number; approvals and
 * `same` stand until stated anew, and the own position counts as approved. Where answers are ranked,
 * the one that stands first is held.
 */
export function collectVotes({ state, contributions }: Ballots, scope: VoteScope): Vote[] {
  const { upTo, recused = [], advocates = [] } = scope;
  const forAnother = (c: Contribution) =>
    c.advocate === true || advocates.some((asked) => asked.by === c.by && asked.tour === c.tour);
  const inScope = contributions.filter((c) => c.tour <= upTo && c.phase !== 'SYNTHESIZE');
  const saidBy = Map.groupBy(inScope, ({ by }) => by);
  return state.order.map((by): Vote => {
    const said = saidBy.get(by) ?? [];
    const own = said.filter((c) => !forAnother(c)).sort((a, b) => a.tour - b.tour);
    const last = own.at(-1);
    const newest = own.findLast((c) => c.position !== undefined || c.unclear === true);
    const stated = newest?.unclear ? undefined : newest;
    const asked = said.some((c) => c.tour === upTo && forAnother(c));
    const done = own.some((c) => c.done === true);
    const confidence = stated && (state.ballot ? stated.confidence : parseConfidence(stated.text));
    const first = upTo > 1 && state.ballot ? pickFirstAnswer(own, state.ballot) : undefined;
    return {
      by,
      position: first ? first.position : (stated?.position ?? null),
      kind: classifyVote({ recused: recused.includes(by), asked, last, tour: upTo }),
      ...(confidence !== undefined && { confidence }),
      ...(state.ballot && pickBallotChoice(own, first ?? stated, state.ballot)),
      // Who argued for the other side was not asked whether it agrees: what it said before stands.
      agreed: last?.agreed === true && (done || asked || last.tour === upTo),
      blocking: (last?.blocking ?? []).length > 0,
    };
  });
}

/** Where answers are ranked: the answer alone in first place, which is never one's own; undefined elsewhere. */
function pickFirstAnswer(
  own: readonly Contribution[],
  ballot: readonly BallotLine[],
): { position: string | null; vote?: string } | undefined {
  if (!ballot.some(({ author }) => author !== undefined)) return undefined;
  const [first = []] = own.findLast((c) => c.rank !== undefined)?.rank ?? [];
  const line = first.length === 1 ? ballot.find(({ id }) => id === first[0]) : undefined;
  return line ? { position: line.position, vote: line.id } : { position: null };
}

/** The number that is voted for, and what was approved and called the same last. */
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

/** The blind vote: what COLLECT brought before anybody had read anybody. Empty of positions while it is sealed. */
export const blindVotes = (ballots: Ballots, marks: VoteMarks = {}): Vote[] =>
  collectVotes(ballots, { ...marks, upTo: 1 });

/**
 * The number that a contribution's front matter gives as its `confidence`, 0 to 1. Only a plain line `confidence: 0.8`
 * is read: another form counts as none, and a vote without one is a whole vote.
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

/** Keys that council's files refuse in JSON: a position of such a name is shown in quotes. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);

/** A stated position with the share of a vote that it carries, 0 to 1. */
export interface Stated {
  position: string;
  weight: number;
  by?: string;
}

/** How widely one position is held. */
export interface Support {
  /** The declared option's spelling, or the most frequent one. */
  position: string;
  /** Sum of the weights; the number of participants when nothing is weighted. */
  weight: number;
  heads: number;
  by: string[];
  number?: string | undefined;
}

/**
 * Support by position, the widest first, then by code units. Nothing depends on the order of `stated`.
 * A blank position, one outside the declared options, and one that all its holders give no weight support nothing.
 */
export function tally(stated: readonly Stated[], options: readonly string[] | null): Support[] {
  const declared = options && new Map(options.map((option) => [normalisePosition(option), option]));
  const groups = new Map<string, Stated[]>();
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
    .sort((a, b) => b.weight - a.weight || compare(a.position, b.position));
}

/** A tally as the object that commands print: votes by position. */
export const asVotes = (support: readonly Support[]): Record<string, number> =>
  Object.fromEntries(support.map(({ position, weight }) => [position, weight]));

const quoteReservedPosition = (position: string): string =>
  REFUSED.has(position) ? `"${position}"` : position;

/** For different strings. */
const compare = (a: string, b: string): number => (a < b ? -1 : 1);
