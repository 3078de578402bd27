// Sums what launches used up by agent, model, council, month or day.
import { spentOn } from '../council/state/usage.ts';
import type { Spent } from '../council/state/usage.ts';
import type { UsageRecord } from '../council/state/state.ts';

export const COST_KEYS = ['agent', 'model', 'council', 'month', 'day'] as const;
export type CostKey = (typeof COST_KEYS)[number];

/** The launches of one council, under the name that people know it by. */
export interface CouncilUsage {
  council: string;
  usage: readonly UsageRecord[];
}

/** The shape of `council cost --json`. */
export interface CostReport {
  by: CostKey;
  /** The first day that counts (UTC), null for all. */
  since: string | null;
  /**
   * Sorted by cost, then tokens, then launches, largest first; months and days in their order. `key` is null for an unknown model.
   * By model, each program that asked it has a row of its own, with `program` null where an older build did not note it.
   */
  rows: ({ key: string | null; program?: string | null } & Spent)[];
  total: Spent;
}

/** Sums what launches used up. `since` is a day such as 2026-11-21; earlier launches do not count. */
export function costReport(councils: CouncilUsage[], by: CostKey, since: string | null): CostReport {
  const launches = councils
    .flatMap(({ council, usage }) => usage.map((record) => ({ council, record })))
    .filter(({ record }) => since === null || record.at.slice(0, 10) >= since);
  const groups = Map.groupBy(launches, ({ council, record }) =>
    JSON.stringify([pickCostKey(by, council, record), by === 'model' ? record.program : null]),
  );
  const rows = [...groups.values()].map((group) => {
    const { council, record } = group[0]!;
    const program = by === 'model' && { program: record.program ?? null };
    return { key: pickCostKey(by, council, record), ...program, ...spentOn(group.map((one) => one.record)) };
  });
  return {
    by,
    since,
    rows: rows.sort(by === 'day' || by === 'month' ? byTime : bySize),
    total: spentOn(launches.map(({ record }) => record)),
  };
}

function pickCostKey(by: CostKey, council: string, { participant, model, at }: UsageRecord): string | null {
  switch (by) {
    case 'agent':
      return participant;
    case 'model':
      return model;
    case 'council':
      return council;
    case 'month':
      return at.slice(0, 7);
    case 'day':
      return at.slice(0, 10);
  }
}

type CostReportRow = CostReport['rows'][number];

const byTime = (a: CostReportRow, b: CostReportRow): number => ((a.key ?? '') < (b.key ?? '') ? -1 : 1);

const bySize = (a: CostReportRow, b: CostReportRow): number =>
  (b.costUsd ?? 0) - (a.costUsd ?? 0) ||
  tokens(b) - tokens(a) ||
  b.launches - a.launches ||
  (a.key ?? '').localeCompare(b.key ?? '') ||
  (a.program ?? '').localeCompare(b.program ?? '');

const tokens = ({ inputTokens, outputTokens }: Spent): number => (inputTokens ?? 0) + (outputTokens ?? 0);
