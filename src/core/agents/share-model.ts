// Which seats of a table one provider serves with one model: only these can read what it has cached for another of them.
import type { Agent } from './agent.ts';

/** The same for agents that are asked by the same program with the same model. */
export const formatModelKey = ({ runner, command, model }: Agent): string =>
  JSON.stringify([runner, command, model]);

/** Whether two seats or more are asked like this agent. `seated`: whose runners the table has, one for each seat. */
export const sharesModel = (agent: Agent, seated: readonly Agent[]): boolean =>
  seated.filter((one) => formatModelKey(one) === formatModelKey(agent)).length > 1;
