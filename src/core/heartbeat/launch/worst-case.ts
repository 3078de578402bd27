// What one launch may use up at the worst: the one place that says so, for budgets and for estimates before a council starts. Pure.
import type { Agent } from '../../agents/agent.ts';
import { computeCost, findDearestPrice, findPrice } from '../../agents/prices.ts';
import type { OwnPrices } from '../../agents/prices.ts';
import type { Reservation, UsageRecord } from '../../council/state/state.ts';

/** No text that is likely to be asked has more tokens: tables of figures and most scripts have fewer than one for three bytes. */
const LEAST_BYTES_PER_TOKEN = 3;
/** A long answer, or thinking that is billed as one; where an earlier launch said more, that counts. */
const LONG_ANSWER_TOKENS = 4000;

/** What one launch may use up. */
export type WorstCase = Omit<Reservation, 'lease' | 'participant'>;

/** What is known of earlier launches of the same agent. */
export interface Earlier {
  records: readonly UsageRecord[];
  /** What was reserved for them. */
  reserved: readonly Reservation[];
}

/**
 * Of a prompt of so many bytes. Input: its tokens, and what the program added to an earlier one. Output: the limit of the
 * agent, else the longest answer so far, at least a long one. US$: by the price of the model, else as dear as earlier launches,
 * else as the dearest model that the program may choose.
 */
export function computeWorstCase(
  agent: Pick<Agent, 'prices' | 'runner' | 'model' | 'max_tokens' | 'maxOutput'>,
  prices: OwnPrices,
  bytes: number,
  { records, reserved }: Earlier,
): WorstCase {
  const added = records.map(({ lease, inputTokens }) => {
    const own = reserved.find((one) => one.lease === lease);
    return own && inputTokens !== null ? inputTokens - own.inputTokens : 0;
  });
  const inputTokens = countMostTokens(bytes) + Math.max(0, ...added);
  const longest = Math.max(LONG_ANSWER_TOKENS, ...records.map((one) => one.outputTokens ?? 0));
  const limit = agent.runner === 'model' ? agent.max_tokens : null;
  const outputTokens = limit ?? Math.min(longest, countMostTokens(agent.maxOutput));
  const tokens = { inputTokens, outputTokens };
  const rate = Math.max(...records.flatMap(findRate));
  const price = findPrice(agent, prices) ?? (rate > 0 ? undefined : findDearestPrice(agent));
  const costUsd = price ? computeCost(price, tokens) : rate * (inputTokens + outputTokens);
  return { ...tokens, costUsd };
}

const countMostTokens = (bytes: number): number => Math.ceil(bytes / LEAST_BYTES_PER_TOKEN);

/** US$ a token, where a launch told both. */
function findRate({ inputTokens, outputTokens, costUsd }: UsageRecord): number[] {
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  return costUsd === null || tokens === 0 ? [] : [costUsd / tokens];
}
