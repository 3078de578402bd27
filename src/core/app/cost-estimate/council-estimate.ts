// What a council that is about to start may use up, in all and by participant.
import type { Agent } from '../../agents/agent.ts';
import { findPrice, PRICES_OF } from '../../agents/prices.ts';
import type { Config } from '../../base/config.ts';
import type { ToStart } from '../convene.ts';
import type { Workspace } from '../workspace.ts';
import { earlierLaunches, selectComparableLaunches } from './earlier-launches.ts';
import { estimate, sum } from './estimate.ts';
import type { Estimate } from './estimate.ts';
import type { Prompt } from './collect-prompts.ts';

/** An estimate over the table. */
export interface Expected {
  launches: number;
  inputTokens: number;
  outputTokens: number;
  /** Sum of the costs that can be estimated; null if there are none. */
  costUsd: number | null;
  /** Agents of unknown cost: no earlier launches, and no price for the model. */
  unknownCost: string[];
  /** The month of the built-in prices. */
  pricesOf: string;
  by: Estimate[];
}

export async function estimateCouncilUsage(
  workspace: Workspace,
  { prices }: Pick<Config, 'prices'>,
  { agents, coordinator, mode, rules }: ToStart,
  prompts: ReadonlyMap<string, Prompt>,
): Promise<Expected> {
  const launches = await earlierLaunches(workspace);
  // The coordinator reads the same brief in a prompt of about the same length.
  const longest = Math.max(0, ...[...prompts.values()].map(({ bytes }) => bytes));
  const seat = (agent: Agent, isCoordinator: boolean) => ({
    ...{ id: agent.id, isCoordinator },
    bytes: prompts.get(agent.id)?.bytes ?? longest,
    price: findPrice(agent, prices),
    earlier: selectComparableLaunches(launches, agent),
  });
  const participants = agents.filter(({ id }) => id !== coordinator?.id);
  const seats = [
    ...participants.filter(isLaunched).map((agent) => seat(agent, false)),
    ...(coordinator && isLaunched(coordinator) ? [seat(coordinator, true)] : []),
  ];
  const by = estimate(seats, mode.phases, rules.repeat ?? mode.repeat);
  const known = by.map(({ costUsd }) => costUsd).filter((cost) => cost !== null);
  return {
    launches: sum(by.map((one) => one.launches)),
    inputTokens: sum(by.map((one) => one.inputTokens)),
    outputTokens: sum(by.map((one) => one.outputTokens)),
    costUsd: known.length === 0 ? null : sum(known),
    unknownCost: by.filter(({ costUsd }) => costUsd === null).map(({ id }) => id),
    pricesOf: PRICES_OF,
    by,
  };
}

/** Plain commands tell neither tokens nor cost, and most of them use none. */
const isLaunched = ({ runner }: Agent): boolean => runner !== 'human' && runner !== 'command';
