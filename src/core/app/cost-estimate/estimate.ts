// Estimates what a council will use up, before it starts (pure).
import { computeCost, estimateTokens } from '../../agents/prices.ts';
import type { Price } from '../../agents/prices.ts';
import type { PhaseName } from '../../council/state/choices.ts';
import type { UsageRecord } from '../../council/state/state.ts';

/** An agent at the table. */
export interface Seat {
  id: string;
  isCoordinator: boolean;
  /** Bytes of the prompt of COLLECT, the persona included; of the coordinator's without the contributions. */
  bytes: number;
  /** Undefined if unknown. */
  price: Price | undefined;
  /** Earlier launches of the same agent, or of the same model. */
  earlier: readonly UsageRecord[];
}

export interface Estimate {
  id: string;
  launches: number;
  inputTokens: number;
  outputTokens: number;
  /** Null where neither earlier launches nor a price tell it. */
  costUsd: number | null;
  /** How many earlier launches it rests on; 0: on the sizes of prompts alone. */
  earlier: number;
}

/** What an answer has where no earlier one tells. */
const ASSUMED_OUTPUT = 800;

/** Estimates the usage of each seat: every phase runs once per `repeat`, without retries. */
export function estimate(seats: readonly Seat[], phases: readonly PhaseName[], repeat: number): Estimate[] {
  const rounds = countSpeakingRounds(phases, repeat);
  const speakers = seats.filter(({ isCoordinator }) => !isCoordinator).length;
  return seats.map((seat) => {
    const output = averageEarlierFigure(seat, ({ outputTokens }) => outputTokens) ?? ASSUMED_OUTPUT;
    // Everything that was said before stands in the prompt of the next round.
    const heard = (round: number): number => round * speakers * output;
    const base = estimateTokens(seat.bytes);
    const least = averageEarlierFigure(seat, ({ inputTokens }) => inputTokens) ?? 0;
    const inputs = seat.isCoordinator
      ? [base + heard(rounds)]
      : Array.from({ length: rounds }, (_, round) => base + heard(round));
    const inputTokens = sum(inputs.map((tokens) => Math.max(tokens, least)));
    const launches = inputs.length;
    const used = { inputTokens: Math.round(inputTokens), outputTokens: Math.round(launches * output) };
    return {
      id: seat.id,
      launches,
      ...used,
      costUsd: expectedCost(seat, used),
      earlier: seat.earlier.length,
    };
  });
}

/** Rounds in which participants speak: CHALLENGE and RESOLVE may be played several times. */
function countSpeakingRounds(phases: readonly PhaseName[], repeat: number): number {
  const spoken = phases.filter((phase) => phase !== 'SYNTHESIZE');
  return spoken.length + (repeat - 1) * spoken.filter((phase) => phase !== 'COLLECT').length;
}

function expectedCost(
  { price, earlier }: Seat,
  used: { inputTokens: number; outputTokens: number },
): number | null {
  // What the provider billed before knows about caches and discounts.
  const billed = earlier.flatMap(({ costUsd, inputTokens, outputTokens }) =>
    costUsd === null || inputTokens === null ? [] : { costUsd, tokens: inputTokens + (outputTokens ?? 0) },
  );
  const tokens = sum(billed.map((one) => one.tokens));
  if (tokens > 0)
    return (sum(billed.map(({ costUsd }) => costUsd)) / tokens) * (used.inputTokens + used.outputTokens);
  return price ? computeCost(price, used) : null;
}

function averageEarlierFigure(
  { earlier }: Seat,
  figure: (record: UsageRecord) => number | null,
): number | undefined {
  const known = earlier.map(figure).filter((one) => one !== null);
  return known.length === 0 ? undefined : sum(known) / known.length;
}

export const sum = (figures: readonly number[]): number => figures.reduce((total, one) => total + one, 0);
