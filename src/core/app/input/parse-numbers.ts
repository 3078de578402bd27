// Parses numbers and days of an input, given as text or as JSON (pure).
import type { DecimalField } from './fields.ts';

export function parseWholeNumber(
  value: unknown,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max
    ? Number(number)
    : undefined;
}

export function parseAmount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d*\.?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined;
}

export function parseDecimal(value: unknown, { min, max }: DecimalField): number | undefined {
  const number = typeof value === 'string' && /^\d*\.?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : undefined;
}

export function parseDay(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = isDay ? new Date(`${value}T00:00:00Z`) : undefined;
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(String(value))
    ? String(value)
    : undefined;
}
