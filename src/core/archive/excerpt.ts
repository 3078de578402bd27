// Cuts the passage out of a text that has most of the words of a query, for the results of a search.

/** Words of an excerpt. */
const LENGTH = 24;
/** What the index takes for a word: letters and digits, and the marks on them. */
const TOKEN = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

interface Token {
  start: number;
  end: number;
  word: string;
}

/** The words of a query: all of them, and the one that may be the beginning of a longer one. */
export interface QueryWords {
  words: ReadonlySet<string>;
  beginning: string | undefined;
}

/** The words to look for; of `last` its last word counts as the beginning of one. */
export function wantedWords(texts: readonly string[], last: string | undefined): QueryWords {
  const words = texts.flatMap((text) => tokens(text).map(({ word }) => word));
  return { words: new Set(words), beginning: last === undefined ? undefined : tokens(last).at(-1)?.word };
}

/**
 * The part of a text that has most of the wanted words, each of them between `**`, and how well it fits. Linear time: the index's
 * own `snippet` takes the square of the number of hits.
 */
export function cutBestExcerpt(text: string, wanted: QueryWords): { excerpt: string; score: number } {
  const all = tokens(text);
  const isHit = ({ word }: Token) =>
    wanted.words.has(word) || (wanted.beginning !== undefined && word.startsWith(wanted.beginning));
  const hits = all.flatMap((token, at) => (isHit(token) ? [at] : []));
  const { first, last, score } = best(all, hits);
  // The hits stand in the middle, as far as the text goes on around them.
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

/** The stretch between two hits, no longer than an excerpt, with most different words, then with most hits. */
function best(
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

const tokens = (text: string): Token[] =>
  [...text.matchAll(TOKEN)].map(({ 0: raw, index }) => ({
    start: index,
    end: index + raw.length,
    word: foldCaseAndAccents(raw),
  }));

/** Case and accents do not count. Most words have no accents to look for: a search of a hundred hits looks at half a million. */
const foldCaseAndAccents = (word: string): string =>
  (PLAIN.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
const PLAIN = /^[\0-\x7F]*$/;
