// Estimates what a launch has used up whose program told no figure, for the budget of its council.
import { computeCost, findDearestPrice, findPrice, estimateTokens } from '../../agents/prices.ts';
import type { Budget, UsageRecord } from '../../council/state/state.ts';
import type { LaunchPorts } from './ports.ts';
import { getRunnerId } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';

/** Bytes of what it was asked and of what it has said. */
interface Sizes {
  input: number;
  output: number;
}

/** The result with an estimate in its record where a budget needs one. Its note has no figure, for the phase may be blind. */
export function withEstimate(
  { agents, prices }: Pick<LaunchPorts, 'agents' | 'prices'>,
  launch: Launch,
  result: LaunchResult,
  sizes: Sizes,
): LaunchResult {
  const agent = agents.find(getRunnerId(launch));
  const { record } = result;
  const untold = record ? whatIsUntold(launch.state.budget, record) : undefined;
  if (!record || !agent || untold === undefined) return result;
  const isSilent = record.inputTokens === null && record.outputTokens === null;
  const tokens = isSilent
    ? { inputTokens: estimateTokens(sizes.input), outputTokens: estimateTokens(sizes.output) }
    : { inputTokens: record.inputTokens ?? 0, outputTokens: record.outputTokens ?? 0 };
  const costUsd = record.costUsd ?? computeCost(findPrice(agent, prices) ?? findDearestPrice(agent), tokens);
  const note = `it told ${untold}, so an estimate counts for the budget`;
  return { ...result, record: { ...record, estimate: { ...tokens, costUsd } }, note };
}

/** What a limit needs to know of a launch, and its program did not tell. */
function whatIsUntold(budget: Budget | undefined, record: UsageRecord): string | undefined {
  const limits = budget ? [budget, ...Object.values(budget.agents)] : [];
  const untold = [
    limits.some(({ tokens }) => tokens !== null) &&
      record.inputTokens === null &&
      record.outputTokens === null &&
      'no tokens',
    limits.some(({ usd }) => usd !== null) && record.costUsd === null && 'no cost',
  ].filter((one) => one !== false);
  return untold.length === 0 ? undefined : untold.join(' and ');
}
