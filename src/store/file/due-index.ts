// File driver: the index of councils that wait, in one file beside the histories.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { isTrusted } from '../due-index.ts';
import type { DueIndex, DueLook, DuePass } from '../due-index.ts';
import { attempt, namesIn, unlinkIfThere } from '../local/disk.ts';
import { ownFolder } from '../local/folders.ts';
import { placeOver, tempsIn } from '../local/temps.ts';
import { readDue, writeDue } from './due-file.ts';
import type { DueFile, Noted } from './due-file.ts';
import { isSettled, markOf } from './mark.ts';

interface Options {
  /** Absolute path of `memory/shared`. */
  dir: string;
  /** The project's folder: below it no link is followed. */
  root: string;
  /** The file that people see of a council. */
  shown(name: string): string;
  /** Hears why nothing could be noted. */
  warn(message: string): void;
}

const pathIn = ({ dir }: Options): string => join(dir, '.versions', '.due', 'index');

/** What a pass knows when it begins. */
interface Known {
  due: readonly string[];
  resting: number;
  nextAt: number | undefined;
  waiting(): ReadonlyMap<string, Noted>;
}

/** The index of a project in `<dir>/.versions/.due/index`. Its folder is its own: writing it must not look like a commit. */
export function dueFile(options: Options): DueIndex {
  const { dir, root } = options;
  const path = pathIn(options);
  return {
    async begin(look) {
      // Before anything is looked at: what is committed from now on changes them.
      const doors = doorsOf(dir, look.now);
      const old = load(root, path, look);
      const known = await knownOf(options, look, { doors, old });
      const marks = new Map(known.due.map((name) => [name, marksOf(options, look, name)]));
      return passOf(known, async (found) => {
        const fresh = [...found].flatMap(([name, one]): [string, Noted][] => {
          const mark = marks.get(name);
          return mark ? [[name, { ...one, ...mark }]] : [];
        });
        if (old && fresh.length === 0 && (doors === null || doors === old.doors)) return;
        const noted = new Map([...known.waiting(), ...fresh]);
        const others = known.due.filter((name) => !noted.has(name));
        const swept = old?.swept ?? { at: look.now, clocks: look.clocks };
        save(options, path, writeDue({ swept, doors }, noted, others));
      });
    },
  };
}

const passOf = ({ due, resting, nextAt, waiting }: Known, end: DuePass['end']): DuePass => ({
  due,
  resting,
  nextAt,
  waiting: async () => waiting(),
  end,
});

/**
 * What the folders are known by that every commit changes: each begins with a file in `.tmp`, and ends with the state file's
 * new name. Null where that cannot be told: one of them has only just changed, or somebody may be about to commit.
 */
function doorsOf(dir: string, now: number): string | null {
  const temps = join(dir, '.tmp');
  const folders = [dir, join(dir, '.versions'), ...(fs.existsSync(temps) ? [temps] : [])];
  const marks = folders.map((folder) => markOf(folder, now));
  // In this order: a file that comes after the mark changes it.
  return marks.includes(undefined) || namesIn(temps).length > 0 ? null : marks.join();
}

async function knownOf(
  options: Options,
  look: DueLook,
  { doors, old }: { doors: string | null; old: DueFile | undefined },
): Promise<Known> {
  const isAtRest = old !== undefined && doors !== null && doors === old.doors;
  try {
    if (isAtRest && !look.byHand) {
      let noted: Map<string, Noted> | undefined;
      return { ...old.split(look.now), waiting: () => (noted ??= notedIn(old, look.now, pathIn(options))) };
    }
    const names = isAtRest ? old.names().sort() : await look.list();
    return unchanged(names, old?.noted(look.now), (name, one) => {
      if (!isAtRest && one.mark !== historyMark(options, look, name)) return false;
      return !look.byHand || (one.shown !== '' && one.shown === shownMark(options, look, name));
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unchanged(await look.list(), undefined, () => false);
  }
}

/** Throws `corrupt` for lines that council has not written; then the file is gone. */
function notedIn(file: DueFile, now: number, path: string): Map<string, Noted> {
  try {
    return file.noted(now);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    unlinkIfThere(path);
    throw new CouncilError('corrupt', `${path} was damaged, and is deleted: it is only a cache.`, {
      hint: 'Run the same command again.',
    });
  }
}

function unchanged(
  names: readonly string[],
  noted: ReadonlyMap<string, Noted> | undefined,
  isSame: (name: string, one: Noted) => boolean,
): Known {
  const waiting = new Map<string, Noted>();
  let nextAt = Infinity;
  for (const name of names) {
    const one = noted?.get(name);
    if (!one || !isSame(name, one)) continue;
    waiting.set(name, one);
    nextAt = Math.min(nextAt, one.dueAt);
  }
  return {
    due: waiting.size === 0 ? names : names.filter((name) => !waiting.has(name)),
    resting: waiting.size,
    nextAt: waiting.size === 0 ? undefined : nextAt,
    waiting: () => waiting,
  };
}

/** What a council's files are known by before it is read; undefined where its history has only just changed. */
function marksOf(options: Options, look: DueLook, name: string): Pick<Noted, 'mark' | 'shown'> | undefined {
  const mark = historyMark(options, look, name);
  return mark === undefined
    ? undefined
    : { mark, shown: look.byHand ? (shownMark(options, look, name) ?? '') : '' };
}

const historyMark = ({ dir }: Options, { now }: DueLook, name: string): string | undefined =>
  markOf(join(dir, '.versions', name), now);

function shownMark({ shown }: Options, { now }: DueLook, name: string): string | undefined {
  const path = shown(name);
  const stat = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  return stat?.isFile() && isSettled(stat.ctimeMs, now)
    ? `${stat.ino} ${stat.ctimeMs} ${stat.size}`
    : undefined;
}

function load(root: string, path: string, { now, clocks }: DueLook): DueFile | undefined {
  try {
    const file = ownFolder(root, dirname(path)) ? readDue(path) : undefined;
    return file && isTrusted(file.swept, now, clocks) ? file : undefined;
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}

function save({ root, warn }: Options, path: string, bytes: Buffer): void {
  try {
    if (!ownFolder(root, dirname(dirname(path)))) return;
    const temps = tempsIn(dirname(path), { root });
    temps.sweep();
    placeOver(temps, path, bytes, false);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    warn(`What waits could not be noted, so every council is read each time: ${error.message}`);
  }
}
