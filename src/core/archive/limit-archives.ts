// Restricts archives to those of one seat, and reserves a free path for a new one.
import { posix } from 'node:path';
import { formatIso } from '../base/clock.ts';
import { nameSlug } from '../base/ids.ts';
import type { Archives } from '../store/archives.ts';

/**
 * Returns an unused path for an archive: `conseils/YYYY-MM-DD-slug.md` with the UTC day, then `-2`, `-3` if
 * taken. `endMs` is in milliseconds since the epoch. `reserved` are paths reserved by other councils, but not
 * yet written.
 */
export async function reserveArchivePath(
  archives: Pick<Archives, 'dir' | 'paths'>,
  topic: string,
  endMs: number,
  reserved: Iterable<string> = [],
): Promise<string> {
  // Compared in lower case, because some file systems ignore case.
  const taken = new Set([...(await archives.paths()), ...reserved].map((path) => path.toLowerCase()));
  const stem = `${formatIso(endMs).slice(0, 10)}-${nameSlug(topic)}`;
  for (let number = 1; ; number++) {
    const path = posix.join(archives.dir, `${stem}${number === 1 ? '' : `-${number}`}.md`);
    if (!taken.has(path)) return path;
  }
}

/**
 * Returns the archives of one conversation only; others appear not to exist. Writing is not restricted. No
 * cache, which would forget everything not listed.
 */
export function restrictArchives(all: Archives, own: string): Archives {
  const { facts: _facts, ...rest } = all;
  const findOwnPaths = async (): Promise<Set<string>> => {
    // Imported on demand: writing an archive, as every `respond` may, needs no reading code. Saves 3 ms of 56.
    const { gatherLines } = await import('./archive-listing.ts');
    const { found } = await gatherLines(all, own);
    return new Set(found.filter((one) => one.conversationId === own).map(({ path }) => path));
  };
  return {
    ...rest,
    async read(path) {
      return (await findOwnPaths()).has(path) ? all.read(path) : undefined;
    },
    async list() {
      const there = await findOwnPaths();
      return (await all.list()).filter(({ path }) => there.has(path));
    },
    async paths() {
      const there = await findOwnPaths();
      return (await all.paths()).filter((path) => there.has(path));
    },
  };
}
