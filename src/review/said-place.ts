// Finds the place in the change that a line of a reviewer names.

/** A file of the change, and how it may be written. */
export interface KnownName {
  file: string;
  written: string;
}

/** The names of the files of a change, the longest first. */
export const listKnownNames = (paths: readonly string[]): KnownName[] =>
  paths
    .toSorted((a, b) => b.length - a.length)
    // Also as the brief writes it, where a name has quotes or line ends.
    .flatMap((file) =>
      [...new Set([file, JSON.stringify(file).slice(1, -1)])].map((written) => ({ file, written })),
    );

/** The first and the last line, from 1. */
export interface SaidLines {
  start: number;
  end: number;
}

export interface SaidPlace {
  file: string;
  /** Null where only the file was said. */
  lines: SaidLines | null;
  side: 'new' | 'old';
  /** The line that says it. */
  line: string;
}

const NUMBERS =
  /^[`*"'\s]*(?::|#L|,?\s*\(?(?:lines?|lignes?)\s*|\s+L)(\d+)(?:\s*(?:[-–—]|to|à)\s*L?(\d+))?/iu;
const OLD_SIDE = /(?<!\p{L})(?:old|removed|ancien|retirée?)(?!\p{L})/iu;
const UNKNOWN_PLACE = /^[\s*_`"'-]*((?:[\w.@+-]+\/)*[\w.@+-]+)[`"']?:(\d+)(?:\s*[-–—]\s*(\d+))?/u;

/** The place that a line names: a file of the change anywhere in it, or what looks like a file at its beginning. */
export function findPlace(line: string, names: readonly KnownName[]): SaidPlace | undefined {
  const known = findKnownPlace(line, names);
  if (known) return known;
  const [, file, start, end] = UNKNOWN_PLACE.exec(line) ?? [];
  return file === undefined ? undefined : { file, side: 'new', line, lines: toRange(start, end) };
}

/** A file of the change, with the words that name it and its lines. */
export function findKnownPlace(
  line: string,
  names: readonly KnownName[],
): (SaidPlace & { words: string }) | undefined {
  for (const { file, written } of names) {
    const at = findPath(line, written);
    if (at === -1) continue;
    const behind = line.slice(at + written.length);
    const numbers = NUMBERS.exec(behind);
    const side = OLD_SIDE.test(behind) ? 'old' : 'new';
    const words = line.slice(at, at + written.length + (numbers?.[0].length ?? 0));
    return { file, side, line, words, lines: numbers && toRange(numbers[1], numbers[2]) };
  }
  return undefined;
}

/** Where a path stands in a line as a whole path; -1 where it does not. */
function findPath(line: string, path: string): number {
  for (let at = line.indexOf(path); at !== -1; at = line.indexOf(path, at + 1)) {
    const before = line.slice(0, at);
    const after = line[at + path.length] ?? '';
    if ((before === '' || /[\s`"'(*[]$|(?:^|[\s`"'(*[])(?:[ab]|\.)\/$/.test(before)) && !/[\w/]/.test(after))
      return at;
  }
  return -1;
}

function toRange(first: string | undefined, second: string | undefined): SaidLines {
  const [a, b] = [Number(first), Number(second ?? first)];
  return { start: Math.min(a, b), end: Math.max(a, b) };
}
