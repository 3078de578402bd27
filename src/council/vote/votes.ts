// Reads each participant's vote from the contributions.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import type { Vote } from './decision.ts';
import type { Contribution, CouncilState } from '../state/state.ts';

/** What votes are read from: an active council, or `{ state: { order }, contributions }` of an archive. */
export interface Ballots {
  state: Pick<CouncilState, 'order'>;
  contributions: readonly Contribution[];
}

/** Whose voice is not its own vote. */
export interface VoteMarks {
  /** Excluded from the vote, recorded with a reason elsewhere. */
  recused?: readonly string[];
  /** Contributions that were asked for as the advocate, beside those that are marked so: nobody's own position. */
  advocates?: readonly { by: string; tour: number }[];
}

export interface VoteScope extends VoteMarks {
  /** The last tour whose contributions count. */
  upTo: number;
  /** The tour in which somebody must have spoken to be `spoken` and not `carried`; the last one unless said. */
  tour?: number;
}

/**
 * One vote for each participant, in seating order, from the contributions that are in the open. The coordinator has none.
 * A position stays until its participant states another one; a contribution made as the advocate changes nothing but
 * the kind. A blocking issue stands until its participant speaks again; agreement ends with its tour, unless done.
 */
export function votesOf({ state, contributions }: Ballots, scope: VoteScope): Vote[] {
  const { upTo, tour = upTo, recused = [], advocates = [] } = scope;
  const forAnother = (c: Contribution) =>
    c.advocate === true || advocates.some((asked) => asked.by === c.by && asked.tour === c.tour);
  return state.order.map((by): Vote => {
    const said = contributions.filter((c) => c.by === by && c.tour <= upTo && c.phase !== 'SYNTHESIZE');
    const own = said.filter((c) => !forAnother(c)).sort((a, b) => a.tour - b.tour);
    const last = own.at(-1);
    const stated = own.findLast((c) => c.position !== undefined);
    const asked = said.some((c) => c.tour === tour && forAnother(c));
    const done = own.some((c) => c.done === true);
    const confidence = stated && confidenceIn(stated.text);
    return {
      by,
      position: stated?.position ?? null,
      kind: kindOf({ recused: recused.includes(by), asked, last, tour }),
      ...(confidence !== undefined && { confidence }),
      // Who argued for the other side was not asked whether it agrees: what it said before stands.
      agreed: last?.agreed === true && (done || asked || last.tour === tour),
      blocking: (last?.blocking ?? []).length > 0,
    };
  });
}

/** The blind vote: what COLLECT brought before anybody had read anybody. Empty of positions while it is sealed. */
export const blindVotes = (ballots: Ballots, marks: VoteMarks = {}): Vote[] =>
  votesOf(ballots, { ...marks, upTo: 1 });

/**
 * The number that a contribution's front matter gives as its `confidence`, 0 to 1. Only a plain line `confidence: 0.8`
 * is read: another form counts as none, and a vote without one is a whole vote.
 */
export function confidenceIn(text: string): number | undefined {
  const found = /^confidence:[ \t]*([01](?:\.\d+)?|\.\d+)[ \t]*(?:#.*)?\r?$/m.exec(
    cutFrontMatter(text)?.yaml ?? '',
  );
  const value = Number(found?.[1] ?? NaN);
  return value <= 1 ? value : undefined;
}

function kindOf(facts: {
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
