// Opens SQLite databases and classifies their errors.
import type * as Sqlite from 'node:sqlite';
import { CouncilError, describeThrown } from '../../base/errors.ts';
import { toUnknownRecord } from '../../base/text.ts';

export type DatabaseSync = Sqlite.DatabaseSync;

/** The meaning of an SQLite error for a cache. */
export type SqliteFault = 'damaged' | 'unwritable' | 'other';

const DAMAGED = [11, 26];
/** PERM, LOCKED and BUSY after the wait, READONLY, IOERR, FULL, CANTOPEN. */
const UNWRITABLE = [3, 5, 6, 8, 10, 13, 14];

/** Opens a database with Node's SQLite; `:memory:` is one that ends with the process. Throws SQLite's errors. */
export function openDatabase(path: string, busyMs: number): DatabaseSync {
  const database = new (loadSqlite().DatabaseSync)(path);
  database.exec(`PRAGMA busy_timeout = ${busyMs}`);
  return database;
}

/** Classifies an SQLite error; undefined for any other error. */
export function classifySqliteFault(error: unknown): SqliteFault | undefined {
  const { code: kind, errcode } = toUnknownRecord(error);
  if (kind !== 'ERR_SQLITE_ERROR') return undefined;
  const code = Number(errcode) & 0xff;
  return DAMAGED.includes(code) || describeThrown(error).startsWith('no such table')
    ? 'damaged'
    : UNWRITABLE.includes(code)
      ? 'unwritable'
      : 'other';
}

/** Suppresses the warning that the module is experimental, and only that one, while loading it. */
function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    const loaded = process.getBuiltinModule('node:sqlite');
    if (loaded) return loaded;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new CouncilError('failed', 'This Node was built without SQLite, which the search needs.', {
    hint: 'Use an official build of Node 22.18 or newer, or search with: grep -ri WORD conseils/',
  });
}
