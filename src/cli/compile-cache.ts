/**
 * The folder of this user alone for compiled code, `$XDG_CACHE_HOME/council/compile-cache` (default `~/.cache`); undefined where
 * there is no safe one, or `NODE_COMPILE_CACHE` names another or turns it off. Node's own choice lies in /tmp under a name that
 * can be guessed: who makes that folder first decides what runs. Gain: 16 ms of 71 for `status`.
 */
export function ownCacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  // Its folder for temporary files is the user's own there.
  if (process.platform === 'win32') return void process.getBuiltinModule('node:module').enableCompileCache();
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const { XDG_CACHE_HOME: given = '', HOME: home = '' } = env;
  if (!isAbsolute(given) && !isAbsolute(home)) return undefined;
  const council = join(isAbsolute(given) ? given : join(home, '.cache'), 'council');
  const folder = join(council, 'compile-cache');
  return isOwn(folder) && isOwn(council) ? folder : undefined;
}

/** Whether nobody else can write into a folder; it is made when it is not there. */
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
 * With the folders above it. Node's `recursive` never returns where nobody can make folders, such as in /proc; `makeFolders`
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
