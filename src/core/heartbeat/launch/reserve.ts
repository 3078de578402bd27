// Reserves the worst case of a launch in the budget, and marks participants absent that no longer fit.
import { findShortage, addUsage } from '../../council/state/budget.ts';
import type { Shortage } from '../../council/state/budget.ts';
import { awaited, getSeat } from '../../council/state/state.ts';
import type { CouncilState, Lease, Reservation, UsageRecord } from '../../council/state/state.ts';
import { readControls, readSpooled } from '../../council/use/read-spools.ts';
import { applyEvent } from '../../council/use/council-access.ts';
import { buildLaunchInput } from './launch-input.ts';
import { isMisconfigured } from './launch-program.ts';
import type { LaunchPorts } from './ports.ts';
import type { Agent } from '../../agents/agent.ts';
import { computeCost, findDearestPrice, findPrice } from '../../agents/prices.ts';
import type { OwnPrices } from '../../agents/prices.ts';

interface WantedLaunch {
  state: CouncilState;
  participant: string;
  /** The agent whose runner is launched. */
  runner: string;
}

/**
 * Estimates the reservation for a launch; undefined if the council has no budget, or the launch will fail
 * without its agent or mode. Usage in a blind phase is left out, because everyone can see the reservation.
 */
export async function estimateReservation(
  ports: LaunchPorts,
  { state, participant, runner }: WantedLaunch,
): Promise<Omit<Reservation, 'lease'> | undefined> {
  const { usage = [], budget } = state;
  const agent = ports.agents.find(runner);
  if (!budget || !agent) return undefined;
  const lease = runner === participant ? {} : { lender: runner };
  const input = await ignoreMisconfigured(buildLaunchInput(ports, { state, participant, lease }, {}));
  if (!input) return undefined;
  const { view, system } = input;
  const text = agent.input === 'json' ? JSON.stringify(view) : view.prompt;
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(system);
  const records = usage.filter((one) => one.participant === participant);
  return {
    participant,
    ...computeWorstCase(agent, ports.prices, bytes, { records, reserved: budget.reserved ?? [] }),
  };
}

/** Returns undefined if the launch itself will report what is wrong. */
async function ignoreMisconfigured<T>(building: Promise<T>): Promise<T | undefined> {
  try {
    return await building;
  } catch (error) {
    if (!isMisconfigured(error)) throw error;
    return undefined;
  }
}

/** Returns the budget without room for it; counts usage in a blind phase, from the private folder. */
export async function findBudgetShortage(
  { privateFiles }: Pick<LaunchPorts, 'privateFiles'>,
  state: CouncilState,
  needed: Omit<Reservation, 'lease'>,
): Promise<Shortage | null> {
  const { usage } = await readSpooled(state, privateFiles);
  const { usage: ofControls } = await readControls(state, privateFiles);
  const records = addUsage(state.usage ?? [], [...usage, ...ofControls]);
  return findShortage(state, needed.participant, records, needed);
}

/** Marks the participant absent; if the council's budget is spent, all others to be launched. Returns ids. */
export async function stopForBudget(
  ports: LaunchPorts,
  state: CouncilState,
  { participant: id, dead, short }: { participant: string; dead: Lease | null; short: Shortage },
): Promise<string[]> {
  const others = awaited(state).filter((one) => {
    const { runner, lease } = getSeat(state, one);
    return runner !== 'human' && !lease && one !== id;
  });
  const { scope, why, isSpent } = short;
  const participants = scope === 'council' && isSpent ? [id, ...others] : [id];
  await applyEvent(
    ports,
    state.name,
    { type: 'budget', participants, leaseId: dead?.id ?? null, scope, why },
    { conversationId: state.conversationId, by: null },
  );
  return participants;
}

/** Upper bound for realistic texts: tables of figures and most scripts have fewer tokens. */
const LEAST_BYTES_PER_TOKEN = 3;
/** A long answer, or the same amount of billed thinking; a longer answer by an earlier launch takes precedence. */
const LONG_ANSWER_TOKENS = 4000;

/** Maximum usage of one launch. */
type WorstCase = Omit<Reservation, 'lease' | 'participant'>;

/** Data on earlier launches of the same agent. */
interface EarlierLaunches {
  records: readonly UsageRecord[];
  reserved: readonly Reservation[];
}

/**
 * Computes the worst case for a prompt of `bytes`. Input: its tokens, plus what the program added to an earlier
 * one. Output: the agent's limit, otherwise the longest answer so far, but at least a long one. US$: by the
 * model's price, otherwise the rate of earlier launches, otherwise the most expensive model that the program
 * may choose.
 */
export function computeWorstCase(
  agent: Pick<Agent, 'prices' | 'runner' | 'model' | 'max_tokens' | 'maxOutput'>,
  prices: OwnPrices,
  bytes: number,
  { records, reserved }: EarlierLaunches,
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

/** US$ per token, for launches that reported both. */
function findRate({ inputTokens, outputTokens, costUsd }: UsageRecord): number[] {
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  return costUsd === null || tokens === 0 ? [] : [costUsd / tokens];
}
