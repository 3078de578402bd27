// Validates values of settings. Functions return undefined for values that are not accepted.
import { isId } from './ids.ts';

/** Starts with a capital letter, unlike any agent. */
const GROUP_NAME = /^[A-Z][A-Za-z0-9-]{0,63}$/;

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

/** Where a person can approve. */
const APPROVAL_PLACES = ['anywhere', 'terminal'] as const;
export type ApprovalPlace = (typeof APPROVAL_PLACES)[number];

interface Price {
  input: number;
  output: number;
  cached?: number;
}

/** Accepts ids of agents, as a list or comma-separated, without duplicates; undefined if any is no id. */
export function asAgents(value: unknown): string[] | undefined {
  const list: unknown[] =
    typeof value === 'string' ? value.split(',').map((id) => id.trim()) : Array.isArray(value) ? value : [];
  return list.length > 0 && list.every(isId) ? [...new Set(list)] : undefined;
}

function asMapping<T>(
  value: unknown,
  accept: (one: unknown, name: string) => T | undefined,
): Record<string, T> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const accepted = accept(one, name);
    return accepted === undefined ? [] : [[name, accepted] as const];
  });
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

export const asGroups = (value: unknown): Record<string, string[]> | undefined =>
  asMapping(value, (members, name) => (GROUP_NAME.test(name) ? asAgents(members) : undefined));

export const asPrices = (value: unknown): Record<string, Price> | undefined => asMapping(value, asPrice);

function asPrice(value: unknown): Price | undefined {
  const { input, output, cached } = (value ?? {}) as Record<string, unknown>;
  const isPrice = (price: unknown): price is number =>
    typeof price === 'number' && Number.isFinite(price) && price >= 0;
  if (!isPrice(input) || !isPrice(output)) return undefined;
  if (cached === undefined) return { input, output };
  return isPrice(cached) ? { input, output, cached } : undefined;
}

/** Accepts patterns with `*` and `?`, each with a risk. */
export const asToolRisks = (value: unknown): Record<string, Risk> | undefined =>
  asMapping(value, (risk) => RISKS.find((one) => one === risk));

/** Accepts launches per minute, by provider. */
export const asRates = (value: unknown): Record<string, number> | undefined =>
  asMapping(value, (rate) => asWhole(rate, 1, 10_000));

export const asApprovalPlace = (value: unknown): ApprovalPlace | undefined =>
  APPROVAL_PLACES.find((one) => one === value);

/** Accepts a whole number within the inclusive bounds; undefined for anything else. */
export const asWhole = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;

/** Accepts an amount above 0 in US$, also as text; undefined for anything else. */
export function asDollars(value: unknown): number | undefined {
  const usd = typeof value === 'string' && /^\d*\.?\d+$/.test(value) ? Number(value) : value;
  return typeof usd === 'number' && Number.isFinite(usd) && usd > 0 ? usd : undefined;
}

export const asThreshold = (value: unknown): number | undefined => (value === 0 ? 0 : asDollars(value));

/** Accepts a whole number, also as text. */
export function asCount(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
  return asWhole(typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value, least, most);
}

export const asTokens = (value: unknown): number | undefined => asCount(value, 1);

/** Accepts a program with its arguments as a list of texts; undefined for anything else. */
export function asCommand(value: unknown): string[] | undefined {
  const isArgv =
    Array.isArray(value) &&
    value.every((part) => typeof part === 'string') &&
    value[0] !== undefined &&
    value[0] !== '';
  return isArgv ? value : undefined;
}

export const MAX_CONCURRENCY = 64;

export const asLanguage = (value: unknown): 'en' | 'fr' | undefined =>
  value === 'en' || value === 'fr' ? value : undefined;

/** Accepts the id of a coordinator; null for `none` or an empty text, undefined for anything else. */
export function asCoordinator(value: unknown): string | null | undefined {
  if (value === '' || value === 'none') return null;
  return isId(value) ? value : undefined;
}

export const asConcurrency = (value: unknown): number | undefined => asCount(value, 1, MAX_CONCURRENCY);

/** Accepts how often an agent may be asked again. */
export const asRepair = (value: unknown): number | undefined => [0, 1, 2].find((count) => value === count);
