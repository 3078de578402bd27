// Collects the facts of archives, from the cache where possible, reading only the necessary files.
import { CouncilError } from '../base/errors.ts';
import { toOneLine } from '../base/text.ts';
import { loadWords, fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { explainOutcome, formatOriginSentence } from '../council/vote/explain.ts';
import type { Origin } from '../council/state/allowed-values.ts';
import type { ArchiveFacts, ArchiveFile, Archives, FrontMatterFacts } from '../store/archives.ts';
import { takeCensus } from '../store/census.ts';
import type { UnusedCopy } from '../store/census.ts';
import type { ArchiveMeta } from './archive.ts';
import { isOutcomePath } from './outcome-record.ts';
import { parseArchiveMeta, readFacts } from './parse.ts';

/** The facts that distinguish archives in a list. */
export type ArchiveHeading = Pick<
  ArchiveMeta,
  'id' | 'path' | 'topic' | 'mode' | 'status' | 'startedAt' | 'endedAt'
>;
/** One row of `council list`. `outcome` is a short summary: "Decided: P2 Buy, 2 of 3. All three said so …". */
export type ArchiveListing = ArchiveHeading & { outcome: string; how?: Origin };
/** A row with the keys used to find an archive. */
export type ArchiveLine = ArchiveListing & Pick<ArchiveMeta, 'conversationId' | 'name'>;
/** The facts needed for sorting and detecting copies. */
type Sortable = Pick<ArchiveLine, 'path' | 'endedAt' | 'conversationId' | 'name'>;

/** The collected facts, newest first, and the archives that cannot be read. */
export interface GatheredFacts<T> {
  found: T[];
  problems: { path: string; message: string }[];
  /** Further files of a council that is in `found`. */
  copies: UnusedCopy[];
}

/** Reading fewer archives is faster than opening the cache. */
const WORTH_A_CACHE = 10;
const KEPT_AT_ONCE = 1000;

/** How to collect facts: from the cache, or from an archive that was read. */
interface FactCollector<T> {
  findKnown(cache: ArchiveFacts, files: readonly ArchiveFile[]): Promise<Map<string, () => T | undefined>>;
  toFacts(meta: ArchiveMeta): T;
}

/** Returns a line per archive, or only those matching `needle`: a conversationId or its start, or a name. */
export const gatherLines = (files: Archives, needle = ''): Promise<GatheredFacts<ArchiveLine>> =>
  gatherFacts(files, needle, {
    findKnown: async (cache, listed) =>
      new Map(
        [...(await cache.lines(listed))].map(([path, line]) => [
          path,
          () => (line ?? undefined) as ArchiveLine | undefined,
        ]),
      ),
    toFacts: toArchiveLine,
  });

/** Returns all facts of all archives: a lot of data for ten thousand of them. */
export const gatherMetas = (files: Archives): Promise<GatheredFacts<ArchiveMeta>> =>
  gatherFacts(files, '', {
    findKnown: async (cache, listed) =>
      new Map(
        [...(await cache.readFacts(listed))].map(([path, facts]) => [
          path,
          () => parseArchiveMeta(facts, path),
        ]),
      ),
    toFacts: (meta) => meta,
  });

async function gatherFacts<T extends Sortable>(
  files: Archives,
  needle: string,
  { findKnown, toFacts: of }: FactCollector<T>,
): Promise<GatheredFacts<T>> {
  const problems: GatheredFacts<T>['problems'] = [];
  const found: T[] = [];
  const listed = (await files.list()).filter(({ path }) => !isOutcomePath(path));
  const cache = listed.length >= WORTH_A_CACHE ? files.facts : undefined;
  const had = cache && (await findKnown(cache, listed));
  const read: Parameters<ArchiveFacts['keep']>[0][number][] = [];
  // Sequential, so that at most one whole archive and the facts of a thousand are in memory.
  for (const file of listed) {
    const { path } = file;
    if (read.length === KEPT_AT_ONCE) await cache?.keep(read.splice(0), listed);
    try {
      const cached = had?.get(path);
      let one: T | undefined;
      if (cached) one = cached();
      else {
        const text = await files.read(path);
        if (!text?.includes(needle)) continue;
        const { facts, disagreeing } = readFacts(text, path);
        // Not cached, so that the problem is reported every time.
        if (disagreeing.length > 0 && isAbout(facts, needle))
          problems.push({ path, message: describeFrontMismatch(path, disagreeing) });
        const meta = parseArchiveMeta(facts, path);
        if (disagreeing.length === 0) read.push({ file, facts, line: meta ? toArchiveLine(meta) : null });
        one = meta && of(meta);
      }
      if (one && isAbout(one, needle)) found.push(one);
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      problems.push({ path, message: error.message });
    }
  }
  await cache?.keep(read, listed);
  return { ...separateCopies(found), problems };
}

/** Separates copies: a council has only one archive, whatever files are next to it. */
function separateCopies<T extends Sortable>(found: T[]): Omit<GatheredFacts<T>, 'problems'> {
  const byPath = new Map(found.map((one) => [one.path, one]));
  const census = takeCensus([...byPath.keys()], {
    parseKey: () => undefined,
    readOwner: (path) => byPath.get(path)?.conversationId,
  });
  const pathOf = new Map([...census].flatMap(([path, { kind, of }]) => (kind === 'own' ? [[of, path]] : [])));
  const copies = [...census].flatMap(([path, { kind, of }]) =>
    kind === 'copy' ? { path, of: pathOf.get(of)! } : [],
  );
  const own = found.filter(({ path }) => census.get(path)?.kind === 'own');
  return { found: own.sort(compareNewestFirst), copies };
}

const toArchiveLine = (meta: ArchiveMeta): ArchiveLine => {
  const how = meta.decision?.how;
  const { id, path, topic, mode, status, startedAt, endedAt, conversationId, name } = meta;
  const outcome = describeOutcomeBriefly(meta, loadWords(meta.lang));
  return {
    ...{ id, path, topic, mode, status, startedAt, endedAt, outcome, conversationId, name },
    ...(how && { how }),
  };
};

/** If two ended at the same time, the higher path comes first. */
const compareNewestFirst = (a: Sortable, b: Sortable): number =>
  compareTexts(b.endedAt, a.endedAt) || b.path.length - a.path.length || compareTexts(b.path, a.path);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const describeFrontMismatch = (path: string, keys: readonly string[]): string =>
  `${path} was altered: its front matter says something else than its machine data (${keys.join(', ')}). The machine data count.`;

/** Exact check: the needle may have matched anywhere in the file, but must be one of these two. */
const isAbout = (
  { conversationId, name }: Partial<ArchiveLine> | FrontMatterFacts,
  needle: string,
): boolean => needle === '' || isBeginning(needle, String(conversationId)) || name === needle;

/** Eight digits of a UUID are unique within a project. */
export const isBeginning = (ref: string, conversationId: string): boolean =>
  conversationId === ref || (/^[0-9a-f]{8}[0-9a-f-]*$/.test(ref) && conversationId.startsWith(ref));

/** Maximum lengths of a position or reason, and of a sentence as a whole, in characters. */
const LONGEST = { part: 80, whole: 160 };

/** Returns "Decided: P2 Buy, 2 of 3." and how it came about, why nothing was decided, or why it was cancelled. */
export function describeOutcomeBriefly(
  { decision, why, result }: Pick<ArchiveMeta, 'decision' | 'why' | 'result'>,
  w: Words,
): string {
  if (result !== undefined) return toOneLine(result, LONGEST.whole);
  if (!decision)
    return why === null
      ? w.archive.noDecision
      : fill(w.archive.cancelledWhy, { why: toOneLine(why, LONGEST.part) });
  const { decided, position, number, denominator, rule, votes, approvals } = decision;
  const shortenText = (words: string): string => toOneLine(words, LONGEST.part);
  if (decided && position !== null) {
    const named = [number, shortenText(position)].filter(Boolean).join(' ');
    const count = (rule === 'approval' ? approvals : undefined)?.[position] ?? votes[position];
    const isCounted = count !== undefined && decision.how !== 'blind-stood';
    const outcome = isCounted
      ? fill(w.outcome.decidedWith, { position: named, count, denominator })
      : fill(w.outcome.decidedFor, { position: named });
    const origin = formatOriginSentence(decision, w, { text: shortenText });
    return origin === '' ? outcome : `${outcome}. ${origin}`;
  }
  const reason = explainOutcome(decision, w, { text: shortenText });
  if (rule === 'none') return toOneLine(reason, LONGEST.whole);
  const sentence = decided ? w.outcome.decidedBriefly : w.outcome.undecidedBriefly;
  return toOneLine(fill(sentence, { why: reason }), LONGEST.whole);
}
