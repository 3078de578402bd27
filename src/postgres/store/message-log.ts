// PostgreSQL driver: messages by channel.
import { requireId } from '../../core/base/ids.ts';
import type { MessageLog, Span } from '../../core/store/message-log.ts';
import { requireMessage, requireMessageName } from '../../core/store/names.ts';
import type { Database } from './database.ts';
import type { Listener } from './listener.ts';

const LOOK_MS = 1000;

export function postgresMessageLog(database: Database, project: string, listener: Listener): MessageLog {
  const [channels, messages, ids] = [
    database.name('channels'),
    database.name('messages'),
    database.name('message_ids'),
  ];
  const own = (channel: string): string => requireId(channel, 'channel');
  return {
    async create(channel) {
      const rows = await database.write(
        `INSERT INTO ${channels} (project, channel) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING channel`,
        [project, own(channel)],
      );
      return rows.length > 0;
    },
    async channels() {
      const rows = await database.read<{ channel: string }>(
        `SELECT channel FROM ${channels} WHERE project = $1 ORDER BY channel`,
        [project],
      );
      return rows.map(({ channel }) => channel);
    },
    async append(channel, name, text, { isMoved = false } = {}) {
      requireMessageName(name);
      requireMessage(text);
      const rows = await database.write(
        `WITH made AS (INSERT INTO ${channels} (project, channel) VALUES ($1, $2) ON CONFLICT DO NOTHING),
own AS (INSERT INTO ${ids} (project, name) VALUES ($1, $3) ON CONFLICT DO NOTHING RETURNING name)
INSERT INTO ${messages} (project, channel, name, text) SELECT $1, $2, $3, $4${isMoved ? '' : ' FROM own'}
ON CONFLICT DO NOTHING RETURNING name`,
        [project, own(channel), name, text],
      );
      if (rows.length > 0) listener.hint(`${project}/messages/${channel}`);
      return rows.length > 0;
    },
    names: async (channel, span) => listStoredNames(database, [project, own(channel)], span),
    async read(channel, name) {
      const [row] = await database.read<{ text: string }>(
        `SELECT text FROM ${messages} WHERE project = $1 AND channel = $2 AND name = $3`,
        [project, own(channel), requireMessageName(name)],
      );
      return row?.text;
    },
    watch(channel, onChange) {
      const last = (): Promise<{ last: string }[]> =>
        database.read(
          `SELECT coalesce(max(seq), 0)::text AS last FROM ${messages} WHERE project = $1 AND channel = $2`,
          [project, channel],
        );
      const room = `${project}/messages/${own(channel)}`;
      return lookAgain(listener, (hint) => hint === undefined || hint === room, last, onChange);
    },
  };
}

async function listStoredNames(database: Database, of: [string, string], span: Span): Promise<string[]> {
  const { from = '', before, limit, newest = false } = span;
  const rows = await database.read<{ name: string }>(
    `SELECT name FROM ${database.name('messages')} WHERE project = $1 AND channel = $2 AND name >= $3
AND ($4::text IS NULL OR name < $4 COLLATE "C") ORDER BY name ${newest ? 'DESC' : ''} LIMIT $5`,
    [...of, from, before ?? null, Math.min(limit, 2 ** 31)],
  );
  const names = rows.map(({ name }) => name);
  return newest ? names.reverse() : names;
}

/** Looks each second and at every hint; keeps the process alive until it is stopped. */
function lookAgain(
  listener: Listener,
  isMeant: (hint: string | undefined) => boolean,
  last: () => Promise<{ last: string }[]>,
  onChange: () => void,
): () => void {
  let known: string | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const [row] = await last().catch(() => []);
    if (isStopped || row === undefined || row.last === known) return;
    known = row.last;
    // The first look tells as well: something may have come while it began.
    onChange();
  };
  const unhear = listener.hear((hint) => {
    if (isMeant(hint)) void look();
  });
  const timer = setInterval(() => void look(), LOOK_MS);
  void look();
  return () => {
    isStopped = true;
    clearInterval(timer);
    unhear();
  };
}
