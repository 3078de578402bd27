// Sums up the tokens and costs of launches.
import { sumKnown } from '../../base/text.ts';
import type { UsageRecord } from './state.ts';

/** Sums over launches. A sum is null if no launch reported that figure. */
export interface Spent {
  launches: number;
  inputTokens: number | null;
  /** Input tokens that providers had cached. */
  cachedTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  /** Bytes of prompts, and of prefixes shared with an earlier prompt, for launches that recorded them. */
  prompt: { bytes: number; cacheable: number };
  /** Launches that reported no tokens, or no cost: they are not in the sums. */
  unknownTokens: number;
  unknownCost: number;
}

/** Sums up the usage of launches. */
export function sumUsage(records: readonly UsageRecord[]): Spent {
  return {
    launches: records.length,
    inputTokens: sumKnown(records.map((r) => r.inputTokens)),
    cachedTokens: sumKnown(records.map((r) => r.cachedTokens ?? null)),
    outputTokens: sumKnown(records.map((r) => r.outputTokens)),
    prompt: {
      bytes: sumKnown(records.map(({ prompt }) => prompt?.bytes ?? 0)) ?? 0,
      cacheable: sumKnown(records.map(({ prompt }) => prompt?.cacheable ?? 0)) ?? 0,
    },
    costUsd: asDollars(sumKnown(records.map((r) => r.costUsd))),
    unknownTokens: records.filter((r) => r.inputTokens === null && r.outputTokens === null).length,
    unknownCost: records.filter((r) => r.costUsd === null).length,
  };
}

/** Returns the usage that a budget counts: estimates replace unreported values. */
export const asCounted = ({ estimate, ...told }: UsageRecord): UsageRecord => ({ ...told, ...estimate });

/** Sums input and output tokens; null if neither is known. */
export const sumTokens = ({ inputTokens, outputTokens }: Pick<Spent, 'inputTokens' | 'outputTokens'>) =>
  sumKnown([inputTokens, outputTokens]);

/** Adds the records of `more` that are new, in chronological order. */
export function withUsage(records: readonly UsageRecord[], more: readonly UsageRecord[]): UsageRecord[] {
  const known = new Set(records.map(formatLaunchKey));
  const added = more.filter(
    (record) => !known.has(formatLaunchKey(record)) && known.add(formatLaunchKey(record)),
  );
  if (added.length === 0) return [...records];
  return [...records, ...added].sort((a, b) => a.tour - b.tour || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const formatLaunchKey = ({ participant, tour, at, control }: UsageRecord): string =>
  `${participant} ${tour} ${at} ${control ?? ''}`;

/** Rounded to a millionth of a dollar, less than any provider bills, to remove binary rounding errors. */
const asDollars = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 1e6) / 1e6);
