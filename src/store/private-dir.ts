import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CouncilError, systemCode } from '../base/errors.ts';
import { asIoError, attempt, makeDir, namesIn, readBytes, replace } from './disk.ts';
import { requireConversationId, requireFileName } from './names.ts';
import { placeOnce, tempsIn } from './temps.ts';

const OWNER_ONLY_DIR = 0o700;
const OWNER_ONLY_FILE = 0o600;
const KEPT_AFTER_ARCHIVE_MS = 30 * 86_400_000;
/** The file in a conversation's folder that says when it was archived. */
const ARCHIVED = '.archived';
/** Texts that belong to no known council. */
const KEPT = 'kept';

/** Files that only their owner may see, one folder per conversation, outside the project. */
interface PrivateDir {
  /**
   * Durable when it returns, unless `durable` is false. The same bytes under the same name again are fine; other bytes are
   * refused with `failed`. Returns the path.
   */
  write(conversationId: string, name: string, bytes: Uint8Array, options?: { durable?: boolean }): string;
  read(conversationId: string, name: string): Buffer | undefined;
  /** The names in a conversation's folder, sorted. */
  list(conversationId: string): string[];
  path(conversationId: string, name: string): string;
  /** For a text that belongs to no known council; never swept. Returns the path. */
  keep(name: string, bytes: Uint8Array): string;
  /** Starts the 30 days after which `sweep` deletes the folder; `at` is ISO 8601. A later mark changes nothing. */
  markArchived(conversationId: string, at: string): void;
  /** Deletes the folders marked more than 30 days before `now` (milliseconds since the epoch). Returns their conversation ids. */
  sweep(now: number): string[];
}

/**
 * The private folder `$XDG_STATE_HOME/council` (default `~/.local/state/council`), made when first needed.
 * Its operations throw `unsafe_private_dir` when it lies inside the project or others could read it, `invalid_id`, `io`.
 */
export function privateDir({
  env,
  projectRoot,
}: {
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}): PrivateDir {
  const root = privateRoot(env);
  const temps = tempsIn(join(root, '.tmp'), { fileMode: OWNER_ONLY_FILE, dirMode: OWNER_ONLY_DIR });
  let checked = false;
  /** Folders whose names this process has made durable: once is enough. */
  const made = new Set<string>();

  function check(): void {
    if (checked) return;
    refuseInside(root, projectRoot);
    if (fs.existsSync(root)) {
      requirePrivate(fs.realpathSync(root));
      temps.sweep();
    }
    checked = true;
  }
  /** The folder of a conversation, or of kept texts, after checking that nobody else can read it; undefined when there is none. */
  function existing(name: string): string | undefined {
    check();
    const dir = join(root, name);
    if (!attempt('look at', dir, () => fs.lstatSync(dir, { throwIfNoEntry: false }))) return undefined;
    requirePrivate(dir);
    return dir;
  }
  function folder(name: string): string {
    const dir = join(root, name);
    if (made.has(dir) && existing(name) !== undefined) return dir;
    check();
    makeDir(root, OWNER_ONLY_DIR);
    requirePrivate(fs.realpathSync(root));
    makeDir(dir, OWNER_ONLY_DIR);
    requirePrivate(dir);
    made.add(dir);
    return dir;
  }
  function put(dir: string, name: string, bytes: Uint8Array, { durable = true } = {}): string {
    const path = join(dir, name);
    if (placeOnce(temps, path, bytes, durable)) return path;
    throw new CouncilError(
      'failed',
      `${path} exists already with other content (${bytes.length} bytes were to be written).`,
      {
        hint: 'Private files are never overwritten; look at the one that is there.',
      },
    );
  }

  return {
    write: (conversationId, name, bytes, options) =>
      put(folder(requireConversationId(conversationId)), requireFileName(name), bytes, options),
    read(conversationId, name) {
      const dir = existing(requireConversationId(conversationId));
      return dir === undefined ? undefined : readBytes(join(dir, requireFileName(name)));
    },
    list(conversationId) {
      const dir = existing(requireConversationId(conversationId));
      return dir ? namesIn(dir).filter((name) => name !== ARCHIVED) : [];
    },
    path: (conversationId, name) => join(root, requireConversationId(conversationId), requireFileName(name)),
    keep: (name, bytes) => put(folder(KEPT), requireFileName(name), bytes),
    markArchived(conversationId, at) {
      const dir = existing(requireConversationId(conversationId));
      if (dir && !fs.existsSync(join(dir, ARCHIVED))) put(dir, ARCHIVED, Buffer.from(at));
    },
    sweep(now) {
      check();
      return namesIn(root).filter((name) => {
        const mark = readMark(join(root, name, ARCHIVED));
        // An unreadable date compares as false: without a clear mark nothing is deleted.
        if (!(now - Date.parse(mark ?? '') > KEPT_AFTER_ARCHIVE_MS)) return false;
        // Moved first: a crash in the middle must not leave a folder without its mark.
        const aside = temps.path();
        replace(join(root, name), aside);
        attempt('delete', aside, () => fs.rmSync(aside, { recursive: true }));
        return true;
      });
    },
  };
}

function readMark(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Where the private folder is, or will be. */
export function privateRoot(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME ?? '';
  return join(isAbsolute(given) ? given : join(env.HOME || homedir(), '.local', 'state'), 'council');
}

/** Throws `unsafe_private_dir` when the private folder lies inside the project. */
export function refuseInside(root: string, projectRoot: string): void {
  const way = relative(realPath(projectRoot), realPath(root));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  throw new CouncilError(
    'unsafe_private_dir',
    `The private folder ${root} lies inside the project ${projectRoot}, where every participant could read it.`,
    {
      hint: 'Set XDG_STATE_HOME to a folder outside the project.',
    },
  );
}

/** The real path of what exists, with the rest appended. */
function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw asIoError(error, 'resolve', path);
    return dirname(path) === path ? path : resolve(realPath(dirname(path)), relative(dirname(path), path));
  }
}

/** Refuses a folder that is a link or not ours; takes the others' rights away from one that is. */
function requirePrivate(dir: string): void {
  const stat = attempt('look at', dir, () => fs.lstatSync(dir));
  const uid = process.getuid?.();
  const fault = !stat.isDirectory()
    ? 'is not a folder'
    : uid !== undefined && stat.uid !== uid
      ? `belongs to another user (uid ${stat.uid})`
      : undefined;
  if (fault !== undefined) {
    throw new CouncilError('unsafe_private_dir', `The private folder ${dir} ${fault}.`, {
      hint: 'Move it away, or set XDG_STATE_HOME to a folder of your own.',
    });
  }
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
    attempt('close to others', dir, () => fs.chmodSync(dir, OWNER_ONLY_DIR));
}
