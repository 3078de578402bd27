// Full-text search in archives: queries, what the index stores, and the passage that an answer shows.
import { CouncilError } from '../base/errors.ts';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { toOneLine } from '../base/text.ts';
import type { Archive } from './archive.ts';
import { splitParts } from '../council/ledger/text/spoken-words.ts';
import type { Contribution } from '../council/state/state.ts';
import { cutForm, isShown } from './contribution-notes.ts';
import { cutArchiveBlock, hasBlock } from './archive-block.ts';
import { readOriginalName } from '../store/census.ts';
import type { Archives, Describe, SearchedArchives, SearchEntry, SearchIndex } from '../store/archives.ts';

export interface SearchResult {
  /** A council's archive, or an agent's report. */
  kind: 'council' | 'report';
  /** The file name without extension; an archive's id. */
  id: string;
  path: string;
  topic: string;
  endedAt: string;
  /** Higher is better; comparable only within one search. */
  score: number;
  /** One line of the archive with every hit between `**`. */
  excerpt: string;
}

/** Texts that are searched in addition to the archives. */
export interface SearchSource {
  /** Their folder, relative to the project's root. */
  dir: string;
  kind: SearchResult['kind'];
  files: SearchedArchives;
  describe: Describe;
}

const LIMIT = 10;
const TERMS = 50;
const EXCERPT_LENGTH = 500;

/**
 * Finds archives, and texts of other sources, that contain all words and `"phrases"` of the query, best first.
 * Ignores case and accents; the last word may be a prefix. Throws `usage` for a query without a letter or
 * digit.
 */
export async function searchArchives(
  { archives, sources = [], index }: { archives: Archives; sources?: SearchSource[]; index: SearchIndex },
  query: string,
  limit = LIMIT,
) {
  const { terms, beginning } = parseSearchTerms(query);
  const wanted = collectQueryWords(terms, beginning);
  const excerpt = (topic: string, body: string): string => {
    const [inTopic, inBody] = [cutBestExcerpt(topic, wanted), cutBestExcerpt(body, wanted)];
    return toOneLine((inTopic.score >= inBody.score ? inTopic : inBody).excerpt, EXCERPT_LENGTH);
  };
  const findSource = (path: string): SearchSource | undefined =>
    sources.find(({ dir }) => path.startsWith(`${dir}/`));
  const all = [archives, ...sources.map((source) => source.files)];
  const files: SearchedArchives = {
    list: async () => (await Promise.all(all.map((one) => one.list()))).flat(),
    read: (path) => (findSource(path)?.files ?? archives).read(path),
  };
  const describe: Describe = (text, path) => (findSource(path)?.describe ?? toSearchEntry)(text, path);
  const hits = await index.search(files, describe, { match: buildMatchQuery(query), limit, excerpt });
  // Two files of one council match the same words and end: the one not named as a copy represents both.
  const listTwins = ({ topic, endedAt }: (typeof hits)[number]): typeof hits =>
    hits.filter((hit) => hit.endedAt === endedAt && hit.topic === topic);
  const isOwn = (hit: (typeof hits)[number]): boolean => {
    if (hit.endedAt === '') return true;
    const twins = listTwins(hit);
    const isCopy = ({ path }: { path: string }): boolean =>
      twins.some((other) => other.path === readOriginalName(path));
    return (twins.find((one) => !isCopy(one)) ?? twins[0]) === hit;
  };
  const results = hits.filter(isOwn).map((hit): SearchResult => ({
    kind: findSource(hit.path)?.kind ?? 'council',
    id: hit.path.slice(hit.path.lastIndexOf('/') + 1, -'.md'.length),
    ...hit,
  }));
  const meant = await archiveMeant(archives, query);
  if (!meant) return { query, results };
  const best = Math.max(0, ...results.map(({ score }) => score)) + 1;
  const others = results.filter(({ path }) => path !== meant.path);
  return { query, results: [{ ...meant, score: best }, ...others].slice(0, limit) };
}

/** Returns the archive whose file name, path or conversationId is the query: it comes first. */
async function archiveMeant(
  files: Archives,
  query: string,
): Promise<Omit<SearchResult, 'score'> | undefined> {
  if (/\s/.test(query.trim())) return undefined;
  const isOne = /^[0-9a-f]{8}(?:-|$)/.test(query) || /\.md$|^\d{4}-\d\d-\d\d-/.test(query.trim());
  if (!isOne) return undefined;
  // Imported on demand: reading archives is a lot of code that other searches do not need.
  const { listArchives, locateArchive } = await import('./read.ts');
  const path = await locateArchive(files, query).catch(ignoreCouncilError);
  const meta =
    path === undefined ? undefined : (await listArchives(files)).archives.find((one) => one.path === path);
  return (
    meta && {
      kind: 'council',
      id: meta.id,
      path: meta.path,
      topic: meta.topic,
      endedAt: meta.endedAt,
      excerpt: meta.topic,
    }
  );
}

function ignoreCouncilError(error: unknown): undefined {
  if (!(error instanceof CouncilError)) throw error;
}

/** Returns an FTS5 query of quoted words and phrases only: no operator can be injected. Throws `usage`. */
export function buildMatchQuery(query: string): string {
  const { terms, beginning } = parseSearchTerms(query);
  return `${terms.map((text) => `"${text}"`).join(' ')}${beginning === undefined ? '' : '*'}`;
}

/** Returns the words and phrases of a query, and its last word if it may be a prefix. */
function parseSearchTerms(query: string): { terms: string[]; beginning: string | undefined } {
  const terms = [...query.matchAll(/"([^"]*)"?|([^\s"]+)/g)].map(([, phrase, word]) => ({
    text: (phrase ?? word ?? '').replaceAll('\0', ' '),
    isWord: word !== undefined,
  }));
  // Terms without letters or digits are not indexed, and an empty phrase would match nothing.
  const found = terms.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (found.length === 0) {
    throw new CouncilError(
      'usage',
      `There is no word to search for in ${JSON.stringify(query.slice(0, 80))}.`,
      {
        hint: 'Give words or a "phrase"; letters and digits are searched: council search "object storage" cost',
      },
    );
  }
  if (found.length > TERMS) {
    throw new CouncilError(
      'usage',
      `The query has ${found.length} words; at most ${TERMS} can be searched at once.`,
      {
        hint: 'Keep the words that matter.',
      },
    );
  }
  const last = found.at(-1);
  const isBeginning = last?.isWord === true && /[\p{L}\p{N}]$/u.test(last.text);
  return { terms: found.map(({ text }) => text), beginning: isBeginning ? last.text : undefined };
}

/**
 * Returns what the index stores of a file; undefined if it is not an archive. Indexes only texts by people and
 * agents, since generated text is in every archive. A damaged archive can be found by everything in it.
 */
export async function toSearchEntry(text: string, path: string): Promise<SearchEntry | undefined> {
  const front = cutFrontMatter(text);
  const body = front?.body ?? text;
  if (!front?.yaml.includes('conversationId:') && !hasBlock(body)) return undefined;
  const { readArchive } = await import('./parse.ts');
  try {
    const archive = readArchive(text, path);
    return {
      topic: archive.meta.topic,
      endedAt: archive.meta.endedAt,
      body: joinSearchTexts(listSearchableTexts(archive)),
    };
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const problem = error.message;
    return { topic: '', endedAt: '', body: joinSearchTexts([removeMarkers(cutArchiveBlock(body))]), problem };
  }
}

function listSearchableTexts({ meta, brief, contributions }: Archive): string[] {
  const said = contributions.flatMap((c) => [
    renderSearchableWords(c),
    c.position ?? '',
    ...(c.blocking ?? []),
  ]);
  return [brief, ...said, ...meta.participants.map((p) => p.title)];
}

/** Returns a contribution's words without form lines that are searched as words anyway. */
const renderSearchableWords = (said: Contribution): string =>
  splitParts(said)
    .map((part) => {
      const { form, body } = cutForm(part);
      return isShown(form) ? body : `${form.replace(/^---$/gm, '')}${body}`;
    })
    .join('\n\n');

/** In one pass: an unclosed marker is text, and so is everything after it. */
function removeMarkers(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { index } of text.matchAll(/<!--\/?council-/g)) {
    if (index < at) continue;
    const end = text.indexOf('-->', index);
    if (end === -1) break;
    kept.push(text.slice(at, index));
    at = end + '-->'.length;
  }
  return [...kept, text.slice(at)].join('');
}

/** Without asterisks, so that those around a hit are unambiguous. */
const joinSearchTexts = (texts: string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    // An excerpt is one line: the separator shows where another text begins.
    .join('\n\n· ')
    .replaceAll('**', '');

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
interface QueryWords {
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
