// Archives as one reader or writer may see them: those of a seat, and a free path for a new one.
import { posix } from 'node:path';
import { iso } from '../base/clock.ts';
import { nameSlug } from '../base/ids.ts';
import type { Archives } from '../store/archives.ts';

/**
 * A path for an archive that no file has: `conseils/YYYY-MM-DD-slug.md`, the day in UTC, then `-2`, `-3` when taken.
 * `endMs` is in milliseconds since the epoch. `reserved` are paths that other councils have reserved and not yet written.
 */
export async function reserveArchivePath(
  archives: Pick<Archives, 'dir' | 'paths'>,
  topic: string,
  endMs: number,
  reserved: Iterable<string> = [],
): Promise<string> {
  // Compared in lower case: some file systems hold two such names for one.
  const taken = new Set([...(await archives.paths()), ...reserved].map((path) => path.toLowerCase()));
  const stem = `${iso(endMs).slice(0, 10)}-${nameSlug(topic)}`;
  for (let number = 1; ; number++) {
    const path = posix.join(archives.dir, `${stem}${number === 1 ? '' : `-${number}`}.md`);
    if (!taken.has(path)) return path;
  }
}

/**
 * The archives of one conversation alone: any other is as if it was not there. What is written goes where it always goes. No cache:
 * it forgets whatever is not listed.
 */
export function ownArchives(all: Archives, own: string): Archives {
  const { facts: _facts, ...rest } = all;
  const paths = async (): Promise<Set<string>> => {
    // Opened here: who only writes an archive, as every `respond` may, needs nothing that reads one. Gain: 3 ms of 56.
    const { gatherLines } = await import('./archive-listing.ts');
    const { found } = await gatherLines(all, own);
    return new Set(found.filter((one) => one.conversationId === own).map(({ path }) => path));
  };
  return {
    ...rest,
    async read(path) {
      return (await paths()).has(path) ? all.read(path) : undefined;
    },
    async list() {
      const there = await paths();
      return (await all.list()).filter(({ path }) => there.has(path));
    },
    async paths() {
      const there = await paths();
      return (await all.paths()).filter((path) => there.has(path));
    },
  };
}
