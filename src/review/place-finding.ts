// Finds where the code that a finding quotes stands in the change, before any model sees the finding again.
import type { Change, DiffFile, DiffHunk } from './change.ts';
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

export function squeezeSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
}

/** Every place of a quote in a file, by the strictest way that finds one. */
function findQuote(file: DiffFile, quote: string): Place[] {
  for (const [level, { read }] of LEVELS.entries()) {
    const wanted = read(quote);
    if (wanted === '') continue;
    const places = (['new', 'old'] as const).flatMap((side) =>
      file.hunks.flatMap((hunk) => {
        const first = side === 'new' ? hunk.newStart : hunk.oldStart;
        return findInText(prepareText(hunk, side, level), wanted).map(([from, to]) => ({
          ...{ file: file.path, side, start: first + from, end: first + to },
        }));
      }),
    );
    if (places.length > 0) return places;
  }
  return [];
}

/** One side of a hunk as it is searched, and where its lines begin in it. */
interface SearchedText {
  text: string;
  starts: { line: number; at: number }[];
}

/** What was prepared: many findings are looked up in the same hunks. */
const PREPARED = new WeakMap<DiffHunk, Map<string, SearchedText>>();

function prepareText(hunk: DiffHunk, side: Place['side'], level: number): SearchedText {
  const known = PREPARED.get(hunk) ?? new Map<string, SearchedText>();
  PREPARED.set(hunk, known);
  const key = `${side} ${level}`;
  const searched = known.get(key) ?? joinLines(hunk, side, LEVELS[level]!);
  known.set(key, searched);
  return searched;
}

function joinLines(
  hunk: DiffHunk,
  side: Place['side'],
  { line: readLine, joint }: (typeof LEVELS)[number],
): SearchedText {
  const starts: SearchedText['starts'] = [];
  let text = '';
  hunk.lines
    .filter(({ mark }) => mark !== (side === 'new' ? '-' : '+'))
    .forEach((one, line) => {
      const words = readLine(one.text);
      // An empty line adds no white space of its own where line ends are white space.
      if (joint === ' ' && words === '') return;
      if (starts.length > 0) text += joint;
      starts.push({ line, at: text.length });
      text += words;
    });
  return { text, starts };
}

/** The first and the last line of every occurrence, from 0; of one line the first counts. */
function findInText({ text, starts }: SearchedText, wanted: string): [number, number][] {
  const found: [number, number][] = [];
  let first = 0;
  for (let at = text.indexOf(wanted); at !== -1;) {
    while (first + 1 < starts.length && starts[first + 1]!.at <= at) first++;
    let last = first;
    while (last + 1 < starts.length && starts[last + 1]!.at < at + wanted.length) last++;
    found.push([starts[first]!.line, starts[last]!.line]);
    at = first + 1 < starts.length ? text.indexOf(wanted, starts[first + 1]!.at) : -1;
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
