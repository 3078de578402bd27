// Adds up the tokens and costs of launches.
import { sumKnown } from '../../base/text.ts';
import type { UsageRecord } from './state.ts';

/** Sums over launches. A sum is null when no launch told anything of the kind. */
export interface Spent {
  launches: number;
  inputTokens: number | null;
  /** Those of the input that providers had in their caches. */
  cachedTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  /** Bytes of prompts, and of their beginnings that an earlier prompt had, where a launch noted them. */
  prompt: { bytes: number; cacheable: number };
  /** Launches that told no tokens, and that told no cost: they are in no sum. */
  unknownTokens: number;
  unknownCost: number;
}

/** The sums over some launches. */
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

/** What a budget counts of a launch: an estimate in the place of what its program did not tell. */
export const asCounted = ({ estimate, ...told }: UsageRecord): UsageRecord => ({ ...told, ...estimate });

/** Input and output together; null when neither is known. */
export const sumTokens = ({ inputTokens, outputTokens }: Pick<Spent, 'inputTokens' | 'outputTokens'>) =>
  sumKnown([inputTokens, outputTokens]);

/** The records with those of `more` that are not among them yet, in the order of time. */
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

/** Rounded to a millionth of a dollar, less than any provider bills: binary fractions leave tiny remainders. */
const asDollars = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 1e6) / 1e6);
