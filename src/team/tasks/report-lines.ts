// Lines of a report's Markdown: where headings stand that are no code, and parts that cannot reach beyond themselves.

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
    open = openAfter(open, line);
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
function openAfter(open: string, line: string): string {
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
