// File driver: front matter of archives, kept until their files change.
import { isDeepStrictEqual } from 'node:util';
import type { ArchiveFacts, ArchiveFile, Facts } from '../archives.ts';
import { databasePath, inTransaction, isEmpty, stampArchiveFile, withDatabase } from './archive-database.ts';
import { isSettled } from './mark.ts';

/** Another process may be indexing everything: reading the files is quicker than waiting for it. */
const BUSY_MS = 100;
/** Characters of one archive's facts: all of them are in memory at once. */
const MOST = 1024 * 1024;

/** The facts of the project at `root`, beside its search index. Without a cache that works, nothing is known and nothing kept. */
export function archiveFacts(root: string, env: NodeJS.ProcessEnv): ArchiveFacts {
  // Its name is a hash: most commands never ask.
  const path = (): string => databasePath(root, env);
  return {
    known: (files) => column<Facts>('data', files),
    lines: (files) => column<Facts | null>('line', files),
    async keep(read, files) {
      const lasting = read.flatMap(({ file, facts, line }) => {
        const data = JSON.stringify(facts);
        const changedMs = Math.max(file.mtimeMs, file.changedMs);
        return isSettled(changedMs, Date.now()) && data.length <= MOST && isPlain(facts, data)
          ? { file, data, line: JSON.stringify(line) }
          : [];
      });
      if (lasting.length === 0) return;
      await withDatabase(path(), BUSY_MS, async (database) => {
        inTransaction(database, () => {
          const add = database.prepare(
            'INSERT OR REPLACE INTO facts (path, stamp, data, line) VALUES (?, ?, ?, ?)',
          );
          for (const { file, data, line } of lasting) add.run(file.path, stampArchiveFile(file), data, line);
          const there = JSON.stringify(files.map((file) => file.path));
          database.prepare('DELETE FROM facts WHERE path NOT IN (SELECT value FROM json_each(?))').run(there);
        });
      });
    },
  };

  /** What one column says of the files that are as they were. */
  async function column<T>(name: 'data' | 'line', files: readonly ArchiveFile[]): Promise<Map<string, T>> {
    const stamps = new Map(files.map((file) => [file.path, stampArchiveFile(file)]));
    const said = new Map<string, T>();
    await withDatabase(path(), BUSY_MS, async (database) => {
      if (isEmpty(database)) return;
      for (const row of database.prepare(`SELECT path, stamp, ${name} AS said FROM facts`).iterate())
        if (stamps.get(String(row.path)) === row.stamp)
          said.set(String(row.path), JSON.parse(String(row.said)) as T);
    });
    return said;
  }
}

/** A date, say, would come back as a text. */
const isPlain = (facts: Facts, data: string): boolean => isDeepStrictEqual(JSON.parse(data), facts);
