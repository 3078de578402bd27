// File driver: agents' memories, in one SQLite database per project, with a full-text index.
import { dirname } from 'node:path';
import { CouncilError, describeThrown } from '../../base/errors.ts';
import { MEMORY_TYPES } from '../agent-memory.ts';
import type { AgentMemory, Memory, MemoryType } from '../agent-memory.ts';
import { makeOwnFolder } from '../local/folders.ts';
import { openDatabase, classifySqliteFault } from './sqlite.ts';
import type { DatabaseSync } from './sqlite.ts';

/** Another worker of the same agent may be writing. */
const BUSY_MS = 10_000;
const MAX_WORDS = 32;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, type TEXT NOT NULL, content TEXT NOT NULL, at TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS of_agent ON memories (agent, type);
  CREATE VIRTUAL TABLE IF NOT EXISTS words
    USING fts5(content, content = 'memories', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
  CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON memories BEGIN
    INSERT INTO words (rowid, content) VALUES (new.id, new.content); END;
  CREATE TRIGGER IF NOT EXISTS deleted AFTER DELETE ON memories BEGIN
    INSERT INTO words (words, rowid, content) VALUES ('delete', old.id, old.content); END;`;

interface AgentMemoryOptions {
  /** Absolute path of the database; `:memory:` for one that ends with the process. */
  path: string;
  /** The project's folder: no link is followed below it. */
  root: string;
}

/** An open database of memories. */
export interface Memories {
  openMemory(agent: string): AgentMemory;
  close(): void;
}

/** Opens the database on first use. */
export function openAgentMemories({ path, root }: AgentMemoryOptions): Memories {
  let open: DatabaseSync | undefined;
  const getDatabase = (): DatabaseSync => {
    if (open) return open;
    if (path !== ':memory:') makeOwnFolder(root, dirname(path));
    const opened = openDatabase(path, BUSY_MS);
    try {
      opened.exec(SCHEMA);
    } catch (error) {
      opened.close();
      throw error;
    }
    return (open = opened);
  };
  return {
    openMemory: (agent) => createAgentMemory(agent, (use) => runGuarded(path, () => use(getDatabase()))),
    close() {
      open?.close();
      open = undefined;
    },
  };
}

type Use = <T>(use: (database: DatabaseSync) => T) => Promise<T>;

function createAgentMemory(agent: string, use: Use): AgentMemory {
  const queryMemories = (sql: string, ...values: (string | number)[]): Promise<Memory[]> =>
    use((database) =>
      database
        .prepare(sql)
        .all(...values)
        .map(parseMemoryRow),
    );
  const buildTypeFilter = (type: MemoryType | undefined): [string, string[]] =>
    type === undefined ? ['', []] : ['AND memories.type = ?', [type]];
  return {
    add: ({ type, content, at }) =>
      use((database) => {
        const added = database
          .prepare('INSERT INTO memories (agent, type, content, at) VALUES (?, ?, ?, ?)')
          .run(agent, type, content, at);
        return { id: Number(added.lastInsertRowid), type, content, at };
      }),
    get: async (id) =>
      (await queryMemories('SELECT * FROM memories WHERE agent = ? AND id = ?', agent, id))[0],
    list({ type, limit }) {
      const [where, values] = buildTypeFilter(type);
      return queryMemories(
        `SELECT * FROM memories WHERE agent = ? ${where} ORDER BY id DESC LIMIT ?`,
        agent,
        ...values,
        limit,
      );
    },
    async search(words, { type, limit }) {
      const match = buildMemoryQuery(words);
      if (match === '') return [];
      const [where, values] = buildTypeFilter(type);
      const sql = `SELECT memories.* FROM words JOIN memories ON memories.id = words.rowid
        WHERE words MATCH ? AND memories.agent = ? ${where} ORDER BY bm25(words), memories.id DESC LIMIT ?`;
      return queryMemories(sql, match, agent, ...values, limit);
    },
    count: () =>
      use((database) =>
        Number(database.prepare('SELECT count(*) AS count FROM memories WHERE agent = ?').get(agent)?.count),
      ),
    delete: (id) =>
      use(
        (database) =>
          Number(database.prepare('DELETE FROM memories WHERE agent = ? AND id = ?').run(agent, id).changes) >
          0,
      ),
    clear: (type) =>
      use((database) =>
        Number(
          database.prepare('DELETE FROM memories WHERE agent = ? AND type = ?').run(agent, type).changes,
        ),
      ),
  };
}

/** Builds a query of quoted words, without FTS5 syntax; each matches as a prefix. */
function buildMemoryQuery(words: string): string {
  const found = [...new Set(words.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])].slice(0, MAX_WORDS);
  return found.map((word) => `"${word}"*`).join(' OR ');
}

const parseMemoryRow = ({ id, type, content, at }: Record<string, unknown>): Memory => ({
  id: Number(id),
  type: MEMORY_TYPES.find((one) => one === type) ?? 'context',
  content: String(content),
  at: String(at),
});

/** Never recreated if damaged: it is not a cache. */
async function runGuarded<T>(path: string, use: () => T): Promise<T> {
  try {
    return await Promise.resolve().then(use);
  } catch (error) {
    const fault = classifySqliteFault(error);
    if (fault === undefined) throw error;
    throw new CouncilError(
      fault === 'damaged' ? 'corrupt' : 'io',
      `What agents keep, ${path}, cannot be used: ${describeThrown(error)}.`,
      { hint: 'Move the file away to begin with an empty one, or put a copy in its place.', cause: error },
    );
  }
}
