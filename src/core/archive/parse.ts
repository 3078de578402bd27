// Parses an archive's file into facts and texts.
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CouncilError } from '../base/errors.ts';
import { readFrontMatter, startsWithFrontMatter } from '../base/front-matter.ts';
import type { FrontMatter } from '../base/front-matter.ts';
import type { FrontMatterFacts } from '../store/archives.ts';
import { toComputedSynthesis, findWrittenSynthesis, archiveId } from './archive.ts';
import type { Archive, ArchiveMeta, LateFact } from './archive.ts';
import { createArchiveDamageError, hasBlock, openBlock, requireFormat, FORMAT } from './archive-block.ts';
import { scanMarked } from '../council/document/markers.ts';
import type { MarkedText } from '../council/document/markers.ts';
import { isPage, readTexts, restoreRecordedTexts } from './block-facts.ts';
import type { Absence } from '../council/state/state.ts';
import { frontMatter } from './meta-schema.ts';

/** The front matter is a short list; the block at the end contains the rest. */
const ARCHIVE_LIMITS = { bytes: 1024 * 1024, values: 10_000 };

/** An archive as read from its file. */
export interface ReadArchive extends Archive {
  /** What is missing or altered, for people: "henry in COLLECT (round 1)". Empty for an intact archive. */
  altered: string[];
}

/** The unvalidated facts of an archive, and the front matter keys that disagree with them. */
interface RawFacts {
  facts: FrontMatterFacts;
  disagreeing: string[];
}

/**
 * Parses an archive's file. The block at its end contains the facts and the hash of every text; the texts are
 * on the page, between markers. Headings, tables and lists are for people: they are compared with their hash,
 * but not parsed. `path` is relative to the project's root.
 * Throws `corrupt` for a cut or altered block, a broken marker and a file that is not an archive,
 * `invalid_config` for invalid YAML in the front matter.
 */
export function readArchive(text: string, path: string): ReadArchive {
  const { data, body } = parseArchiveFrontMatter(text, path);
  if (!isArchive(data, body))
    throw new CouncilError('corrupt', `${path} is not an archive: its front matter has no conversationId.`, {
      hint: 'List the archives with: council list',
    });
  if (data.archive !== undefined) requireFormat(data.archive, path);
  const { data: facts, page, behind } = openBlock(body, path);
  const front = parseFrontFacts(facts, path);
  if (!front) throw createArchiveDamageError(path, 'altered', 'its machine data have no conversationId');
  const recorded = readTexts(facts, path);
  const start = text.length - body.length;
  const marked = scanTexts(text.slice(0, start + page.length), path, start);
  const { altered, digest, ...texts } = restoreRecordedTexts(recorded, marked);
  const edited = listMismatchedKeys(data, facts);
  const written = findWrittenSynthesis(texts.contributions, front.meta.synthesis);
  return {
    ...front,
    ...texts,
    synthesis: written ?? toComputedSynthesis(digest),
    altered: [
      ...altered,
      ...(edited.length > 0 ? [`its front matter (${edited.join(', ')})`] : []),
      ...(isPage(page, recorded) ? [] : ['what stands around the texts (headings, lists, tables)']),
      ...(behind.trim() === '' ? [] : ['what follows its machine data']),
    ],
  };
}

/** Reads an archive's facts, unvalidated. Throws `corrupt` if it is cut or altered, and `invalid_config`. */
export function readFacts(text: string, path: string): RawFacts {
  const { data, body } = parseArchiveFrontMatter(text, path);
  if (!isArchive(data, body)) return { facts: data, disagreeing: [] };
  if (data.archive !== undefined) requireFormat(data.archive, path);
  const facts = openBlock(body, path).data;
  return { facts: dropTexts(facts), disagreeing: listMismatchedKeys(data, facts) };
}

/** Validates the facts of an archive; undefined for a file that is not one. Throws `corrupt`. */
export const parseArchiveMeta = (facts: FrontMatterFacts, path: string): ArchiveMeta | undefined =>
  parseFrontFacts(facts, path)?.meta;

/** Lists do not need the data about individual texts. */
const dropTexts = ({ contributions: _contributions, ...facts }: FrontMatterFacts): FrontMatterFacts => facts;

/** A file whose `archive` number was removed is still an archive if it has a block. */
const isArchive = ({ archive, conversationId }: FrontMatterFacts, body: string): boolean =>
  archive !== undefined || conversationId !== undefined || hasBlock(body);

/** Reads the front matter of a possible archive. Throws `corrupt` for one that is cut there. */
function parseArchiveFrontMatter(text: string, path: string): FrontMatter {
  const isCutAtOnce = HEAD.startsWith(text) && /^\d{4}-\d\d-\d\d-/.test(posix.basename(path));
  if (isCutAtOnce) throw createArchiveDamageError(path, 'cut', 'nothing but its first lines is there');
  try {
    return readFrontMatter(text, path, ARCHIVE_LIMITS);
  } catch (error) {
    const isOurs = startsWithFrontMatter(text) && text.replaceAll('\r\n', '\n').includes(HEAD);
    const isOpen = isOurs && !/\n---[ \t]*\r?(?:\n|$)/.test(text);
    throw isOpen ? createArchiveDamageError(path, 'cut', 'it ends in its front matter') : error;
  }
}

/** Returns every marked text from `offset` on. Throws `corrupt`, naming the line. */
function scanTexts(text: string, path: string, offset: number): MarkedText[] {
  try {
    return scanMarked(text, path, offset);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    throw new CouncilError(error.code, error.message, {
      hint: 'Markers are written by council alone. Take the file back from your version control.',
      cause: error,
    });
  }
}

// Reads the facts in an archive's front matter.

/** The validated facts of an archive. */
interface FrontFacts {
  meta: ArchiveMeta;
  absences: Absence[];
  late: LateFact[];
}

/**
 * Validates an archive's facts; undefined without a conversationId, which no other file has. Unknown keys are
 * dropped. Throws `corrupt`, naming the first wrong key.
 */
function parseFrontFacts(data: Record<string, unknown>, path: string): FrontFacts | undefined {
  if (typeof data.conversationId !== 'string') return undefined;
  const read = frontMatter.safeParse(data);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new CouncilError(
      'corrupt',
      `${path}: the front matter key "${issue?.path.join('.')}" is wrong: ${issue?.message}.`,
      {
        hint: 'Undo the edit of the front matter, or take the file back from your version control.',
      },
    );
  }
  const { absences, late, ...facts } = read.data;
  return {
    meta: { ...facts, id: archiveId(path), path },
    absences,
    late,
  };
}

const KEYS = ['conversationId', 'name', 'topic', 'mode', 'status', 'startedAt', 'endedAt'] as const;

/** The first lines of every archive, to recognize a file that was cut right there. */
const HEAD = `---\narchive: ${FORMAT}\n`;

export const buildArchiveFront = (facts: FrontMatterFacts): FrontMatterFacts => ({
  archive: FORMAT,
  ...Object.fromEntries(KEYS.map((key) => [key, facts[key]])),
});

/** Returns the front matter keys whose values differ from the block's. */
function listMismatchedKeys(front: FrontMatterFacts, facts: FrontMatterFacts): string[] {
  return Object.entries(buildArchiveFront(facts))
    .filter(([key, value]) => !isDeepStrictEqual(front[key], value))
    .map(([key]) => key);
}
