// Values in reports: durations, counts, costs with their currency, and single lines.

/** An amount in its own currency: nothing is converted. */
export interface Cost {
  amount: number;
  /** Three letters: EUR, USD. */
  currency: string;
}

/** A text in one line: white space folded, nothing cut. */
export const foldLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim();

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

/** Milliseconds of a duration as it is written; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const short = /^(\d{1,9}) ?ms$/.exec(text)?.[1];
  if (short !== undefined) return Number(short);
  const long = /^(?:(\d{1,9})h)?(?: ?(\d{1,2})m)?(?: ?(\d{1,2}(?:\.\d{1,3})?)s)?$/.exec(text);
  if (!long || text === '') return undefined;
  const [hours, minutes, seconds] = long.slice(1).map((one) => Number(one ?? 0));
  return Math.round((hours! * 3600 + minutes! * 60 + seconds!) * 1000);
}

/** Two counts of the form `Input {input} | Output {output}`; `-` stands for what is unknown. Undefined for anything else. */
export function readTokens(
  text: string,
  form: string,
): { input: number | null; output: number | null } | undefined {
  const [before = '', between = ''] = form.split(/\{\w+\}/);
  if (!text.startsWith(before)) return undefined;
  const counts = text.slice(before.length).split(between);
  if (counts.length !== 2 || !counts.every((one) => /^(?:\d{1,15}|-)$/.test(one))) return undefined;
  const [input = null, output = null] = counts.map((one) => (one === '-' ? null : Number(one)));
  return { input, output };
}

const SIGNS: Record<string, string> = { EUR: '€', USD: '$', GBP: '£' };

/** An amount as it is written: `€0.003`, `0.5 CHF`; undefined for anything else. */
export function readCost(text: string): Cost | undefined {
  const [, sign, digits, code] = /^([€$£])?(\d+(?:\.\d+)?)(?: ([A-Z]{3}))?$/.exec(text) ?? [];
  const currency = code ?? Object.keys(SIGNS).find((one) => SIGNS[one] === sign);
  return digits === undefined || currency === undefined ? undefined : { amount: Number(digits), currency };
}

export function writeCost({ amount, currency }: Cost): string {
  const digits = amount.toFixed(12).replace(/\.?0+$/, '');
  const sign = SIGNS[currency];
  return sign === undefined ? `${digits} ${currency}` : `${sign}${digits}`;
}
