// File driver: the full-text index of archives as an SQLite cache.
import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { warnOnStderr } from '../local/disk.ts';
import type { ArchiveFile, Archives } from '../archives.ts';
import type { Describe, Query, SearchEntry, SearchHit, SearchIndex } from '../search-index.ts';
import { openDatabase, sqliteFault } from './sqlite.ts';
import type { DatabaseSync } from './sqlite.ts';

/** Where entries come from, and who hears of files that give none. */
interface Sources {
  archives: Archives;
  describe: Describe;
  warn: (message: string) => void;
}

const UNREADABLE = Symbol('unreadable');
const VERSION = 1;
/** Another process may be indexing everything for the first time. */
const BUSY_MS = 10_000;
const SCHEMA = `
  DROP TABLE IF EXISTS files;
  DROP TABLE IF EXISTS words;
  CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT UNIQUE, bytes INTEGER, mtime REAL, topic TEXT, ended TEXT);
  CREATE VIRTUAL TABLE words USING fts5(topic, body, tokenize = 'unicode61 remove_diacritics 2');
  PRAGMA user_version = ${VERSION};`;
/** The part of a body that an excerpt is taken from. */
const EXCERPT_FROM = 1024 * 1024;
const QUERY = `
  SELECT path, files.topic AS topic, ended AS endedAt, -bm25(words, 4.0, 1.0) AS score, words.rowid AS id
  FROM words JOIN files ON files.id = words.rowid
  WHERE words MATCH ? ORDER BY bm25(words, 4.0, 1.0), ended DESC, path LIMIT ?`;
const BODY = `SELECT substr(body, 1, ${EXCERPT_FROM}) AS body FROM words WHERE rowid = ?`;

/**
 * The index of the project at `root`, in `$XDG_CACHE_HOME/council/<hash of root>/search.sqlite` (default `~/.cache`).
 * A damaged one is made anew; where it cannot be written, each search indexes in memory.
 */
export function searchIndex({
  root,
  env,
  warn = warnOnStderr,
}: {
  root: string;
  env: NodeJS.ProcessEnv;
  /** Hears of every file that cannot be read, at every search. */
  warn?: (message: string) => void;
}): SearchIndex {
  const path = join(cacheHome(env), 'council', sha256(root).slice(0, 16), 'search.sqlite');

  return {
    async search(archives, describe, query) {
      for (let damaged = false; ; damaged = true) {
        try {
          if (damaged) discardDatabase(path);
          return await searchIn(path, { archives, describe, warn }, query);
        } catch (error) {
          const fault = faultOf(error);
          if (fault === 'damaged' && !damaged) continue;
          if (fault === 'damaged' || fault === 'unwritable') break;
          throw error;
        }
      }
      return searchIn(':memory:', { archives, describe, warn }, query);
    },
  };
}

async function searchIn(
  place: string,
  sources: Sources,
  { match, limit, excerpt }: Query,
): Promise<SearchHit[]> {
  if (place !== ':memory:' && !fs.existsSync(place))
    fs.mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const database = openDatabase(place, BUSY_MS);
  try {
    await bringUpToDate(database, sources);
    const hits = database.prepare(QUERY).all(match, limit) as unknown as Hit[];
    const bodyOf = database.prepare(BODY);
    return hits.map(({ id, ...hit }) => {
      const body = String(bodyOf.get(id)?.body ?? '');
      return { ...hit, excerpt: excerpt(hit.topic, body) };
    });
  } finally {
    database.close();
  }
}

type Hit = Omit<SearchHit, 'excerpt'> & { id: number };

interface Row {
  path: string;
  bytes: number;
  mtime: number;
}

async function bringUpToDate(database: DatabaseSync, sources: Sources): Promise<void> {
  const { archives } = sources;
  const isNew = database.prepare('PRAGMA user_version').get()?.user_version !== VERSION;
  const files = await archives.list();
  const known = isNew
    ? []
    : (database.prepare('SELECT path, bytes, mtime FROM files').all() as unknown as Row[]);
  const { changed, gone } = difference(files, known);
  if (!isNew && changed.length === 0 && gone.length === 0) return;
  // Read before the transaction: nobody waits for the lock longer than the writing takes.
  const entries: { file: ArchiveFile; entry: SearchEntry | undefined }[] = [];
  for (const file of changed) {
    const entry = await entryOf(sources, file.path);
    // Not remembered: the next search tries again, and names it again.
    if (entry === UNREADABLE) gone.push(file.path);
    else entries.push({ file, entry });
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    if (database.prepare('PRAGMA user_version').get()?.user_version !== VERSION) database.exec(SCHEMA);
    write(database, gone, entries);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function difference(files: ArchiveFile[], known: Row[]): { changed: ArchiveFile[]; gone: string[] } {
  const rows = new Map(known.map((row) => [row.path, row]));
  const changed = files.filter(({ path, bytes, mtimeMs }) => {
    const row = rows.get(path);
    rows.delete(path);
    return row?.bytes !== bytes || row.mtime !== mtimeMs;
  });
  return { changed, gone: [...rows.keys()] };
}

/** A file that is no archive has no entry: it is remembered all the same, and not read every time. */
async function entryOf(
  { archives, describe, warn }: Sources,
  path: string,
): Promise<SearchEntry | typeof UNREADABLE | undefined> {
  try {
    const text = await archives.read(path);
    return text === undefined ? undefined : await describe(text, path);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    warn(error.message.includes(path) ? error.message : `${path}: ${error.message}`);
    return UNREADABLE;
  }
}

function write(
  database: DatabaseSync,
  gone: string[],
  entries: { file: ArchiveFile; entry: SearchEntry | undefined }[],
): void {
  const forgetWords = database.prepare(
    'DELETE FROM words WHERE rowid = (SELECT id FROM files WHERE path = ?)',
  );
  const forget = database.prepare('DELETE FROM files WHERE path = ?');
  const addFile = database.prepare(
    'INSERT INTO files (path, bytes, mtime, topic, ended) VALUES (?, ?, ?, ?, ?)',
  );
  const addWords = database.prepare('INSERT INTO words (rowid, topic, body) VALUES (?, ?, ?)');
  for (const path of [...gone, ...entries.map(({ file }) => file.path)]) {
    forgetWords.run(path);
    forget.run(path);
  }
  for (const { file, entry } of entries) {
    const added = addFile.run(file.path, file.bytes, file.mtimeMs, entry?.topic ?? '', entry?.endedAt ?? '');
    if (entry) addWords.run(added.lastInsertRowid, entry.topic, entry.body);
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

/** Also a cache folder that cannot be made is one that cannot be written. */
function faultOf(error: unknown): ReturnType<typeof sqliteFault> {
  return NO_CACHE.includes(systemCode(error) ?? '') ? 'unwritable' : sqliteFault(error);
}

function discardDatabase(path: string): void {
  for (const file of [path, `${path}-journal`]) fs.rmSync(file, { force: true });
}

function cacheHome(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_CACHE_HOME ?? '';
  return isAbsolute(given) ? given : join(env.HOME || homedir(), '.cache');
}
