// Finds where the code that a finding quotes stands in the change, before any model sees the finding again.
import type { Change, DiffFile } from './change.ts';
import type { Place } from './report.ts';
import type { SaidFinding } from './read-findings.ts';

/** A quote of fewer characters that are no white space stands anywhere. */
const SHORTEST_QUOTE = 8;

/** What became of looking a finding up. `tie`: its quote stands at several places, as near as each other to the line said. */
export type Placed =
  | { kind: 'placed'; place: Place; quote: string }
  | { kind: 'outside' | 'refuted' | 'tie' | 'unquoted'; quote: string };

/** Puts a finding where its quote is, nearest to the lines that were said. */
export function placeFinding(said: SaidFinding, { files }: Pick<Change, 'files'>): Placed {
  const [first = ''] = said.quotes;
  const named = files.filter(({ path, oldPath }) => path === said.file || oldPath === said.file);
  if (said.file !== null && named.length === 0) return { kind: 'outside', quote: first };
  const among = said.file === null ? files : named;
  const long = said.quotes.filter(isLongEnough);
  for (const quote of long) {
    const places = among.flatMap((file) => findQuote(file, quote));
    const nearest = selectNearest(places, said);
    if (nearest === 'tie') return { kind: 'tie', quote };
    if (nearest) return { kind: 'placed', place: nearest, quote };
  }
  return long.length > 0 ? { kind: 'refuted', quote: long[0]! } : { kind: 'unquoted', quote: first };
}

const isLongEnough = (quote: string): boolean => quote.replace(/\s/g, '').length >= SHORTEST_QUOTE;

/** Whether code stands anywhere in the change: what a rejection rests on. */
export const isQuoted = (quotes: readonly string[], { files }: Pick<Change, 'files'>): boolean =>
  quotes.some((quote) => isLongEnough(quote) && files.some((file) => findQuote(file, quote).length > 0));

/** The ways to compare, the strictest first: as it is, white space alike, without line ends, without the numbers before its lines. */
const LEVELS: { read: (quote: string) => string; line: (text: string) => string; joint: '\n' | ' ' }[] = [
  { read: trimLines, line: (text) => text, joint: '\n' },
  {
    read: (quote) => trimLines(quote.split('\n').map(squeezeSpace).join('\n')),
    line: squeezeSpace,
    joint: '\n',
  },
  { read: squeezeSpace, line: squeezeSpace, joint: ' ' },
  { read: (quote) => squeezeSpace(quote.replace(/^ *\d* *[+|-]? ?/gm, '')), line: squeezeSpace, joint: ' ' },
];

function squeezeSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
}

/** Every place of a quote in a file, by the strictest way that finds one. */
function findQuote(file: DiffFile, quote: string): Place[] {
  for (const { read, line, joint } of LEVELS) {
    const wanted = read(quote);
    const places = (['new', 'old'] as const).flatMap((side) =>
      file.hunks.flatMap((hunk) => {
        const lines = hunk.lines.filter(({ mark }) => mark !== (side === 'new' ? '-' : '+'));
        const first = side === 'new' ? hunk.newStart : hunk.oldStart;
        const texts = lines.map(({ text }) => line(text));
        return findInLines(texts, wanted, joint).map(([from, to]) => ({
          ...{ file: file.path, side, start: first + from, end: first + to },
        }));
      }),
    );
    if (places.length > 0) return places;
  }
  return [];
}

/** The first and the last line of every occurrence, from 0. */
function findInLines(lines: readonly string[], wanted: string, joint: '\n' | ' '): [number, number][] {
  if (wanted === '') return [];
  const starts: { line: number; at: number }[] = [];
  let text = '';
  lines.forEach((words, line) => {
    // An empty line adds no white space of its own where line ends are white space.
    if (joint === ' ' && words === '') return;
    if (starts.length > 0) text += joint;
    starts.push({ line, at: text.length });
    text += words;
  });
  const lineAt = (offset: number): number => starts.findLast(({ at }) => at <= offset)!.line;
  const found: [number, number][] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const first = lineAt(at);
    if (found.at(-1)?.[0] !== first) found.push([first, lineAt(at + wanted.length - 1)]);
  }
  return found;
}

function selectNearest(places: readonly Place[], { lines, side }: SaidFinding): Place | 'tie' | undefined {
  const onSide = places.filter((place) => place.side === side);
  const among = onSide.length > 0 ? onSide : places;
  if (among.length < 2) return among[0];
  if (!lines) return 'tie';
  const distance = (place: Place): number => Math.abs(place.start - lines.start);
  const [first, second] = among.toSorted((a, b) => distance(a) - distance(b));
  return distance(first!) === distance(second!) ? 'tie' : first;
}
