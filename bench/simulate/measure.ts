import { decide } from '../../src/council/vote/decision.ts';
import { decisionOf } from '../../src/council/vote/outcome.ts';
import { answerIn } from './choose.ts';
import { playCouncil } from './council.ts';
import type { Played } from './council.ts';
import { RIGHT } from './model.ts';
import type { Model } from './model.ts';
import type { Decision, Rules } from '../../src/council/state/state.ts';
import type { Rule } from '../../src/council/state/choices.ts';

/** Shares of all councils. What is neither right nor wrong was not decided. */
export interface Share {
  right: number;
  wrong: number;
}

export interface Measured<Counted extends Rule = Rule> {
  councils: number;
  /** The first participant alone, before the debate. */
  single: Share;
  blindMajority: Share;
  blindPlurality: Share;
  byRule: Record<Counted, Share>;
  /** The majority rule where approvals settle a tie, and the councils in which a majority is missed by a tie. */
  settled: Share;
  tied: number;
  /** Councils that were unanimous and unblocked before anybody had read anybody, and of these the wrong ones. */
  unanimous: number;
  unanimousWrong: number;
  /** Of those, the councils whose majority was right after all, and those that lost a right unanimity. */
  rescued: number;
  spoilt: number;
  /** Participants per council who ended right after a wrong blind answer, and the reverse. */
  corrected: number;
  corrupted: number;
  explained: number;
  unexplained: number;
  noQuorum: number;
  /** Contributions per council: what it costs. */
  contributions: number;
  /** Variance of the share of right blind answers, and the accuracy, for the effective number of votes. */
  accuracy: number;
  effective: number;
}

let played = 0;
/** Councils played in this process so far, for the speed. */
export const councilsPlayed = (): number => played;

/** What most tables show. */
export const COMMON = ['majority', 'unanimity'] as const;

/** Plays `councils` councils of one model and counts what came out by each of `rules`. */
export function measure<Counted extends Rule>(
  model: Model,
  councils: number,
  rules: readonly Counted[],
): Measured<Counted> {
  const empty = (): Share => ({ right: 0, wrong: 0 });
  const sum: Measured<Counted> = {
    councils,
    single: empty(),
    blindMajority: empty(),
    blindPlurality: empty(),
    byRule: Object.fromEntries(rules.map((rule) => [rule, empty()])) as Record<Counted, Share>,
    settled: empty(),
    tied: 0,
    unanimous: 0,
    unanimousWrong: 0,
    rescued: 0,
    spoilt: 0,
    corrected: 0,
    corrupted: 0,
    explained: 0,
    unexplained: 0,
    noQuorum: 0,
    contributions: 0,
    accuracy: 0,
    effective: 0,
  };
  let squares = 0;
  for (let index = 0; index < councils; index++) {
    const council = playCouncil(model, index);
    const share = count(sum, council, rules);
    sum.accuracy += share;
    squares += share ** 2;
  }
  played += councils;
  return averaged(sum, squares);
}

function count<Counted extends Rule>(
  sum: Measured<Counted>,
  { table, blind, final, decision: outcome }: Played,
  counted: readonly Counted[],
): number {
  const { state } = table;
  const { order, quorum, rules } = state;
  const blindly = (rule: Rule) =>
    decide({ votes: blind, order, rule, quorum, vetoes: [], options: rules.options });
  const first = blind[0]!.position;
  if (first !== null) sum.single[isRight(first) ? 'right' : 'wrong']++;
  add(sum.blindMajority, blindly('majority'));
  add(sum.blindPlurality, blindly('plurality'));
  const by = (over: Partial<Rules>) =>
    decisionOf({ ...table, state: { ...state, rules: { ...rules, ...over } } });
  for (const rule of counted) add(sum.byRule[rule], rule === rules.rule ? outcome : by({ rule }));
  if (outcome.tie) sum.tied++;
  add(sum.settled, outcome.tie ? by({ tie: 'approvals' }) : outcome);
  if (outcome.reason === 'no_quorum') sum.noQuorum++;
  if (blind.every(({ position }) => position !== null && answerIn(position) === answerIn(first))) {
    sum.unanimous++;
    if (!isRight(first)) sum.unanimousWrong++;
    if (!isRight(first) && isRight(outcome.position)) sum.rescued++;
    if (isRight(first) && !isRight(outcome.position)) sum.spoilt++;
  }
  for (const [i, { position }] of final.entries()) {
    const before = blind[i]!.position;
    if (before === null || isRight(before) === isRight(position)) continue;
    sum[isRight(position) ? 'corrected' : 'corrupted']++;
  }
  for (const { explained } of state.ledger.moves) sum[explained ? 'explained' : 'unexplained']++;
  sum.contributions += state.order.length * (state.tour - 1) - state.absences.length;
  return blind.filter(({ position }) => isRight(position)).length / blind.length;
}

function averaged<Counted extends Rule>(sum: Measured<Counted>, squares: number): Measured<Counted> {
  const n = sum.councils;
  const part = (value: number) => value / n;
  const share = ({ right, wrong }: Share): Share => ({ right: part(right), wrong: part(wrong) });
  const accuracy = part(sum.accuracy);
  const variance = squares / n - accuracy ** 2;
  return {
    ...sum,
    single: share(sum.single),
    blindMajority: share(sum.blindMajority),
    blindPlurality: share(sum.blindPlurality),
    byRule: Object.fromEntries(
      Object.entries<Share>(sum.byRule).map(([rule, counted]) => [rule, share(counted)]),
    ) as Record<Counted, Share>,
    settled: share(sum.settled),
    tied: part(sum.tied),
    corrected: part(sum.corrected),
    corrupted: part(sum.corrupted),
    explained: part(sum.explained),
    unexplained: part(sum.unexplained),
    noQuorum: part(sum.noQuorum),
    contributions: part(sum.contributions),
    accuracy,
    // So many independent answers of this accuracy would scatter as widely.
    effective: variance > 0 ? (accuracy * (1 - accuracy)) / variance : 1,
  };
}

const isRight = (position: string | null): boolean => answerIn(position) === RIGHT;

function add(share: Share, { decided, position }: Decision): void {
  if (decided && position !== null) share[isRight(position) ? 'right' : 'wrong']++;
}
