// Parses and formats durations.
import { CouncilError } from './errors.ts';

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Units as people write them; every unit but `ms` is known by its first letter. */
const UNIT = '(ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:rs?|ours?)?|d(?:ays?)?)';
const AMOUNT = `(\\d+(?:\\.\\d+)?) ?${UNIT} ?`;
/** A year: nothing in a council waits longer, and dates stay far from the limit of JavaScript's dates. */
export const MAX_DURATION = 366 * 86_400_000;

/** Parses a duration like `parseDuration`, in milliseconds; undefined for anything else. */
export function asDuration(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const source = String(value).trim().toLowerCase();
  let total = 0;
  if (/^\d+(\.\d+)?$/.test(source)) total = Number(source) * 1000;
  else if (new RegExp(`^(?:${AMOUNT})+$`).test(source)) {
    for (const [, amount, unit = ''] of source.matchAll(new RegExp(AMOUNT, 'g')))
      total += Number(amount) * (UNITS[unit] ?? UNITS[unit[0] ?? ''] ?? 0);
  }
  const ms = Math.round(total);
  return ms >= 1 && ms <= MAX_DURATION ? ms : undefined;
}

/**
 * Parses a duration such as `90s`, `1h30m`, `2 d`, or a plain number of seconds, in milliseconds. Throws
 * `usage` for anything else, for 0, and for more than 366 days. `what` names the setting in the error.
 */
export function parseDuration(text: string | number, what = 'duration'): number {
  const ms = asDuration(text);
  if (ms !== undefined) return ms;
  throw new CouncilError('usage', `Not a valid ${what}: ${JSON.stringify(String(text).slice(0, 40))}.`, {
    hint: 'Write a number and a unit, for example 300s, 30m, 1h30m or 2d (at most 366d).',
  });
}

/**
 * A question for people who typed a number without a unit: settings and variables take it as seconds, but
 * here it may be meant as minutes.
 */
export const askForUnit = (value: unknown): string =>
  /^\d+$/.test(String(value))
    ? ` A number alone has no unit here: ${String(value)}s, ${String(value)}m or ${String(value)}h?`
    : '';

/** Formats a duration without rounding, so that it can be parsed again. */
export const formatExactDuration = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);

/** Formats a duration for people: `250ms`, `45s`, `5m`, `1h30m`, `2d4h`; at most two units. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.ceil(ms)}ms`;
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count}${unit}`);
  }
  return parts.join('') || '0s';
}
