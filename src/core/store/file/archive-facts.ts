// File driver: the SQLite cache of archives' contents, for the search and for lists.
import { isDeepStrictEqual } from 'node:util';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { ArchiveFacts, ArchiveFile, FrontMatterFacts } from '../archives.ts';
import { isTimestampSettled } from './list-documents.ts';
import { getSystemCode } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { makeFolders } from '../local/disk.ts';
import { openDatabase, classifySqliteFault } from './sqlite.ts';
import type { DatabaseSync } from './sqlite.ts';
import { requireUserFolder } from '../local/system.ts';

/** Another process may be indexing everything: reading the files is faster than waiting for it. */
const BUSY_MS = 100;
/** Maximum characters of one archive's facts: all of them are in memory at once. */
const MOST = 1024 * 1024;

/**
 * Lines that this process has read, by the project's folder. A server asks for them with every page, and reading ten
 * thousand takes half its time.
 */
const known = new Map<string, Map<string, { stamp: string; line: FrontMatterFacts | null }>>();

/** Opens the facts of the project at `root`, next to its search index; always empty without a working cache. */
export function archiveFacts(root: string, env: NodeJS.ProcessEnv): ArchiveFacts {
  // Computed lazily, since its name is a hash and most commands do not need it.
  const path = (): string => getDatabasePath(root, env);
  return {
    readFacts: (files) => column<FrontMatterFacts>('data', files),
    lines: readLines,
    async keep(read, files) {
      const lasting = read.flatMap(({ file, facts, line }) => {
        const data = JSON.stringify(facts);
        const changedMs = Math.max(file.mtimeMs, file.changedMs);
        return isTimestampSettled(changedMs, Date.now()) && data.length <= MOST && isPlain(facts, data)
          ? { file, data, line: JSON.stringify(line) }
          : [];
      });
      if (lasting.length === 0) return;
      await useCacheDatabase(path(), BUSY_MS, async (database) => {
        runInTransaction(database, () => {
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

  async function readLines(files: readonly ArchiveFile[]): Promise<Map<string, FrontMatterFacts | null>> {
    const stamps = new Map(files.map((file) => [file.path, stampArchiveFile(file)]));
    const kept = new Map(
      [...(known.get(root) ?? [])].filter(([path, { stamp }]) => stamps.get(path) === stamp),
    );
    const read = await column<FrontMatterFacts | null>(
      'line',
      files.filter(({ path }) => !kept.has(path)),
    );
    for (const [path, line] of read) kept.set(path, { stamp: stamps.get(path)!, line });
    known.set(root, kept);
    return new Map([...kept].map(([path, { line }]) => [path, line]));
  }

  /** Returns one column for the files that have not changed. */
  async function column<T>(name: 'data' | 'line', files: readonly ArchiveFile[]): Promise<Map<string, T>> {
    const stamps = new Map(files.map((file) => [file.path, stampArchiveFile(file)]));
    const said = new Map<string, T>();
    if (files.length === 0) return said;
    await useCacheDatabase(path(), BUSY_MS, async (database) => {
      if (isEmpty(database)) return;
      const wanted = database.prepare(
        `SELECT path, stamp, ${name} AS said FROM facts WHERE path IN (SELECT value FROM json_each(?))`,
      );
      for (const row of wanted.iterate(JSON.stringify([...stamps.keys()])))
        if (stamps.get(String(row.path)) === row.stamp)
          said.set(String(row.path), JSON.parse(String(row.said)) as T);
    });
    return said;
  }
}

/** JSON would turn a date into a text, for example. */
const isPlain = (facts: FrontMatterFacts, data: string): boolean =>
  isDeepStrictEqual(JSON.parse(data), facts);

const VERSION = 5;
const SCHEMA = `
  DROP TABLE IF EXISTS files;
  DROP TABLE IF EXISTS words;
  DROP TABLE IF EXISTS facts;
  CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT UNIQUE, stamp TEXT, topic TEXT, ended TEXT);
  CREATE VIRTUAL TABLE words USING fts5(topic, body, tokenize = 'unicode61 remove_diacritics 2');
  CREATE TABLE facts (path TEXT PRIMARY KEY, stamp TEXT, data TEXT, line TEXT);
  PRAGMA user_version = ${VERSION};`;

/** Returns `$XDG_CACHE_HOME/council/<hash of root>/search.sqlite` (default `~/.cache`). */
export function getDatabasePath(root: string, env: NodeJS.ProcessEnv): string {
  return join(
    requireUserFolder(env, 'XDG_CACHE_HOME', '.cache'),
    'council',
    sha256(root).slice(0, 16),
    'search.sqlite',
  );
}

/** A fingerprint of a file: every edit changes some part of it. */
export const stampArchiveFile = ({ bytes, mtimeMs, changedMs, inode }: ArchiveFile): string =>
  [bytes, mtimeMs, changedMs, inode].join(' ');

/** True for a new database and for one of another version: it has no data yet. */
export const isEmpty = (database: DatabaseSync): boolean =>
  database.prepare('PRAGMA user_version').get()?.user_version !== VERSION;

/** Uses the database at `path`, recreating a damaged one; undefined if it cannot be read or written. */
export async function useCacheDatabase<T>(
  path: string,
  busyMs: number,
  use: (database: DatabaseSync) => Promise<T>,
): Promise<{ value: T } | undefined> {
  for (let damaged = false; ; damaged = true) {
    try {
      if (damaged) discardDatabase(path);
      return { value: await useDatabase(path, busyMs, use) };
    } catch (error) {
      const fault = classifyCacheFault(error);
      if (fault === 'damaged' && !damaged) continue;
      if (fault === 'damaged' || fault === 'unwritable') return undefined;
      throw error;
    }
  }
}

/** Opens, uses and closes a database; `:memory:` is one that ends with the call. */
export async function useDatabase<T>(
  path: string,
  busyMs: number,
  use: (database: DatabaseSync) => Promise<T>,
): Promise<T> {
  if (path !== ':memory:' && !fs.existsSync(path)) makeFolders(dirname(path), 0o700);
  const database = openDatabase(path, busyMs);
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

/** Runs writes in a transaction, creating the tables if needed. */
export function runInTransaction(database: DatabaseSync, write: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (isEmpty(database)) database.exec(SCHEMA);
    write();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

const NO_CACHE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ENOSPC',
  'EDQUOT',
  'ENAMETOOLONG',
];

/** A cache folder that cannot be created counts as unwritable, too. */
function classifyCacheFault(error: unknown): ReturnType<typeof classifySqliteFault> {
  return NO_CACHE.includes(getSystemCode(error) ?? '') ? 'unwritable' : classifySqliteFault(error);
}

function discardDatabase(path: string): void {
  for (const file of [path, `${path}-journal`]) fs.rmSync(file, { force: true });
}
