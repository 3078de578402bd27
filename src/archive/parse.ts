// Parses an archive's file back into facts and texts.
import { CouncilError } from '../base/errors.ts';
import { readFrontMatter } from '../base/front-matter.ts';
import { MAX_COUNCIL_BYTES } from '../base/text.ts';
import { readContribution } from '../council/document/document.ts';
import { measureText, scanMarked } from '../council/document/markers.ts';
import type { Marked } from '../council/document/markers.ts';
import type { Facts } from '../store/archives.ts';
import type { Archive, ArchiveMeta } from './archive.ts';
import { computedSynthesis, writtenSynthesis } from './archive.ts';
import { frontFacts } from './read-meta.ts';
import { PHASES } from '../council/state/choices.ts';

/**
 * Its front matter holds the ledger and every launch: no more than the state file it was made from. So many values are three times
 * those of 32 participants with every claim and challenge that is read; a hostile file takes 0.7 GB and 4 s with them.
 */
const ARCHIVE_LIMITS = { bytes: MAX_COUNCIL_BYTES, values: MAX_COUNCIL_BYTES / 32 };

/** An archive as its file tells it. */
export interface ReadArchive extends Archive {
  /** What is missing or no longer word for word, for people: "henry in COLLECT (tour 1)". Empty for a sound archive. */
  altered: string[];
}

/**
 * Reads an archive's file. Headings, tables and lists are for people and may have been edited; the front matter and
 * the markers are read strictly, and every text is compared with its hash. `path` is relative to the project's root.
 * Throws `corrupt` for a broken marker and for a file that is no archive, `invalid_config` for front matter that is no YAML.
 */
export function readArchive(text: string, path: string): ReadArchive {
  const { data, body } = readFrontMatter(text, path, ARCHIVE_LIMITS);
  const front = frontFacts(data, path);
  if (!front) {
    throw new CouncilError('corrupt', `${path} is not an archive: its front matter has no conversationId.`, {
      hint: 'List the archives with: council list',
    });
  }
  const marked = markersOf(text, path, text.length - body.length);
  const brief = marked.find((m) => m.kind === 'brief');
  const responses = marked.filter((m) => m.kind === 'response');
  const contributions = responses.map(readContribution).sort((a, b) => a.tour - b.tour);
  const written = writtenSynthesis(contributions, front.meta.synthesis);
  const digest = marked.find((m) => m.kind === 'digest');
  return {
    ...front,
    brief: brief?.text ?? '',
    synthesis: written ?? computedSynthesis(digest?.text ?? ''),
    contributions,
    altered: [
      ...altered(brief, 'the brief'),
      ...(written ? [] : altered(digest, 'the synthesis')),
      ...contributions
        .filter((c) => !isIntact(c, c.text))
        .map((c) => `${c.by} in ${c.phase} (round ${c.tour})`),
    ],
  };
}

/** What an archive's front matter says, not checked yet. Throws `invalid_config`. */
export const readFacts = (text: string, path: string): Facts =>
  readFrontMatter(text, path, ARCHIVE_LIMITS).data;

/** The front matter of an archive; undefined for a file that is none. Throws `corrupt`. */
export const metaOf = (facts: Facts, path: string): ArchiveMeta | undefined => frontFacts(facts, path)?.meta;

function markersOf(text: string, path: string, offset: number): Marked[] {
  try {
    const marked = scanMarked(text, path, offset);
    if (marked.every((m) => m.kind !== 'response' || isResponse(m.facts))) return marked;
    throw new CouncilError(
      'corrupt',
      `${path}: a contribution's marker lacks by, phase, tour, at or sha256.`,
    );
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    throw new CouncilError(error.code, error.message, {
      hint: 'Markers are written by council alone. Take the file back from your version control.',
      cause: error,
    });
  }
}

function isResponse({ by, phase, tour, at, sha256 }: Record<string, unknown>): boolean {
  const known: readonly unknown[] = PHASES;
  return (
    [by, at, sha256].every((fact) => typeof fact === 'string') &&
    known.includes(phase) &&
    Number.isInteger(tour)
  );
}

function altered(marked: Marked | undefined, what: string): string[] {
  if (!marked) return [`${what} is missing`];
  return isIntact(marked.facts, marked.text) ? [] : [what];
}

function isIntact(facts: { bytes?: unknown; sha256?: unknown }, text: string): boolean {
  const { bytes, sha256 } = measureText(text);
  return facts.bytes === bytes && facts.sha256 === sha256;
}
