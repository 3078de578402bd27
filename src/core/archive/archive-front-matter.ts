// The short front matter of an archive: what lists need, for people and other programs. The block says the same.
import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../store/archives.ts';
import { FORMAT } from './archive-block.ts';

const KEYS = ['conversationId', 'name', 'topic', 'mode', 'status', 'startedAt', 'endedAt'] as const;

/** The first lines of every archive: what a file begins with that was cut right there. */
export const HEAD = `---\narchive: ${FORMAT}\n`;

/** The front matter of an archive with these facts. */
export const buildArchiveFront = (facts: Facts): Facts => ({
  archive: FORMAT,
  ...Object.fromEntries(KEYS.map((key) => [key, facts[key]])),
});

/** The keys of a file's front matter that say something else than its block does. */
export function listMismatchedKeys(front: Facts, facts: Facts): string[] {
  return Object.entries(buildArchiveFront(facts))
    .filter(([key, value]) => !isDeepStrictEqual(front[key], value))
    .map(([key]) => key);
}
