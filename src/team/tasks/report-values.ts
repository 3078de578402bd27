// Values in reports: durations, counts, costs with their currency, and single lines.

/** An amount in its own currency: nothing is converted. */
export interface Cost {
  amount: number;
  /** Three letters: EUR, USD. */
  currency: string;
}

/** A text in one line: white space folded, nothing cut. */
export const foldLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim();

const UNITS: [RegExp, number][] = [
  [/^(?:ms|msec|millis\p{L}*)$/u, 1],
  [/^(?:s|secs?|seconde?s?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?|heures?)$/, 3_600_000],
  [/^(?:d|days?|j|jours?)$/, 86_400_000],
];

/** Milliseconds as they are written: `90 ms`, `1h 2m 3.5s`. */
export function writeDuration(exact: number): string {
  const ms = Math.round(exact);
  if (ms < 1000) return `${ms} ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  // Thousandths of a second, without what binary fractions add.
  const seconds = Number(((ms % 60_000) / 1000).toFixed(3));
  return [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`, seconds > 0 && `${seconds}s`]
    .filter(Boolean)
    .join(' ');
}

const LONGEST_DURATION = 80;

/** Milliseconds of `2m 3s`, `1.5 hours`, `00:01:23`, `230ms`; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  if (text.length > LONGEST_DURATION) return undefined;
  const source = text
    .toLowerCase()
    .replace(/^[~≈]\s*|\.$/g, '')
    .trim();
  const clock = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})$/.exec(source);
  if (clock) return (Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1000;
  const parts = [...source.matchAll(/(\d+(?:[.,]\d+)?)\s*(\p{L}+)/gu)];
  const rest = source.replace(/(\d+(?:[.,]\d+)?)\s*(\p{L}+)/gu, '').replace(/\b(?:and|et)\b|[\s,]/g, '');
  if (parts.length === 0 || (rest !== '' && rest !== 'and' && rest !== 'et')) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of parts) {
    const size = UNITS.find(([name]) => name.test(unit))?.[1];
    if (size === undefined) return undefined;
    total += Number(amount.replace(',', '.')) * size;
  }
  return Math.round(total);
}

/** A count such as `450`, `1.2K`, `1,2k`, `12 500`, `1,200`; undefined for anything else. */
export function readCount(text: string): number | undefined {
  const found = /^~?\s*(\d[\d.,\s\u00A0\u202F']*?)\s*([kKmM])?$/.exec(text.trim());
  if (!found) return undefined;
  const [, digits = '', unit] = found;
  if (unit !== undefined) {
    const value = Number(digits.replace(/\s/g, '').replace(',', '.'));
    return Number.isFinite(value)
      ? Math.round(value * (unit.toLowerCase() === 'k' ? 1000 : 1_000_000))
      : undefined;
  }
  if (!/^\d{1,3}(?:[.,\s\u00A0\u202F']\d{3})+$|^\d+$/.test(digits)) return undefined;
  const value = Number(digits.replace(/\D/g, ''));
  return Number.isSafeInteger(value) ? value : undefined;
}

const COUNT = String.raw`(-|~?\d[\d.,'\u00A0\u202F ]*\s*[kKmM]?)`;
const INPUT = String.raw`(?:input|in|prompt|entr[ée]es?)`;
const OUTPUT = String.raw`(?:output|out|completion|sorties?)`;
const TOKENS = [
  new RegExp(String.raw`^${INPUT}\s*:?\s*${COUNT}\s*[|,;/+]?\s*${OUTPUT}\s*:?\s*${COUNT}$`, 'i'),
  new RegExp(String.raw`^${COUNT}\s*${INPUT}\s*[|,;/+]?\s*${COUNT}\s*${OUTPUT}$`, 'i'),
];

/** `Input 1.2K | Output 450`; `-` stands for what is unknown. Undefined where something else is said. */
export function readTokens(text: string): { input: number | null; output: number | null } | undefined {
  for (const pattern of TOKENS) {
    const found = pattern.exec(text.trim());
    if (!found) continue;
    const [input, output] = [found[1] ?? '', found[2] ?? ''].map((one) =>
      one === '-' ? null : readCount(one),
    );
    if (input !== undefined && output !== undefined) return { input, output };
  }
  return undefined;
}

const SYMBOLS: Record<string, string> = { '€': 'EUR', $: 'USD', US$: 'USD', '£': 'GBP', '¥': 'JPY' };
const CURRENCY = String.raw`(US\$|[€$£¥]|[A-Z]{3})`;
const AMOUNT = String.raw`(\d+(?:[.,]\d+)?|[.,]\d+)`;

/** `€0.003`, `0,003 €`, `US$ 1.50`, `0.02 USD`; undefined for anything else. */
export function readCost(text: string): Cost | undefined {
  const source = text.trim();
  const before = new RegExp(`^${CURRENCY}\\s*${AMOUNT}$`).exec(source);
  const after = new RegExp(`^${AMOUNT}\\s*${CURRENCY}$`).exec(source);
  const [sign, digits] = before ? [before[1], before[2]] : [after?.[2], after?.[1]];
  if (sign === undefined || digits === undefined) return undefined;
  return { amount: Number(digits.replace(',', '.')), currency: SYMBOLS[sign] ?? sign };
}

export function writeCost({ amount, currency }: Cost): string {
  const digits = amount.toFixed(12).replace(/\.?0+$/, '');
  const sign = { EUR: '€', USD: '$', GBP: '£' }[currency];
  return sign === undefined ? `${digits} ${currency}` : `${sign}${digits}`;
}
