// Opens council's own code, together with what Node has kept of it in compiled form.
import type * as Program from './program.ts';

/** The commands that agents and cron call again and again: they start from a bundle with nothing of the others. */
export const HOT: readonly string[] = ['respond', 'view', 'status', 'wait', 'tick', 'search', 'run'];

/** The program that can run a command. */
export async function loadProgram(command: string): Promise<Pick<typeof Program, 'main'>> {
  keepCompiledCode(process.env);
  return HOT.includes(command) ? import('./hot.ts') : import('./program.ts');
}

/**
 * Has Node keep what it compiles, in a folder of this user alone: `$XDG_CACHE_HOME/council/compile-cache` (default `~/.cache`).
 * Node's own choice lies in /tmp under a name that can be guessed: who makes that folder first decides what runs.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv): void {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return;
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  // The folder for temporary files is the user's own there.
  const folder = process.platform === 'win32' ? undefined : findCacheFolder(env);
  if (folder !== undefined || process.platform === 'win32') enableCompileCache(folder);
}

/** Undefined where there is no safe folder. */
function findCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const { XDG_CACHE_HOME: given = '', HOME: home = '' } = env;
  if (!isAbsolute(given) && !isAbsolute(home)) return undefined;
  const council = join(isAbsolute(given) ? given : join(home, '.cache'), 'council');
  const folder = join(council, 'compile-cache');
  return isOwn(folder) && isOwn(council) ? folder : undefined;
}

/** Whether no other user can write into a folder; it is made when it is not there. */
function isOwn(folder: string): boolean {
  const { lstatSync } = process.getBuiltinModule('node:fs');
  const look = () => lstatSync(folder, { throwIfNoEntry: false });
  try {
    let stat = look();
    if (!stat) make(folder);
    stat ??= look();
    return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
  } catch (error) {
    // A full or read-only disk: everything works without, only slower.
    if (typeof (error as { code?: unknown }).code !== 'string') throw error;
    return false;
  }
}

/**
 * With the folders above it. Node's `recursive` never returns where folders cannot be made, such as in /proc; `makeFolders`
 * of the store would bring more into the first file that is read.
 */
function make(folder: string): void {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) make(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Two commands that start at once.
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}
