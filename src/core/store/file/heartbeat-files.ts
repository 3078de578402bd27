// File driver: heartbeats and presences as files that are replaced.
import { join } from 'node:path';
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import { isId, requireId } from '../../base/ids.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { memoizeNewest } from '../../base/memoize.ts';
import { decodeText, parseJsonSafely } from '../../base/text.ts';
import { discard, listFolderNames, lstatPath } from '../local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';
import { replaceFile, openTempFolder } from '../local/temps.ts';
import { FORGOTTEN_MS, readHeartbeat } from '../heartbeats.ts';
import type { Heartbeat, Heartbeats } from '../heartbeats.ts';
import type { Presences } from '../small-files.ts';

const END = '.json';
/** Maximum number of cached rows: pages of a server list all of them, and each changes every ten seconds. */
const MOST_READ = 512;
const read = memoizeNewest<Heartbeat | undefined>(MOST_READ);

/**
 * Stores heartbeats in `<dir>/.versions/.heartbeats/<id>.json`, which git ignores; the file's mtime is the
 * time of renewal. They have their own folder, including temp files: renewing must not look like a commit,
 * which causes a look at every council.
 */
export function openHeartbeatFiles(dir: string, root = dir): Heartbeats {
  const folder = join(dir, '.versions', '.heartbeats');
  const temps = openTempFolder(folder, { root });
  const getPath = (id: string): string => join(folder, `${requireId(id, 'heartbeat')}${END}`);
  const ids = (): string[] =>
    hasOwnFolder(root, folder)
      ? listFolderNames(folder)
          .filter((name) => name.endsWith(END))
          .map((name) => name.slice(0, -END.length))
          .filter(isId)
          .sort()
      : [];
  return {
    async renew(heartbeat) {
      const path = getPath(heartbeat.id);
      if (!hasOwnFolder(root, folder)) makeOwnFolder(root, folder);
      replaceFile(temps, path, Buffer.from(JSON.stringify(heartbeat)), false);
    },
    async list() {
      return ids().flatMap((id) => {
        const path = getPath(id);
        const stat = lstatPath(path);
        if (!stat) return [];
        // Setting the clock back must not make a row older.
        const ageMs = Math.max(0, Date.now() - stat.mtimeMs);
        if (ageMs >= FORGOTTEN_MS) {
          discard(path);
          return [];
        }
        const { ino, size, mtimeMs } = stat;
        const heartbeat = read([path, ino, size, mtimeMs].join(' '), () => readHeartbeatFile(path));
        return heartbeat?.id === id ? [{ ...heartbeat, ageMs }] : [];
      });
    },
    async remove(id) {
      if (!hasOwnFolder(root, folder)) return;
      discard(getPath(id));
      temps.sweep();
    },
  };
}

function readHeartbeatFile(path: string): Heartbeat | undefined {
  try {
    const bytes = readBytes(path, { limit: READ_LIMITS.settings, links: 'refuse' });
    return bytes && readHeartbeat(parseJsonSafely(decodeText(bytes, path)));
  } catch (error) {
    if (error instanceof CouncilError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Stores presences in `<dir>/presence/<agent>.json`; `dir` is `memory/shared`, `root` the project's folder. */
export function openPresenceFiles(dir: string, root = dir): Presences {
  const folder = join(dir, 'presence');
  const temps = openTempFolder(join(dir, '.tmp'), { root });
  return {
    async write(agent, text) {
      const path = join(folder, `${requireId(agent, 'agent')}${END}`);
      if (!hasOwnFolder(root, folder)) makeOwnFolder(root, folder);
      replaceFile(temps, path, Buffer.from(text), false);
    },
    async list() {
      if (!hasOwnFolder(root, folder)) return [];
      const agents = listFolderNames(folder).filter(
        (name) => name.endsWith(END) && isId(name.slice(0, -END.length)),
      );
      return agents.flatMap((name) => {
        const text = readPresenceText(join(folder, name));
        return text === undefined ? [] : [{ agent: name.slice(0, -END.length), text }];
      });
    },
  };
}

function readPresenceText(path: string): string | undefined {
  return ignoreRefusal(() => {
    const bytes = readBytes(path, { limit: READ_LIMITS.settings, links: 'refuse' });
    return bytes && decodeText(bytes, path);
  });
}
