// Checks whether a budget forbids another launch.
import type { Budget, Limit, UsageRecord } from './state.ts';
import { asCounted, spentOn, sumTokens } from './usage.ts';

/** Whose budget is spent, and the limit in words; the sum itself would tell how much is said in a blind phase. */
export interface Overspent {
  scope: 'council' | 'agent';
  why: string;
}

/** The budget that forbids one more launch of this participant; null when none does. Of launches that did not tell all, their estimates count. */
export function overspent(
  budget: Budget | undefined,
  participant: string,
  records: readonly UsageRecord[],
): Overspent | null {
  if (!budget) return null;
  const ofCouncil = describeReachedLimit(budget, records);
  if (ofCouncil) return { scope: 'council', why: `the council's ${ofCouncil} are spent` };
  const own = Object.hasOwn(budget.agents, participant) ? budget.agents[participant]! : NONE;
  const ofAgent = describeReachedLimit(
    own,
    records.filter((record) => record.participant === participant),
  );
  return ofAgent ? { scope: 'agent', why: `${participant}'s ${ofAgent} are spent` } : null;
}

/** True when there is anything to keep to. */
export const isLimit = ({ usd, tokens }: Limit): boolean => usd !== null || tokens !== null;

const NONE: Limit = { usd: null, tokens: null };

function describeReachedLimit({ usd, tokens }: Limit, records: readonly UsageRecord[]): string | null {
  const spent = spentOn(records.map(asCounted));
  if (usd !== null && (spent.costUsd ?? 0) >= usd) return `${usd} US$`;
  if (tokens !== null && (sumTokens(spent) ?? 0) >= tokens) return `${tokens} tokens`;
  return null;
}
