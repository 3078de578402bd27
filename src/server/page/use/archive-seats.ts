// Describes archives for a list: outcome, seats, cost and who sat in each. Archives never change, so results are cached.
import { parseArchiveMeta, readFacts } from '../../../core/archive/parse.ts';
import type { ArchiveHeading } from '../../../core/archive/read.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import type { Archives, FrontMatterFacts } from '../../../core/store/archives.ts';
import { createOwnerCache } from '../../../core/base/memoize.ts';
import type { PageWords } from '../words.ts';
import { describeEnd, describeEnding } from '../seat/document.ts';
import { formatShownName } from '../page-formats.ts';

interface ArchiveSeats {
  ids: readonly string[];
  /** In lower case. */
  titles: readonly string[];
}

const NOBODY: ArchiveSeats = { ids: [], titles: [] };

/** Creates a filter by a participant's id or part of a title, with a cache that lasts as long as the server. */
export function createSeatFilter(): (
  files: Archives,
  rows: readonly ArchiveHeading[],
  participant: string,
) => Promise<ArchiveHeading[]> {
  const known = new Map<string, ArchiveSeats>();
  const nameRow = ({ path, endedAt }: ArchiveHeading): string => JSON.stringify([path, endedAt]);
  return async (files, rows, participant) => {
    const unknown = rows.filter((row) => !known.has(nameRow(row)));
    const cached = unknown.length > 0 ? await readCachedFacts(files, unknown) : undefined;
    for (const row of unknown)
      known.set(nameRow(row), await readSeats(files, row.path, cached?.get(row.path)));
    const sat = participant.toLowerCase();
    return rows.filter((row) => {
      const { ids, titles } = known.get(nameRow(row)) ?? NOBODY;
      return ids.includes(sat) || titles.some((title) => title.includes(sat));
    });
  };
}

export async function readCachedFacts(
  files: Archives,
  rows: readonly Pick<ArchiveHeading, 'path'>[],
): Promise<ReadonlyMap<string, FrontMatterFacts>> {
  if (!files.facts) return new Map();
  const paths = new Set(rows.map(({ path }) => path));
  return files.facts.readFacts((await files.list()).filter(({ path }) => paths.has(path)));
}

async function readSeats(
  files: Archives,
  path: string,
  cached: FrontMatterFacts | undefined,
): Promise<ArchiveSeats> {
  try {
    const text = cached ? undefined : await files.read(path);
    const facts = cached ?? (text === undefined ? undefined : readFacts(text, path).facts);
    const meta = facts && parseArchiveMeta(facts, path);
    if (!meta) return NOBODY;
    return {
      ids: [
        ...meta.participants.map(({ id }) => id),
        ...(meta.coordinator === null ? [] : [meta.coordinator]),
      ],
      titles: meta.participants.map(({ title }) => title.toLowerCase()),
    };
  } catch (error) {
    if (error instanceof CouncilError) return NOBODY;
    throw error;
  }
}

/** Maximum number of cached results per language. */
const MOST_ENDINGS = 2000;

/** An archive's data in a list. `end` and `ending` are empty if it is unreadable; its own page says why. */
export interface ArchiveEnding {
  /** In a word or two. */
  end: string;
  ending: string;
  seated: string;
  costUsd: number | null;
}

/** Creates a reader with a cache that lasts as long as the server. */
export function createEndingReader(): (
  files: Archives,
  rows: readonly ArchiveHeading[],
  w: PageWords,
) => Promise<Map<string, ArchiveEnding>> {
  const remembered = createOwnerCache<Promise<ArchiveEnding>>(MOST_ENDINGS);
  return async (files, rows, w) => {
    let known: ReturnType<typeof readCachedFacts> | undefined;
    const readEnding = async ({ path }: ArchiveHeading): Promise<ArchiveEnding> => {
      // Reading an old archive takes 20 ms.
      known ??= readCachedFacts(files, rows);
      return describeArchiveEnding(files, path, (await known).get(path), w);
    };
    const endings = new Map<string, ArchiveEnding>();
    for (const row of rows)
      endings.set(
        row.id,
        await remembered(w, JSON.stringify([row.path, row.endedAt]), () => readEnding(row)),
      );
    return endings;
  };
}

async function describeArchiveEnding(
  files: Archives,
  path: string,
  known: FrontMatterFacts | undefined,
  w: PageWords,
): Promise<ArchiveEnding> {
  const unknown = { end: '', ending: '', seated: '', costUsd: null };
  try {
    const facts = known ?? extractArchiveFacts(await files.read(path), path);
    const meta = facts && parseArchiveMeta(facts, path);
    if (!meta) return unknown;
    const seated = meta.participants.map(({ id }) => formatShownName(meta, id)).join(', ');
    return { end: describeEnd(meta, w), ending: describeEnding(meta, w), seated, costUsd: meta.metrics.cost };
  } catch (error) {
    if (error instanceof CouncilError) return unknown;
    throw error;
  }
}

const extractArchiveFacts = (text: string | undefined, path: string): FrontMatterFacts | undefined =>
  text === undefined ? undefined : readFacts(text, path).facts;
