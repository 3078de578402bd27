// Text of a report: where its headings stand, parts that cannot reach beyond themselves, and values in words.

export interface ReportLine {
  text: string;
  /** 1 to 6 for a heading, with its words; undefined for anything else. */
  heading: { depth: number; words: string } | undefined;
  /** It stands in a fence or a comment that was opened above it. */
  isInside: boolean;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;

/** The words of a heading, without the signs that may end one. Takes no longer for many of them. */
export function withoutClosing(words: string): string {
  let text = words.trim();
  for (;;) {
    let end = text.length;
    while (text[end - 1] === '#') end--;
    if (end === text.length || (end > 0 && !/\s/.test(text[end - 1]!))) return text;
    text = text.slice(0, end).trimEnd();
  }
}

/** The lines of a text, and what they leave open at its end: a fence, a comment; empty text for nothing. */
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

/** What is open behind a line: the signs that close it. */
function trackOpenMark(open: string, line: string): string {
  if (open === '-->') return line.includes('-->') ? '' : open;
  const [, signs = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (open !== '') return signs.startsWith(open) && rest.trim() === '' ? '' : open;
  if (signs !== '') return signs.startsWith('~') || !rest.includes('`') ? signs : '';
  return /^ {0,3}<!--/.test(line) && !line.includes('-->', line.indexOf('<!--') + 4) ? '-->' : '';
}

/** The headings of a report's parts are of depth 2: those inside of a part stand below. */
const LOWEST = 3;

/** A part that stays inside of itself: its headings below those of the report, and nothing left open. Does nothing twice. */
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

/** Without blank lines around it, every line end as one sign. */
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
