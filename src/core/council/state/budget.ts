// What launches used up in tokens and cost, and whether a budget has room for another one.
import { listHeldLeases } from './state.ts';
import type { CouncilState, Limit, Reservation, UsageRecord } from './state.ts';
import { fill, formatMoney, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import { sumKnown } from '../../base/text.ts';

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
export function addUsage(records: readonly UsageRecord[], more: readonly UsageRecord[]): UsageRecord[] {
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

/** Usage of a launch that budgets count. */
export type Amount = Pick<UsageRecord, 'inputTokens' | 'outputTokens' | 'costUsd'>;

/** A budget without room for a launch, and why, without the sum: it would reveal lengths in a blind phase. */
export interface Shortage {
  scope: 'council' | 'agent';
  why: string;
  /** Nothing is left: no launch of any size fits. */
  isSpent: boolean;
  /** It is only blocked by running launches, which may leave part of their reservations. */
  mayPass: boolean;
}

/**
 * Returns the budget that has no room for one more launch of this participant; null if there is room. `records`
 * are all known ones, including those of a blind phase.
 * A launch counts by its usage, or by its reservation until the usage is known. While it is running, the same
 * amount is reserved once more, because its program may be asked again.
 */
export function findShortage(
  state: Pick<CouncilState, 'budget' | 'participants' | 'synthesizer'>,
  participant: string,
  records: readonly UsageRecord[],
  needed: Amount,
): Shortage | null {
  const { budget } = state;
  if (!budget) return null;
  const { reserved = [], agents } = budget;
  const held = listHeldLeases(state);
  const ofCouncil = findMissing(budget, { records, reserved, held, needed });
  if (ofCouncil) return describeShortage('council', "the council's", ofCouncil);
  const isOwn = (one: { participant: string }): boolean => one.participant === participant;
  const own = Object.hasOwn(agents, participant) ? agents[participant]! : NONE;
  const claims = { records: records.filter(isOwn), reserved: reserved.filter(isOwn), held, needed };
  const ofAgent = findMissing(own, claims);
  return ofAgent ? describeShortage('agent', `${participant}'s`, ofAgent) : null;
}

/** Nothing beyond what is already reserved. */
export const NO_MORE: Amount = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** True if any limit is set. */
export const isLimit = ({ usd, tokens }: Limit): boolean => usd !== null || tokens !== null;

/** Formats a limit: "$2.00, 5000 tokens". */
export const describeLimit = (limit: Limit, words = loadWords('en')): string =>
  MEASURES.flatMap(({ key, show }) => (limit[key] === null ? [] : [show(limit[key], words)])).join(', ');

/** How each limit measures an amount. */
export const MEASURES = [
  {
    key: 'usd',
    show: (usd: number, { common }: Words) => formatMoney(usd, common),
    measure: ({ costUsd }: Amount) => costUsd ?? 0,
  },
  {
    key: 'tokens',
    show: (count: number, { ending }: Words) => fill(ending.tokens, { count }),
    measure: ({ inputTokens, outputTokens }: Amount) => (inputTokens ?? 0) + (outputTokens ?? 0),
  },
] as const;

const NONE: Limit = { usd: null, tokens: null };

/** Everything that counts against a limit. */
interface BudgetUse {
  records: readonly UsageRecord[];
  reserved: readonly Reservation[];
  /** The leases under which a launch may be running. */
  held: ReadonlySet<string>;
  needed: Amount;
}

interface MissingAmount extends Pick<Shortage, 'isSpent' | 'mayPass'> {
  /** "5000 tokens" */
  limit: string;
  /** "13500 tokens" */
  amount: string;
}

function findMissing(
  limit: Limit,
  { records, reserved, held, needed }: BudgetUse,
): MissingAmount | undefined {
  const words = loadWords('en');
  for (const { key, show, measure } of MEASURES) {
    const most = limit[key];
    if (most === null) continue;
    const sum = (some: readonly UsageRecord[]): number => addUp(some.map((one) => measure(asCounted(one))));
    let [used, running] = [sum(records), 0];
    for (const one of reserved) {
      const own = records.filter(({ lease }) => lease === one.lease);
      const known = sum(own);
      if (held.has(one.lease)) running = addUp([running, Math.max(measure(one) - known, known)]);
      else if (own.length === 0) used = addUp([used, measure(one)]);
    }
    const more = measure(needed);
    const isSpent = used >= most;
    if (!isSpent && addUp([used, running, more]) <= most) continue;
    const mayPass = !isSpent && addUp([used, more]) <= most;
    return { isSpent, mayPass, limit: show(most, words), amount: show(Number(more.toPrecision(3)), words) };
  }
  return undefined;
}

/** Rounds to a millionth, to remove binary rounding errors. */
const addUp = (figures: readonly number[]): number =>
  Math.round(figures.reduce((total, one) => total + one, 0) * 1e6) / 1e6;

function describeShortage(
  scope: Shortage['scope'],
  whose: string,
  { limit, amount, ...missing }: MissingAmount,
): Shortage {
  const why = missing.isSpent
    ? `${whose} budget of ${limit} is spent`
    : `a launch may take ${amount}, more than is left of ${whose} budget of ${limit}`;
  return { scope, why, ...missing };
}
