// Loads council's code, with Node's compile cache.
import type * as Program from './program.ts';

/** Commands that agents and cron call repeatedly: they start from a smaller bundle without the others. */
export const HOT: readonly string[] = ['respond', 'view', 'status', 'wait', 'tick', 'search', 'run'];

export async function loadProgram(command: string): Promise<Pick<typeof Program, 'main'>> {
  keepCompiledCode(process.env);
  return HOT.includes(command) ? import('./hot.ts') : import('./program.ts');
}

/**
 * Enables Node's compile cache in a folder private to the user: `$XDG_CACHE_HOME/council/compile-cache`
 * (default `~/.cache`). Node's default is in /tmp under a predictable name: anyone who creates that folder
 * first could inject code.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv): void {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return;
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  // On Windows, the folder for temporary files belongs to the user.
  const folder = process.platform === 'win32' ? undefined : findCacheFolder(env);
  if (folder !== undefined || process.platform === 'win32') enableCompileCache(folder);
}

/** Returns undefined if there is no safe folder. */
function findCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const { XDG_CACHE_HOME: given = '', HOME: home = '' } = env;
  if (!isAbsolute(given) && !isAbsolute(home)) return undefined;
  const council = join(isAbsolute(given) ? given : join(home, '.cache'), 'council');
  const folder = join(council, 'compile-cache');
  return isOwn(folder) && isOwn(council) ? folder : undefined;
}

/** Returns whether no other user can write to a folder; creates it if missing. */
function isOwn(folder: string): boolean {
  const { lstatSync } = process.getBuiltinModule('node:fs');
  const look = () => lstatSync(folder, { throwIfNoEntry: false });
  try {
    let stat = look();
    if (!stat) make(folder);
    stat ??= look();
    return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
  } catch (error) {
    // A full or read-only disk: everything works without the cache, only slower.
    if (typeof (error as { code?: unknown }).code !== 'string') throw error;
    return false;
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` never returns where folders cannot be created, such as
 * in /proc; the store's `makeFolders` would load more code at startup.
 */
function make(folder: string): void {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) make(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another command may have created it at the same time.
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}
