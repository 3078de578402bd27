// Finds programs on PATH, expands the placeholders in commands, and chooses the environment that a program gets.
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { workTree } from '../../store/local/git.ts';
import { packageDir } from '../../store/local/project.ts';
import { findHome } from '../../store/local/system.ts';

/**
 * A function that finds the program an agent's command starts with, as a launch in `cwd` would: by its path when it
 * has a slash, else on the PATH of `env`. It answers undefined when there is none that may be executed.
 */
export function commandFinder(cwd: string, env: NodeJS.ProcessEnv): (program: string) => string | undefined {
  const windows = process.platform === 'win32';
  const setting = (name: string): string =>
    env[Object.keys(env).find((key) => (windows ? key.toUpperCase() : key) === name) ?? name] ?? '';
  const endings = windows ? ['', ...setting('PATHEXT').split(';')] : [''];
  return (program) => {
    const name = expandPlaceholders(program);
    const folders = /[\\/]/.test(name)
      ? [cwd]
      : setting('PATH')
          .split(delimiter)
          .map((folder) => resolve(cwd, folder));
    const files = folders.flatMap((folder) => endings.map((ending) => resolve(folder, join(name) + ending)));
    return files.find(isExecutable);
  };
}

/**
 * Whether a program or a folder of programs came with the project in `root`: it lies there, or in the git work tree around it,
 * by its own name or by where that leads. A folder that holds all of the user's home holds the user's own programs.
 */
export function isInside(root: string, path: string, env: NodeJS.ProcessEnv): boolean {
  const home = findHome(env);
  const holds = (folder: string, inner: string): boolean => {
    const way = relative(realpathSync(folder), inner);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  const grounds = [root, workTree(root)?.top ?? root].filter(
    (folder) => home === undefined || !holds(folder, home),
  );
  const places = [join(realpathSync(dirname(path)), basename(path)), realpathSync(path)];
  return grounds.some((folder) => places.some((place) => holds(folder, place)));
}

/** The folders of PATH without those that lead into the project: a relative one does, and `npx` adds its node_modules/.bin. */
export function pathOutside(root: string, env: NodeJS.ProcessEnv): string {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && existsSync(folder) && !isInside(root, folder, env))
    .join(delimiter);
}

/** A program of the system, and the PATH to run it with. */
interface SystemProgram {
  file: string;
  PATH: string;
}

/**
 * A program that council itself calls (git, crontab, systemctl) while it works in `root`, trusted or not; undefined when
 * there is none. One that came with the project is not taken.
 */
export function systemProgram(name: string, root: string, env: NodeJS.ProcessEnv): SystemProgram | undefined {
  const PATH = pathOutside(root, env);
  if (PATH === '') return undefined;
  const file = commandFinder(root, { PATH, PATHEXT: env.PATHEXT })(name);
  return file === undefined || isInside(root, file, env) ? undefined : { file, PATH };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/**
 * A part of an agent's command with `${NODE}` replaced by the Node binary that runs council, and
 * `${COUNCIL_HOME}` by council's package folder. Everything else stays as it is, `$HOME` and `~` included.
 */
export function expandPlaceholders(part: string): string {
  return part.replace(/\$\{(NODE|COUNCIL_HOME)\}/g, (_, name) =>
    name === 'NODE' ? process.execPath : packageDir(),
  );
}

/** What a program needs to work at all: where it is, who runs it, which language, and how to reach the network safely. */
const ALLOWED = new Set(
  `PATH HOME USER LOGNAME SHELL LANG TZ TMPDIR TEMP TMP TERM NO_COLOR NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
   SYSTEMROOT WINDIR SYSTEMDRIVE COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE USERNAME
   HOMEDRIVE HOMEPATH`.split(/\s+/),
);
const ALLOWED_FAMILIES = /^(LC_|XDG_)/;

/**
 * The environment of a launched program: the allowlist, the declared names, and council's own variables.
 * A declared name that is unset stays unset.
 */
export function childEnvironment(
  parent: NodeJS.ProcessEnv,
  declared: string[],
  extra: Record<string, string>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (isAllowed(name) || declared.includes(name))) env[name] = value;
  }
  return { ...env, ...extra };
}

function isAllowed(name: string): boolean {
  // Names of variables are the same in any case on Windows, and may be spelled "Path" or "SystemRoot".
  const key = process.platform === 'win32' ? name.toUpperCase() : name;
  return ALLOWED.has(key) || ALLOWED_FAMILIES.test(key);
}
