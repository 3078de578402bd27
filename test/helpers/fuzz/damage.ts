import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomOf } from '../random.ts';

/** Numbers that a seed fixes: a case that failed can be played again. */
export interface Dice {
  /** A whole number from 0 up to, not including, `below`. */
  to(below: number): number;
  pick<T>(items: readonly T[]): T;
}

export function diceOf(...seeds: number[]): Dice {
  const next = randomOf(...seeds);
  const to = (below: number): number => Math.floor(next() * below);
  return { to, pick: (items) => items[to(items.length)]! };
}

/** Where damage is done, and where links may lead. */
export interface Place {
  /** Folders whose files are damaged: the project and its private folder. */
  roots: string[];
  /** A folder that nothing may touch, with a file and a folder in it. */
  canary: string;
  /** Names that are drawn anew for every sample, in the order of their making: they decide no order here. */
  ids: string[];
}

/** Damages one thing at random; what was done comes back in a line. */
export function damage(place: Place, dice: Dice): string {
  const known = (path: string): string =>
    place.ids.reduce((text, id, at) => text.replaceAll(id, String(at)), path);
  const all = place.roots
    .flatMap(entriesBelow)
    .map((entry) => ({ ...entry, key: known(entry.path) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const files = all.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const folders = all.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const isFolder = folders.length > 0 && (files.length === 0 || dice.to(8) === 0);
  if (!isFolder && files.length === 0) return 'nothing is left';
  const path = dice.pick(isFolder ? folders : files);
  const [name, act] = dice.pick(Object.entries(isFolder ? OF_FOLDERS : OF_FILES));
  return `${name} ${path}${act({ path, files, folders, place, dice }) ?? ''}`;
}

/** Sparse giants are looked at from their beginning only. */
const MOST = 4 * 2 ** 20;

interface Scene {
  path: string;
  files: string[];
  folders: string[];
  place: Place;
  dice: Dice;
}
type Act = (scene: Scene) => string | undefined;

const gone = (path: string): void => fs.rmSync(path, { recursive: true, force: true });
const instead = (path: string, make: () => void): undefined => {
  gone(path);
  make();
  return undefined;
};
const fifo = (path: string): void => void execFileSync('mkfifo', [path]);

const link: Act = ({ path, files, place, dice }) => {
  const target = dice.pick([
    join(place.canary, 'secret.md'),
    join(place.canary, 'folder'),
    place.canary,
    join(place.canary, 'not-there'),
    dice.pick(files),
    dirname(path),
    basename(path),
    '/dev/zero',
  ]);
  instead(path, () => fs.symlinkSync(target, path));
  return ` -> ${target}`;
};

const truncate: Act = ({ path, dice }) => {
  const { size } = fs.statSync(path);
  const left = dice.pick([0, 1, size - 1, dice.to(size + 1)]);
  fs.truncateSync(path, Math.max(0, left));
  return ` to ${left} of ${size}`;
};

const flip: Act = ({ path, dice }) => {
  if (fs.statSync(path).size > MOST) return ' (not)';
  const bytes = fs.readFileSync(path);
  const count = bytes.length === 0 ? 0 : 1 + dice.to(8);
  for (let at = 0; at < count; at++) bytes[dice.to(bytes.length)]! ^= 1 << dice.to(8);
  fs.writeFileSync(path, bytes);
  return ` in ${count} places`;
};

const remove: Act = ({ path }) => instead(path, () => undefined);

/** Next to the original under another name, over another file, or where a revision would come next. */
const copy: Act = ({ path, files, folders, dice }) => {
  const next = basename(path).replace(/\d+(?=\.md$)/, (number) => String(Number(number) + 1 + dice.to(3)));
  const to = dice.pick([
    dice.pick(files),
    join(dirname(path), next),
    join(dirname(path), `council-copied${dice.to(9)}.md`),
    join(dirname(path), `${basename(path)}~`),
    join(dice.pick(folders), basename(path)),
  ]);
  // What lies among temp files is swept, and what is no file would be followed.
  const there = fs.lstatSync(to, { throwIfNoEntry: false });
  if (to === path || /\/\.tmp(\/|$)/.test(to) || (there && !there.isFile())) return ' (not)';
  fs.copyFileSync(path, to);
  return ` to ${to}`;
};

const junk: Act = ({ path, dice }) => {
  const bytes = dice.pick([
    '\0\0\0\0',
    '<!--council-state',
    '---\n',
    'x: &a [*a]\n',
    '{"a":',
    '\uFEFF',
    '<!--council-response {}-->',
  ]);
  if (dice.to(2) === 0) fs.appendFileSync(path, bytes.repeat(1 + dice.to(500)));
  else fs.writeFileSync(path, bytes.repeat(1 + dice.to(500)));
  return ` ${JSON.stringify(bytes)}`;
};

/** A sparse file, larger than any memory should be filled with. */
const grow: Act = ({ path }) => void fs.truncateSync(path, 3 * 2 ** 30);

const OF_FILES: Record<string, Act> = {
  truncate,
  flip,
  remove,
  copy,
  link,
  junk,
  grow,
  'a FIFO for': ({ path }) => instead(path, () => fifo(path)),
  'a folder for': ({ path }) => instead(path, () => fs.mkdirSync(path)),
};
const OF_FOLDERS: Record<string, Act> = {
  'remove the folder': remove,
  'a link for the folder': link,
  'a FIFO for the folder': ({ path }) => instead(path, () => fifo(path)),
  'a file for the folder': ({ path }) => instead(path, () => fs.writeFileSync(path, 'a file')),
};

/** Everything below a folder that is really there, links not followed, in a fixed order. */
export function entriesBelow(dir: string): { path: string; kind: 'file' | 'folder' | 'other' }[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return [{ path, kind: 'folder' as const }, ...entriesBelow(path)];
      return [{ path, kind: entry.isFile() ? ('file' as const) : ('other' as const) }];
    });
}

/** Names, kinds, sizes, times and contents of all below a folder: the same twice means that nobody touched it. */
export function fingerprint(dir: string): string {
  return [{ path: dir, kind: 'folder' }, ...entriesBelow(dir)]
    .map(({ path, kind }) => {
      const { mode, mtimeMs, size, nlink, ino } = fs.lstatSync(path);
      const content = kind === 'file' ? fs.readFileSync(path, 'latin1') : '';
      return [path, kind, mode, mtimeMs, size, kind === 'file' ? nlink : '', ino, content].join('|');
    })
    .join('\n');
}

/** Which of these words stand in any file below the folders. A sparse giant is looked at from its beginning. */
export function wordsIn(dirs: string[], words: string[]): Set<string> {
  const found = new Set<string>();
  for (const { path, kind } of dirs.flatMap(entriesBelow)) {
    if (kind !== 'file') continue;
    const text = readStart(path);
    for (const word of words) if (text.includes(word)) found.add(word);
  }
  return found;
}

function readStart(path: string): string {
  const { size } = fs.statSync(path);
  if (size <= MOST) return fs.readFileSync(path, 'latin1');
  const [file, bytes] = [fs.openSync(path, 'r'), Buffer.alloc(MOST)];
  try {
    return bytes.toString('latin1', 0, fs.readSync(file, bytes, 0, MOST, 0));
  } finally {
    fs.closeSync(file);
  }
}

/** Puts the first folders in the place of the second ones. */
export function restored(to: string[], from: string[]): void {
  to.forEach((target, at) => {
    fs.rmSync(target, { recursive: true, force: true });
    fs.cpSync(from[at]!, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  });
}
