// The text of a report: its headings, self-contained parts, and formatted values.

export interface ReportLine {
  text: string;
  /** Depth 1 to 6 and words of a heading; undefined for any other line. */
  heading: { depth: number; words: string } | undefined;
  /** True inside a fence or comment opened above it. */
  isInside: boolean;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;

/** Returns the words of a heading without closing `#` signs, in linear time. */
export function withoutClosing(words: string): string {
  let text = words.trim();
  for (;;) {
    let end = text.length;
    while (text[end - 1] === '#') end--;
    if (end === text.length || (end > 0 && !/\s/.test(text[end - 1]!))) return text;
    text = text.slice(0, end).trimEnd();
  }
}

/** Splits a text into lines; `open` closes the fence or comment left open at its end, or is empty. */
export function parseReportLines(text: string): { lines: ReportLine[]; open: string } {
  let open = '';
  const lines = text.split('\n').map((line): ReportLine => {
    const wasOpen = open;
    open = trackOpenMark(open, line);
    const found = wasOpen === '' ? HEADING.exec(line) : null;
    return {
      text: line,
      heading: found ? { depth: found[1]!.length, words: withoutClosing(found[2] ?? '') } : undefined,
      isInside: wasOpen !== '',
    };
  });
  return { lines, open };
}

/** Returns what closes the fence or comment that is open after a line. */
function trackOpenMark(open: string, line: string): string {
  if (open === '-->') return line.includes('-->') ? '' : open;
  const [, signs = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (open !== '') return signs.startsWith(open) && rest.trim() === '' ? '' : open;
  if (signs !== '') return signs.startsWith('~') || !rest.includes('`') ? signs : '';
  return /^ {0,3}<!--/.test(line) && !line.includes('-->', line.indexOf('<!--') + 4) ? '-->' : '';
}

/** Parts of a report have headings of depth 2, so headings in a part are at least this deep. */
const LOWEST = 3;

/** Lowers the headings of a part below those of the report, and closes what it leaves open. Idempotent. */
export function containHeadings(text: string): string {
  const { lines, open } = parseReportLines(trimBlankLines(text));
  const depths = lines.flatMap(({ heading }) => heading?.depth ?? []);
  const shift = Math.max(0, LOWEST - Math.min(LOWEST, ...depths));
  const lowered = lines.map(({ text: line, heading }) =>
    heading && shift > 0
      ? `${'#'.repeat(Math.min(6, heading.depth + shift))} ${heading.words}`.trimEnd()
      : line,
  );
  return [...lowered, ...(open === '' ? [] : [open])].join('\n');
}

/** Trims blank lines, and normalizes line ends. */
export const trimBlankLines = (text: string): string =>
  text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();

/** An amount in its own currency: nothing is converted. */
export interface Cost {
  amount: number;
  /** Three letters: EUR, USD. */
  currency: string;
}

/** Folds whitespace into one line, without truncating. */
export const foldLine = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim();

/** Formats milliseconds: `90 ms`, `1h 2m 3.5s`. */
export function writeDuration(exact: number): string {
  const ms = Math.round(exact);
  if (ms < 1000) return `${ms} ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  // Milliseconds, without binary rounding errors.
  const seconds = Number(((ms % 60_000) / 1000).toFixed(3));
  return [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`, seconds > 0 && `${seconds}s`]
    .filter(Boolean)
    .join(' ');
}

/** Parses a duration into milliseconds; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const short = /^(\d{1,9}) ?ms$/.exec(text)?.[1];
  if (short !== undefined) return Number(short);
  const long = /^(?:(\d{1,9})h)?(?: ?(\d{1,2})m)?(?: ?(\d{1,2}(?:\.\d{1,3})?)s)?$/.exec(text);
  if (!long || text === '') return undefined;
  const [hours, minutes, seconds] = long.slice(1).map((one) => Number(one ?? 0));
  return Math.round((hours! * 3600 + minutes! * 60 + seconds!) * 1000);
}

/** Parses two counts in the form `Input {input} | Output {output}`; `-` is unknown. Undefined for anything else. */
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

const CURRENCY_SIGNS: Record<string, string> = { EUR: '€', USD: '$', GBP: '£' };

/** Parses an amount: `€0.003`, `0.5 CHF`; undefined for anything else. */
export function readCost(text: string): Cost | undefined {
  const [, sign, digits, code] = /^([€$£])?(\d+(?:\.\d+)?)(?: ([A-Z]{3}))?$/.exec(text) ?? [];
  const currency = code ?? Object.keys(CURRENCY_SIGNS).find((one) => CURRENCY_SIGNS[one] === sign);
  return digits === undefined || currency === undefined ? undefined : { amount: Number(digits), currency };
}

export function writeCost({ amount, currency }: Cost): string {
  const digits = amount.toFixed(12).replace(/\.?0+$/, '');
  const sign = CURRENCY_SIGNS[currency];
  return sign === undefined ? `${digits} ${currency}` : `${sign}${digits}`;
}
