// The figures of an eval: the document of --json, from which everything is printed. Pure.
import { sumFigures } from '../core/base/text.ts';
import { ARMS, judgePosition, STAGE_OF } from './arms.ts';
import type { Arm, Judgement, SittingResult, Stage } from './arms.ts';
import {
  computeBootstrap,
  computeMean,
  computeWilson,
  correctByHolm,
  countNeededQuestions,
  testMcNemar,
} from './statistics.ts';
import type { Interval } from './statistics.ts';

export interface ArmFigures {
  /** An arm, or a seat alone. */
  arm: Arm | `solo:${string}`;
  right: number;
  wrong: number;
  undecided: number;
  /** The share of right results, 0 to 1, and its 95 % interval. */
  share: number;
  interval: Interval;
  /** Contributions requested per question; each arm includes those of the blind vote. */
  turns: number;
  /** US$ per question; null if unknown. */
  costUsd: number | null;
}

/** Two arms compared on the same questions, with one result per question. */
export interface Comparison {
  arms: readonly [Arm, Arm];
  onlyFirst: number;
  onlySecond: number;
  /** From McNemar's exact test; `corrected` for the number of comparisons. */
  p: number;
  corrected: number;
  /** The share of the first arm minus that of the second, with its interval over the questions. */
  difference: number;
  interval: Interval | null;
  verdict: 'first' | 'second' | 'none' | 'tooFew';
  /** Questions needed to detect a difference of ten points; null if a difference was found. */
  needed: number | null;
}

/** The cost per additional right answer beyond the blind vote; null if none. An interval's null end is open. */
export interface Surcharge {
  arm: Arm;
  further: number;
  turns: number | null;
  interval: readonly [number | null, number | null] | null;
  costUsd: number | null;
}

export interface EvalReport {
  seats: string[];
  questions: number;
  repeat: number;
  results: number;
  /** Requested results that are not recorded. */
  missing: number;
  /** Launches of programs, including repair requests and failures. */
  launches: number;
  /** US$; null if unknown. */
  costUsd: number | null;
  arms: ArmFigures[];
  /** Results that the debate changed from not right to right, and back, compared with the blind vote. */
  corrected: number;
  corrupted: number;
  comparisons: Comparison[];
  surcharges: Surcharge[];
}

/** The tested pairs; the rest of the report makes no claims. */
const PAIRS: readonly (readonly [Arm, Arm])[] = [
  ['debate', 'more'],
  ['debate', 'vote'],
];
/** With fewer discordant pairs, even a one-sided split is not significant: 2 × 0.5 ^ 5 = 0.0625. */
export const LEAST_DISCORDANT = 6;
const LEVEL = 0.05;
/** A difference considered relevant. */
export const WORTH_KNOWING = 0.1;

/** `results` must be in the order of the questions. */
export function createReport(
  results: readonly SittingResult[],
  { seats, asked }: { seats: string[]; asked: number },
): EvalReport {
  const questions = [...Map.groupBy(results, ({ question }) => question.id).values()];
  const isRight = (arm: Arm) => (result: SittingResult) =>
    judgePosition(result.question, result.arms[arm]) === 'right';
  const solo = seats.map((seat, at) =>
    countArm(results, questions.length, {
      arm: `solo:${seat}`,
      judgements: results.map(({ question, solo: said }) => judgePosition(question, said[at] ?? null)),
      stages: [],
    }),
  );
  const arms = ARMS.map((arm) =>
    countArm(results, questions.length, {
      arm,
      judgements: results.map(({ question, arms: of }) => judgePosition(question, of[arm])),
      stages: STAGE_OF[arm] === 'blind' ? ['blind'] : ['blind', STAGE_OF[arm]],
    }),
  );
  const stages = results.flatMap(({ spent }) => Object.values(spent));
  const [wasRight, isRightNow] = [isRight('vote'), isRight('debate')];
  return {
    seats,
    questions: questions.length,
    repeat: Math.max(0, ...results.map(({ repeat }) => repeat)),
    results: results.length,
    missing: asked - results.length,
    launches: sumFigures(stages.map(({ launches }) => launches)),
    costUsd: sumKnown(stages.map(({ costUsd }) => costUsd)),
    arms: [...solo, ...arms],
    corrected: results.filter((one) => !wasRight(one) && isRightNow(one)).length,
    corrupted: results.filter((one) => wasRight(one) && !isRightNow(one)).length,
    comparisons: compareArms(questions),
    surcharges: (['revise', 'more', 'debate'] as const).map((arm) => computeSurcharge(questions, arm)),
  };
}

/** Repeats of a question are not independent: they make its share more precise, but not the interval narrower. */
function countArm(
  results: readonly SittingResult[],
  questions: number,
  { arm, judgements, stages }: Pick<ArmFigures, 'arm'> & { judgements: Judgement[]; stages: Stage[] },
): ArmFigures {
  const count = (judgement: Judgement) => judgements.filter((one) => one === judgement).length;
  const share = results.length === 0 ? 0 : count('right') / results.length;
  const costs = results.flatMap(({ spent }) => stages.map((stage) => spent[stage].costUsd));
  const turns = results.map(({ spent }) => sumFigures(stages.map((stage) => spent[stage].turns)));
  return {
    arm,
    right: count('right'),
    wrong: count('wrong'),
    undecided: count('undecided'),
    share,
    interval: computeWilson(share * questions, questions),
    turns: stages.length === 0 ? 1 : computeMean(turns),
    costUsd: stages.length === 0 ? null : divide(sumKnown(costs), results.length),
  };
}

const sumKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((all, value) => (all === null || value === null ? null : all + value), 0);
const divide = (value: number | null, by: number): number | null =>
  value === null || by === 0 ? null : value / by;

/** Returns how often an arm was right on one question, 0 to 1. */
const computeRightRate = (results: readonly SittingResult[], arm: Arm): number =>
  computeMean(results.map(({ question, arms }) => (judgePosition(question, arms[arm]) === 'right' ? 1 : 0)));

/** Each question counts once: as right if more than half of its repeats were. */
function compareArms(questions: readonly SittingResult[][]): Comparison[] {
  const pairs = PAIRS.map((arms) => {
    const rates = questions.map(
      (results) => arms.map((arm) => computeRightRate(results, arm)) as [number, number],
    );
    const countOneSided = (first: boolean): number =>
      rates.filter(([a, b]) => a > 0.5 === first && b > 0.5 !== first).length;
    const differences = rates.map(([a, b]) => a - b);
    const [onlyFirst, onlySecond] = [countOneSided(true), countOneSided(false)];
    return { arms, onlyFirst, onlySecond, differences, p: testMcNemar(onlyFirst, onlySecond) };
  });
  const corrected = correctByHolm(pairs.map(({ p }) => p));
  return pairs.map(({ differences, ...pair }, at) => {
    const verdict = judgeComparison(pair, corrected[at]!);
    const discordant = (pair.onlyFirst + pair.onlySecond) / questions.length;
    const isSeen = verdict === 'first' || verdict === 'second';
    return {
      ...pair,
      corrected: corrected[at]!,
      difference: computeMean(differences),
      interval: computeBootstrap(differences, computeMean),
      verdict,
      needed: isSeen || questions.length === 0 ? null : countNeededQuestions(discordant, WORTH_KNOWING),
    };
  });
}

function judgeComparison(
  { onlyFirst, onlySecond }: Pick<Comparison, 'onlyFirst' | 'onlySecond'>,
  p: number,
): Comparison['verdict'] {
  if (onlyFirst + onlySecond < LEAST_DISCORDANT) return 'tooFew';
  if (p >= LEVEL) return 'none';
  return onlyFirst > onlySecond ? 'first' : 'second';
}

/** Divides what an arm used beyond the blind vote, in turns and US$, by its additional right answers. */
function computeSurcharge(questions: readonly SittingResult[][], arm: Arm): Surcharge {
  const stage = STAGE_OF[arm];
  const each = questions.map((results) => ({
    further: computeRightRate(results, arm) - computeRightRate(results, 'vote'),
    turns: computeMean(results.map(({ spent }) => spent[stage].turns)),
    costs: results.map(({ spent }) => divide(spent[stage].costUsd, results.length)),
  }));
  const further = sumFigures(each.map((one) => one.further));
  const ratio = (some: typeof each): number => {
    const gained = sumFigures(some.map((one) => one.further));
    return gained > 0 ? sumFigures(some.map(({ turns }) => turns)) / gained : Infinity;
  };
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const interval = computeBootstrap(each, ratio);
  const costUsd = sumKnown(each.flatMap(({ costs }) => costs));
  return {
    arm,
    further,
    turns: finite(ratio(each)),
    interval: interval && [finite(interval[0]), finite(interval[1])],
    costUsd: further > 0 ? divide(costUsd, further) : null,
  };
}
