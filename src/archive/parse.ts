// Parses an archive's file back into facts and texts.
import { posix } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { readFrontMatter, startsWithFrontMatter } from '../base/front-matter.ts';
import type { FrontMatter } from '../base/front-matter.ts';
import { MAX_COUNCIL_BYTES } from '../base/text.ts';
import type { Facts } from '../store/archives.ts';
import type { Archive, ArchiveMeta } from './archive.ts';
import { computedSynthesis, writtenSynthesis } from './archive.ts';
import { damaged, hasBlock, openBlock, requireFormat } from './block.ts';
import { earlyTexts, markersOf } from './early.ts';
import { HEAD, disagreeing } from './front.ts';
import { frontFacts } from './read-meta.ts';
import type { FrontFacts } from './read-meta.ts';
import { isPage, readTexts, textsOf } from './record.ts';

/**
 * The front matter of an early archive holds the ledger and every launch: no more than the state file it was made from. So many
 * values are three times those of 32 participants with every claim and challenge that is read; a hostile file takes 0.7 GB and 4 s.
 */
const ARCHIVE_LIMITS = { bytes: MAX_COUNCIL_BYTES, values: MAX_COUNCIL_BYTES / 32 };

/** An archive as its file tells it. */
export interface ReadArchive extends Archive {
  /** What is missing or no longer word for word, for people: "henry in COLLECT (tour 1)". Empty for a sound archive. */
  altered: string[];
}

/** The facts of an archive, not checked yet, and what its front matter says otherwise. */
export interface RawFacts {
  facts: Facts;
  disagreeing: string[];
}

/**
 * Reads an archive's file. The block at its end holds the facts and the hash of every text; the texts stand on the page, between
 * markers. Headings, tables and lists are for people: they are compared with their hash, never read. `path` is relative to the
 * project's root. Throws `corrupt` for a cut or altered block, a broken marker and a file that is no archive, `invalid_config`
 * for front matter that is no YAML.
 */
export function readArchive(text: string, path: string): ReadArchive {
  const { data, body } = frontMatterOf(text, path);
  return (isEarly(data, body) ? readEarly : readBlocked)({ data, body }, text, path);
}

/** What an archive says of itself, not checked yet. Throws `corrupt` for one that is cut or altered, and `invalid_config`. */
export function readFacts(text: string, path: string): RawFacts {
  const { data, body } = frontMatterOf(text, path);
  if (isEarly(data, body)) return { facts: data, disagreeing: [] };
  requireKnown(data, path);
  const facts = openBlock(body, path).data;
  return { facts: withoutTexts(facts), disagreeing: disagreeing(data, facts) };
}

/** The facts of an archive, checked; undefined for a file that is none. Throws `corrupt`. */
export const metaOf = (facts: Facts, path: string): ArchiveMeta | undefined => frontFacts(facts, path)?.meta;

/** No list needs what is known of single texts. */
const withoutTexts = ({ contributions: _contributions, ...facts }: Facts): Facts => facts;

/** All facts of an early archive stand in its front matter, and none has a number of its format. */
const isEarly = (data: Facts, body: string): boolean => data.archive === undefined && !hasBlock(body);

/** An archive whose number was edited away is one all the same: its block tells. */
function requireKnown({ archive }: Facts, path: string): void {
  if (archive !== undefined) requireFormat(archive, path);
}

/** The front matter of what is perhaps an archive. Throws `corrupt` for one that is cut there. */
function frontMatterOf(text: string, path: string): FrontMatter {
  const isCutAtOnce = HEAD.startsWith(text) && /^\d{4}-\d\d-\d\d-/.test(posix.basename(path));
  if (isCutAtOnce) throw damaged(path, 'cut', 'nothing but its first lines is there');
  try {
    return readFrontMatter(text, path, ARCHIVE_LIMITS);
  } catch (error) {
    const isOurs = startsWithFrontMatter(text) && text.replaceAll('\r\n', '\n').includes(HEAD);
    const isOpen = isOurs && !/\n---[ \t]*\r?(?:\n|$)/.test(text);
    throw isOpen ? damaged(path, 'cut', 'it ends in its front matter') : error;
  }
}

function readBlocked({ data, body }: FrontMatter, text: string, path: string): ReadArchive {
  requireKnown(data, path);
  const { data: facts, page, behind } = openBlock(body, path);
  const front = frontFacts(facts, path);
  if (!front) throw damaged(path, 'altered', 'its machine data have no conversationId');
  const recorded = readTexts(facts, path);
  const start = text.length - body.length;
  const marked = markersOf(text.slice(0, start + page.length), path, start);
  const { altered, digest, ...texts } = textsOf(recorded, marked);
  const edited = disagreeing(data, facts);
  const written = writtenSynthesis(texts.contributions, front.meta.synthesis);
  return {
    ...front,
    ...texts,
    synthesis: written ?? computedSynthesis(digest),
    altered: [
      ...altered,
      ...(edited.length > 0 ? [`its front matter (${edited.join(', ')})`] : []),
      ...(isPage(page, recorded) ? [] : ['what stands around the texts (headings, lists, tables)']),
      ...(behind.trim() === '' ? [] : ['what follows its machine data']),
    ],
  };
}

function readEarly({ data, body }: FrontMatter, text: string, path: string): ReadArchive {
  const front: FrontFacts | undefined = frontFacts(data, path);
  if (!front) {
    throw new CouncilError('corrupt', `${path} is not an archive: its front matter has no conversationId.`, {
      hint: 'List the archives with: council list',
    });
  }
  return { ...front, ...earlyTexts(front, markersOf(text, path, text.length - body.length)) };
}
