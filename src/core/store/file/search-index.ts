// File driver: the full-text index of archives as an SQLite cache.
import { CouncilError } from '../../base/errors.ts';
import { warnOnStderr } from '../local/disk.ts';
import type {
  ArchiveFile,
  Describe,
  Query,
  SearchedArchives,
  SearchEntry,
  SearchHit,
  SearchIndex,
} from '../archives.ts';
import {
  getDatabasePath,
  runInTransaction,
  isEmpty,
  useDatabase,
  stampArchiveFile,
  useCacheDatabase,
} from './archive-facts.ts';
import type { DatabaseSync } from './sqlite.ts';

/** The source of entries, and the receiver of warnings about unreadable files. */
interface Sources {
  archives: SearchedArchives;
  describe: Describe;
  warn: (message: string) => void;
}

const UNREADABLE = Symbol('unreadable');
/** Another process may be indexing everything for the first time. */
const BUSY_MS = 10_000;
/** Excerpts are taken from this many characters of a body. */
const EXCERPT_FROM = 1024 * 1024;
const QUERY = `
  SELECT path, files.topic AS topic, ended AS endedAt, -bm25(words, 4.0, 1.0) AS score, words.rowid AS id
  FROM words JOIN files ON files.id = words.rowid
  WHERE words MATCH ? ORDER BY bm25(words, 4.0, 1.0), ended DESC, path LIMIT ?`;
const BODY = `SELECT substr(body, 1, ${EXCERPT_FROM}) AS body FROM words WHERE rowid = ?`;

/**
 * Opens the index of the project at `root`, stored with the cached facts. A damaged one is recreated; if it
 * cannot be written, each search indexes in memory.
 */
export function searchIndex({
  root,
  env,
  isKept = true,
  warn = warnOnStderr,
}: {
  root: string;
  env: NodeJS.ProcessEnv;
  /** False for a temporary index in memory, for one search. */
  isKept?: boolean;
  /** Receives every unreadable file, at every search. */
  warn?: (message: string) => void;
}): SearchIndex {
  const path = getDatabasePath(root, env);
  return {
    async search(archives, describe, query) {
      const find = (database: DatabaseSync) => searchDatabase(database, { archives, describe, warn }, query);
      const found = isKept ? await useCacheDatabase(path, BUSY_MS, find) : undefined;
      return found ? found.value : useDatabase(':memory:', BUSY_MS, find);
    },
  };
}

async function searchDatabase(
  database: DatabaseSync,
  sources: Sources,
  { match, limit, excerpt }: Query,
): Promise<SearchHit[]> {
  await updateIndex(database, sources);
  const hits = database.prepare(QUERY).all(match, limit) as unknown as Hit[];
  const bodyOf = database.prepare(BODY);
  return hits.map(({ id, ...hit }) => {
    const body = String(bodyOf.get(id)?.body ?? '');
    return { ...hit, excerpt: excerpt(hit.topic, body) };
  });
}

type Hit = Omit<SearchHit, 'excerpt'> & { id: number };

async function updateIndex(database: DatabaseSync, sources: Sources): Promise<void> {
  const { archives } = sources;
  const isNew = isEmpty(database);
  const files = await archives.list();
  const { changed, gone } = compareFiles(
    files,
    isNew ? new Map<string, string>() : readIndexStamps(database),
  );
  if (!isNew && changed.length === 0 && gone.length === 0) return;
  // Read before the transaction, so that the lock is kept only for writing.
  const entries: { file: ArchiveFile; entry: SearchEntry | undefined }[] = [];
  for (const file of changed) {
    const entry = await describeIndexEntry(sources, file.path);
    // Not recorded: the next search tries again, and reports it again.
    if (entry === UNREADABLE) gone.push(file.path);
    else entries.push({ file, entry });
    if (entry !== UNREADABLE && entry?.problem !== undefined) sources.warn(entry.problem);
  }
  runInTransaction(database, () => writeEntries(database, gone, entries));
}

const readIndexStamps = (database: DatabaseSync): Map<string, string> =>
  new Map(
    database
      .prepare('SELECT path, stamp FROM files')
      .all()
      .map(({ path, stamp }) => [String(path), String(stamp)]),
  );

function compareFiles(
  files: ArchiveFile[],
  known: Map<string, string>,
): { changed: ArchiveFile[]; gone: string[] } {
  const changed = files.filter((file) => known.get(file.path) !== stampArchiveFile(file));
  const there = new Set(files.map(({ path }) => path));
  return { changed, gone: [...known.keys()].filter((path) => !there.has(path)) };
}

/** Returns a file's entry; a file that is no archive is recorded without one, so that it is not reread. */
async function describeIndexEntry(
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

function writeEntries(
  database: DatabaseSync,
  gone: string[],
  entries: { file: ArchiveFile; entry: SearchEntry | undefined }[],
): void {
  const forgetWords = database.prepare(
    'DELETE FROM words WHERE rowid = (SELECT id FROM files WHERE path = ?)',
  );
  const forget = database.prepare('DELETE FROM files WHERE path = ?');
  const addFile = database.prepare('INSERT INTO files (path, stamp, topic, ended) VALUES (?, ?, ?, ?)');
  const addWords = database.prepare('INSERT INTO words (rowid, topic, body) VALUES (?, ?, ?)');
  for (const path of [...gone, ...entries.map(({ file }) => file.path)]) {
    forgetWords.run(path);
    forget.run(path);
  }
  for (const { file, entry } of entries) {
    // A damaged one is checked again each time, to be reported again.
    const stamp = entry?.problem === undefined ? stampArchiveFile(file) : '';
    const added = addFile.run(file.path, stamp, entry?.topic ?? '', entry?.endedAt ?? '');
    if (entry) addWords.run(added.lastInsertRowid, entry.topic, entry.body);
  }
}
