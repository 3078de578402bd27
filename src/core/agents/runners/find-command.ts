// Finds programs on PATH, expands placeholders in commands, and selects the environment for a program.
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ignoreSystemFault } from '../../base/errors.ts';
import { findWorkTree } from '../../store/local/git.ts';
import { findPackageDir } from '../../store/local/project.ts';
import { findHome } from '../../store/local/system.ts';

/**
 * Returns a function that resolves the program of an agent's command like a launch in `cwd` would: by its
 * path if it has a slash, else on the PATH of `env`. It returns undefined if there is no executable.
 */
export function createCommandFinder(
  cwd: string,
  env: NodeJS.ProcessEnv,
): (program: string) => string | undefined {
  const windows = process.platform === 'win32';
  const getVariable = (name: string): string =>
    env[Object.keys(env).find((key) => (windows ? key.toUpperCase() : key) === name) ?? name] ?? '';
  const endings = windows ? ['', ...getVariable('PATHEXT').split(';')] : [''];
  return (program) => {
    const name = expandPlaceholders(program);
    const folders = /[\\/]/.test(name)
      ? [cwd]
      : getVariable('PATH')
          .split(delimiter)
          .map((folder) => resolve(cwd, folder));
    const files = folders.flatMap((folder) => endings.map((ending) => resolve(folder, join(name) + ending)));
    return files.find(isExecutable);
  };
}

/**
 * Whether a program or a folder came with the project in `root`: inside it, or inside the git work tree
 * around it, by its path or its resolved links. A folder that contains the user's home has the user's own
 * programs.
 */
export function isInside(root: string, path: string, env: NodeJS.ProcessEnv): boolean {
  const home = findHome(env);
  const containsPath = (folder: string, inner: string): boolean => {
    const way = relative(realpathSync(folder), inner);
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  const grounds = [root, findWorkTree(root)?.top ?? root].filter(
    (folder) => home === undefined || !containsPath(folder, home),
  );
  const places = [join(realpathSync(dirname(path)), basename(path)), realpathSync(path)];
  return grounds.some((folder) => places.some((place) => containsPath(folder, place)));
}

/** Returns PATH without folders inside the project: relative ones, and node_modules/.bin as added by `npx`. */
export function dropProjectFromPath(root: string, env: NodeJS.ProcessEnv): string {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && existsSync(folder) && !isInside(root, folder, env))
    .join(delimiter);
}

/** A system program, and the PATH to run it with. */
interface SystemProgram {
  file: string;
  PATH: string;
}

/**
 * Finds a program that council itself calls (git, crontab, systemctl) while working in `root`, trusted or
 * not. Returns undefined if there is none outside the project.
 */
export function findSystemProgram(
  name: string,
  root: string,
  env: NodeJS.ProcessEnv,
): SystemProgram | undefined {
  const PATH = dropProjectFromPath(root, env);
  if (PATH === '') return undefined;
  const file = createCommandFinder(root, { PATH, PATHEXT: env.PATHEXT })(name);
  return file === undefined || isInside(root, file, env) ? undefined : { file, PATH };
}

function isExecutable(path: string): boolean {
  const isFile = ignoreSystemFault(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
  return isFile ?? false;
}

/**
 * Replaces `${NODE}` in a part of an agent's command by the Node binary that runs council, and
 * `${COUNCIL_HOME}` by council's package folder. Everything else is unchanged, including `$HOME` and `~`.
 */
export function expandPlaceholders(part: string): string {
  return part.replace(/\$\{(NODE|COUNCIL_HOME)\}/g, (_, name) =>
    name === 'NODE' ? process.execPath : findPackageDir(),
  );
}

/** Variables any program needs: paths, user, language, and certificates for the network. */
const ALLOWED = new Set(
  `PATH HOME USER LOGNAME SHELL LANG TZ TMPDIR TEMP TMP TERM NO_COLOR NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
   SYSTEMROOT WINDIR SYSTEMDRIVE COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE USERNAME
   HOMEDRIVE HOMEPATH`.split(/\s+/),
);
const ALLOWED_FAMILIES = /^(LC_|XDG_)/;

/**
 * Returns the environment of a launched program: the allowlist, the declared names, and council's own
 * variables. A declared name that is unset stays unset.
 */
export function buildChildEnvironment(
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
  // Variable names are case-insensitive on Windows: "Path", "SystemRoot".
  const key = process.platform === 'win32' ? name.toUpperCase() : name;
  return ALLOWED.has(key) || ALLOWED_FAMILIES.test(key);
}
