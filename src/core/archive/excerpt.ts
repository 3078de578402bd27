// Cuts the passage with the most query words out of a text, for search results.

/** Length of an excerpt, in words. */
const LENGTH = 24;
/** A word as the index defines it: letters and digits, with their marks. */
const TOKEN = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

interface Token {
  start: number;
  end: number;
  word: string;
}

/** The words of a query, and the one that may be a prefix. */
export interface QueryWords {
  words: ReadonlySet<string>;
  beginning: string | undefined;
}

/** Collects the words to look for; the last word of `last` is a prefix. */
export function collectQueryWords(texts: readonly string[], last: string | undefined): QueryWords {
  const words = texts.flatMap((text) => tokenize(text).map(({ word }) => word));
  return { words: new Set(words), beginning: last === undefined ? undefined : tokenize(last).at(-1)?.word };
}

/**
 * Returns the part of a text with the most wanted words, each between `**`, and its score. Linear time, whereas
 * the index's own `snippet` is quadratic in the number of hits.
 */
export function cutBestExcerpt(text: string, wanted: QueryWords): { excerpt: string; score: number } {
  const all = tokenize(text);
  const isHit = ({ word }: Token) =>
    wanted.words.has(word) || (wanted.beginning !== undefined && word.startsWith(wanted.beginning));
  const hits = all.flatMap((token, at) => (isHit(token) ? [at] : []));
  const { first, last, score } = findBestRange(all, hits);
  // Centers the hits, if the text continues around them.
  const spare = Math.floor((LENGTH - (last - first + 1)) / 2);
  const from = Math.max(0, Math.min(first - spare, all.length - LENGTH));
  const to = Math.min(all.length, from + LENGTH);
  const shown = all.slice(from, to);
  const pieces: string[] = from > 0 ? ['…'] : [];
  let at = from > 0 ? (shown[0]?.start ?? 0) : 0;
  for (const token of shown) {
    const words = text.slice(token.start, token.end);
    pieces.push(text.slice(at, token.start), isHit(token) ? `**${words}**` : words);
    at = token.end;
  }
  pieces.push(to < all.length ? '…' : text.slice(at));
  return { excerpt: pieces.join(''), score };
}

/** Finds the range, up to an excerpt's length, with the most different words, then the most hits. */
function findBestRange(
  all: readonly Token[],
  hits: readonly number[],
): { first: number; last: number; score: number } {
  let found = { first: 0, last: 0, score: 0 };
  const inside = new Map<string, number>();
  let head = 0;
  const getWord = (place: number): string => all[place]?.word ?? '';
  for (const [index, last] of hits.entries()) {
    const word = getWord(last);
    inside.set(word, (inside.get(word) ?? 0) + 1);
    let first = hits[head] ?? last;
    for (; last - first >= LENGTH; first = hits[++head] ?? last) {
      const gone = getWord(first);
      const left = (inside.get(gone) ?? 1) - 1;
      if (left === 0) inside.delete(gone);
      else inside.set(gone, left);
    }
    const score = inside.size * LENGTH + (index - head);
    if (score > found.score) found = { first, last, score };
  }
  return found;
}

const tokenize = (text: string): Token[] =>
  [...text.matchAll(TOKEN)].map(({ 0: raw, index }) => ({
    start: index,
    end: index + raw.length,
    word: foldCaseAndAccents(raw),
  }));

/** Ignores case and accents. A quick check first: a search with a hundred hits compares half a million words. */
const foldCaseAndAccents = (word: string): string =>
  (PLAIN.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
const PLAIN = /^[\0-\x7F]*$/;
