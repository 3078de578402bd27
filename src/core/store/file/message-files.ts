// File driver: messages as files, in a folder per channel and day.
import type fs from 'node:fs';
import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { isId, requireId } from '../../base/ids.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { dropRepeats } from '../../base/memoize.ts';
import { decodeText } from '../../base/text.ts';
import { discard, fsyncDir, linkNew, listFolderNames, statPath, warnOnStderr } from '../local/disk.ts';
import { listFolderEntries, makeOwnFolder, hasOwnFolder, removeFolder } from '../local/folders.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { openTempFolder } from '../local/temps.ts';
import { parseMessageDay, selectNamesInSpan } from '../message-log.ts';
import type { MessageLog, Span } from '../message-log.ts';
import { requireMessage, requireMessageName } from '../names.ts';
import { isTimestampSettled } from './list-documents.ts';
import { watchFolders } from './watch.ts';

/** How many days used ids are remembered: more than clocks can differ. */
const KEPT_DAYS = 4;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Number of cached listings: a long day that is read page by page is listed once. */
const KEPT_LISTINGS = 4;

interface MessageFileOptions {
  /** Absolute path of `memory/shared`. */
  dir: string;
  /** The project's folder: no link is followed below it. */
  root?: string;
  /** Receives each warning for people once. */
  warn?: (message: string) => void;
}

interface MessagePlace {
  dir: string;
  root: string;
  warn(message: string): void;
  listings: Map<string, { mtimeMs: number; names: string[] }>;
}

/** Stores messages in `<dir>/channels/<channel>/YYYY-MM-DD/`; also reads those in the channel's folder. */
export function messageFiles({
  dir: shared,
  root = shared,
  warn = warnOnStderr,
}: MessageFileOptions): MessageLog {
  const place: MessagePlace = {
    dir: join(shared, 'channels'),
    root,
    listings: new Map(),
    warn: dropRepeats(warn),
  };
  const temps = openTempFolder(join(shared, '.tmp'), { root });
  const ids = join(shared, '.versions', '.ids');
  const made = new Set<string>();
  const getFolder = (channel: string): string => join(place.dir, requireId(channel, 'channel'));
  /** The names of the parent folders must be made durable once, even if another process created them. */
  const make = (path: string): void => {
    if (made.has(path) && hasOwnFolder(root, path)) return;
    makeOwnFolder(root, path);
    made.add(path);
  };
  /** The day's folder becomes durable with its first durable message. */
  const makeDay = (path: string, durable: boolean): void => {
    if (durable) return make(path);
    if (hasOwnFolder(root, path)) return;
    make(dirname(path));
    makeOwnFolder(root, path, undefined, false);
  };
  /** An id is used in one channel only: a hard link reserves it, as long as clocks may produce it again. */
  const reserveId = (temp: string, name: string): boolean => {
    const path = buildMessagePath(ids, name);
    if (!hasOwnFolder(root, dirname(path))) {
      makeOwnFolder(root, dirname(path), undefined, false);
      for (const day of listFolderNames(ids).sort().slice(0, -KEPT_DAYS))
        removeFolder(join(ids, day), (one) => parseMessageDay(one) !== undefined);
    }
    return linkNew(temp, path);
  };
  return {
    async create(channel) {
      const folder = getFolder(channel);
      const isNew = !hasOwnFolder(root, folder);
      make(folder);
      return isNew;
    },
    channels: async () =>
      hasOwnFolder(root, place.dir)
        ? listFolderEntries(place.dir).filter(isChannel(place)).map(getEntryName).sort()
        : [],
    async append(channel, name, text, { durable = true, isMoved = false } = {}) {
      const bytes = requireMessage(text);
      const path = buildMessagePath(getFolder(channel), requireMessageName(name));
      makeDay(dirname(path), durable);
      if (measureMessageFile(join(getFolder(channel), name)) !== undefined) return false;
      const temp = temps.write(bytes, { durable });
      try {
        if (!isMoved && !reserveId(temp, name)) return false;
        const added = linkNew(temp, path);
        if (added && durable) fsyncDir(dirname(path));
        return added;
      } finally {
        discard(temp);
      }
    },
    names: async (channel, span) => listMessageNames(place, getFolder(channel), span),
    read: async (channel, name) => readMessage(place, getFolder(channel), requireMessageName(name)),
    watch(channel, onChange) {
      const folder = getFolder(channel);
      return watchFolders(() => [place.dir, folder, ...listNewestDays(place, folder)], onChange);
    },
  };
}

const getEntryName = ({ name }: { name: string }): string => name;

const isChannel =
  ({ dir, warn }: MessagePlace) =>
  (entry: fs.Dirent): boolean => {
    if (entry.name.startsWith('.')) return false;
    if (isId(entry.name) && entry.isDirectory()) return true;
    warn(`${join(dir, entry.name)} is no channel and is left out.`);
    return false;
  };

function buildMessagePath(folder: string, name: string): string {
  const [, year = '', month = '', day = ''] =
    /^(\d{4})(\d{2})(\d{2})$/.exec(parseMessageDay(name) ?? '') ?? [];
  return join(folder, `${year}-${month}-${day}`, name);
}

/** Returns 0 for an entry that is no file, too: its name is taken. */
function measureMessageFile(path: string): number | undefined {
  try {
    return measureFileSize(path);
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'not_a_file') return 0;
    throw error;
  }
}

function listMessageNames(place: MessagePlace, folder: string, span: Span): string[] {
  if (!hasOwnFolder(place.root, folder)) return [];
  const { days, flat } = listChannelContents(place, folder);
  const { from = '', before = '~', newest = false, limit } = span;
  const first = from.slice('msg-'.length, 'msg-YYYYMMDD'.length);
  const wanted = [...new Set([...days, ...flat.keys()])]
    .sort()
    .filter((day) => day >= first && `msg-${day}` <= before);
  const found: string[][] = [];
  let count = 0;
  for (const day of newest ? wanted.toReversed() : wanted) {
    if (count >= limit) break;
    const some = selectNamesInSpan(listDayNames(place, folder, day, { days, flat }), {
      ...span,
      limit: limit - count,
    });
    found.push(some);
    count += some.length;
  }
  return (newest ? found.toReversed() : found).flat();
}

interface Contents {
  /** The days with a folder, as `20260111`. */
  days: Set<string>;
  /** Messages in the channel's folder itself, by day. */
  flat: Map<string, string[]>;
}

function listChannelContents(place: MessagePlace, folder: string): Contents {
  const flat = new Map<string, string[]>();
  const days = new Set<string>();
  for (const name of listFolderCached(place, folder)) {
    const day = parseMessageDay(name);
    if (day !== undefined) flat.set(day, [...(flat.get(day) ?? []), name]);
    else if (DAY.test(name)) days.add(name.replaceAll('-', ''));
    else if (!name.startsWith('.')) place.warn(`${join(folder, name)} is no message and is left out.`);
  }
  return { days, flat };
}

function listDayNames(place: MessagePlace, folder: string, day: string, { days, flat }: Contents): string[] {
  const loose = flat.get(day) ?? [];
  if (!days.has(day)) return loose;
  const path = join(folder, day.replace(/(....)(..)(..)/, '$1-$2-$3'));
  const names =
    readOrSkip(place, () => (hasOwnFolder(place.root, path) ? listFolderCached(place, path) : [])) ?? [];
  const own = names.filter((name) => {
    if (parseMessageDay(name) === day) return true;
    if (!name.startsWith('.')) place.warn(`${join(path, name)} is no message of that day and is left out.`);
    return false;
  });
  return loose.length === 0 ? own : [...new Set([...loose, ...own])].sort();
}

/** Lists the names in a folder, sorted; cached until the folder changes. */
function listFolderCached({ listings }: MessagePlace, path: string): string[] {
  const at = Date.now();
  const stat = statPath(path);
  const kept = listings.get(path);
  if (stat && kept?.mtimeMs === stat.mtimeMs) return kept.names;
  const names = listFolderNames(path);
  listings.delete(path);
  if (stat && isTimestampSettled(stat.mtimeMs, at)) listings.set(path, { mtimeMs: stat.mtimeMs, names });
  for (const oldest of listings.keys()) if (listings.size > KEPT_LISTINGS) listings.delete(oldest);
  return names;
}

function readMessage(place: MessagePlace, folder: string, name: string): string | undefined {
  return readOrSkip(place, () => {
    const path = buildMessagePath(folder, name);
    if (!hasOwnFolder(place.root, folder)) return undefined;
    const inDay = hasOwnFolder(place.root, dirname(path));
    const bytes = (inDay ? readMessageBytes(path) : undefined) ?? readMessageBytes(join(folder, name));
    return bytes && decodeText(bytes, path);
  });
}

const readMessageBytes = (path: string): Buffer | undefined =>
  readBytes(path, { limit: READ_LIMITS.message, links: 'refuse' });

/** Reports what cannot be read and skips it: one bad file must not block access to all others. */
function readOrSkip<T>({ warn }: MessagePlace, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    warn(`A message is left out: ${error.message}`);
    return undefined;
  }
}

/** Messages arrive in today's folder; around midnight that may be either of two. */
function listNewestDays(place: MessagePlace, folder: string): string[] {
  const listed =
    readOrSkip(place, () => (hasOwnFolder(place.root, folder) ? listFolderNames(folder) : [])) ?? [];
  return listed
    .filter((name) => DAY.test(name))
    .slice(-2)
    .map((day) => join(folder, day));
}
