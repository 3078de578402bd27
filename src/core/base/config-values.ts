// Reads values of settings. Undefined for anything that is not accepted.
import { isId } from './ids.ts';

/** Begins with a capital letter, as no agent does. */
const GROUP_NAME = /^[A-Z][A-Za-z0-9-]{0,63}$/;

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

/** Where a person approves. */
const APPROVAL_PLACES = ['anywhere', 'terminal'] as const;
export type ApprovalPlace = (typeof APPROVAL_PLACES)[number];

interface Price {
  input: number;
  output: number;
  cached?: number;
}

export function asAgents(value: unknown): string[] | undefined {
  const list: unknown[] =
    typeof value === 'string' ? value.split(',').map((id) => id.trim()) : Array.isArray(value) ? value : [];
  return list.length > 0 && list.every(isId) ? [...new Set(list)] : undefined;
}

export function asGroups(value: unknown): Record<string, string[]> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const groups = Object.entries(value).map(([name, members]) => [name, asAgents(members)] as const);
  if (groups.some(([name, members]) => !members || !GROUP_NAME.test(name))) return undefined;
  return Object.fromEntries(groups.flatMap(([name, members]) => (members ? [[name, members]] : [])));
}

export function asPrices(value: unknown): Record<string, Price> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const prices = Object.entries(value).map(([model, price]) => [model, asPrice(price)] as const);
  if (prices.some(([, price]) => price === undefined)) return undefined;
  return Object.fromEntries(prices.flatMap(([model, price]) => (price ? [[model, price]] : [])));
}

function asPrice(value: unknown): Price | undefined {
  const { input, output, cached } = (value ?? {}) as Record<string, unknown>;
  const isPrice = (price: unknown): price is number =>
    typeof price === 'number' && Number.isFinite(price) && price >= 0;
  if (!isPrice(input) || !isPrice(output)) return undefined;
  if (cached === undefined) return { input, output };
  return isPrice(cached) ? { input, output, cached } : undefined;
}

/** Patterns with `*` and `?`, each with a risk. */
export function asToolRisks(value: unknown): Record<string, Risk> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const risks = Object.entries(value).flatMap(([pattern, risk]) => {
    const known = RISKS.find((one) => one === risk);
    return known ? [[pattern, known] as const] : [];
  });
  return risks.length === Object.keys(value).length ? Object.fromEntries(risks) : undefined;
}

/** Launches a minute, by the names of providers. */
export function asRates(value: unknown): Record<string, number> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const rates = Object.entries(value).flatMap(([name, rate]) => {
    const count = asWhole(rate, 1, 10_000);
    return count === undefined ? [] : [[name, count] as const];
  });
  return rates.length === Object.keys(value).length ? Object.fromEntries(rates) : undefined;
}

export const asApprovalPlace = (value: unknown): ApprovalPlace | undefined =>
  APPROVAL_PLACES.find((one) => one === value);

export const asWhole = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;

export function asDollars(value: unknown): number | undefined {
  const usd = typeof value === 'string' && /^\d*\.?\d+$/.test(value) ? Number(value) : value;
  return typeof usd === 'number' && Number.isFinite(usd) && usd > 0 ? usd : undefined;
}

export function asThreshold(value: unknown): number | undefined {
  return value === 0 ? 0 : asDollars(value);
}

export function asTokens(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : undefined;
}

export function asCommand(value: unknown): string[] | undefined {
  const isArgv =
    Array.isArray(value) &&
    value.every((part) => typeof part === 'string') &&
    value[0] !== undefined &&
    value[0] !== '';
  return isArgv ? value : undefined;
}

export const MAX_CONCURRENCY = 64;

export function asLanguage(value: unknown): 'en' | 'fr' | undefined {
  return value === 'en' || value === 'fr' ? value : undefined;
}

export function asCoordinator(value: unknown): string | null | undefined {
  if (value === '' || value === 'none') return null;
  return isId(value) ? value : undefined;
}

export function asConcurrency(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MAX_CONCURRENCY
    ? count
    : undefined;
}

/** How often an agent may be asked once more. */
export const asRepair = (value: unknown): number | undefined => [0, 1, 2].find((count) => value === count);
