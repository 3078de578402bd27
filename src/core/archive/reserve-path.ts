// Reserves a free path for a new archive.
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
