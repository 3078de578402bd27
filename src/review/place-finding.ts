// Locates the code that a finding quotes in the change, before any model sees the finding.
import type { Change, DiffFile, DiffHunk } from './change.ts';
import type { Place } from './report.ts';
import type { SaidFinding } from './read-findings.ts';

/** Shorter quotes, not counting white space, would match anywhere. */
const SHORTEST_QUOTE = 8;

/**
 * The result of locating a finding. `tie`: the quote occurs at several places equally near to the given line.
 */
export type PlacingResult =
  | { kind: 'placed'; place: Place; quote: string }
  | { kind: 'outside' | 'refuted' | 'tie' | 'unquoted'; quote: string };

/** Locates a finding by its quote, nearest to the given lines. */
export function placeFinding(said: SaidFinding, { files }: Pick<Change, 'files'>): PlacingResult {
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

/** Returns whether any quote occurs in the change, as a rejection requires. */
export const isQuoted = (quotes: readonly string[], { files }: Pick<Change, 'files'>): boolean =>
  quotes.some((quote) => isLongEnough(quote) && files.some((file) => findQuote(file, quote).length > 0));

/** Ways of comparison, strictest first: exact, normalized white space, ignoring line ends, ignoring line numbers. */
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

/** Finds all places of a quote in a file, using the strictest comparison with a match. */
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

/** One side of a hunk prepared for the search, with the offsets of its lines. */
interface SearchedText {
  text: string;
  starts: { line: number; at: number }[];
}

/** Caches prepared texts: many findings are searched for in the same hunks. */
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
      // If lines are joined by spaces, an empty line must not add another one.
      if (joint === ' ' && words === '') return;
      if (starts.length > 0) text += joint;
      starts.push({ line, at: text.length });
      text += words;
    });
  return { text, starts };
}

/** Returns the first and last line of every occurrence, from 0; at most one occurrence per starting line. */
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
