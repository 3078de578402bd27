// Loads a program of dist/ together with the code that was compiled for it at an earlier start.
import { ownCacheFolder } from './compile-cache.ts';
import type * as Program from './program.ts';

/** A hash of all programs of dist/, put in by the build: code that was compiled for others is never taken. */
declare const COUNCIL_BUILD: string;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The script of a program, and the file where its compiled code is kept. */
interface Loaded {
  script: { createCachedData(): Buffer };
  path: string;
}

/**
 * Loads `<folder>/<file>.cjs` for one command. Node keeps only what is compiled when a file is opened, and that is not the
 * functions that a command calls: here the code is kept when the command has ended well, functions included, a file for each
 * command. Gain: 15 ms of 75 of `respond`.
 */
export function loadProgram(file: string, command: string, folder = import.meta.dirname): typeof Program {
  const cache = ownCacheFolder(process.env);
  const { version, arch } = process;
  return evaluate(folder, `${file}.cjs`, {
    cache,
    where: cache && `${cache}/${command}-${version}-${arch}-${COUNCIL_BUILD}`,
    parts: new Map(),
  }) as typeof Program;
}

/** A program that is loaded, with the libraries of `lib/` that it has asked for. */
interface Loading {
  /** The folder for compiled code; undefined where there is none. */
  cache: string | undefined;
  /** The beginning of the names under which compiled code is kept; undefined where it is not. */
  where: string | undefined;
  parts: Map<string, unknown>;
}

function evaluate(folder: string, name: string, loading: Loading): unknown {
  const { dirname, join } = process.getBuiltinModule('node:path');
  const path = join(folder, name);
  const script = scriptOf(path, loading.where && `${loading.where}-${name.replaceAll('/', '-')}.code`);
  const require = (specifier: string): unknown => {
    if (!specifier.startsWith('./lib/')) return builtIn(specifier, path);
    const part = loading.parts.get(specifier) ?? evaluate(folder, specifier.slice('./'.length), loading);
    loading.parts.set(specifier, part);
    return part;
  };
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module, module.exports, require, importerFor(path, loading), dirname(path));
  return module.exports;
}

/** A program asks for nothing but its libraries and Node's modules. Gain beside Node's own `require`: 1 ms of `respond`. */
const builtIn = (specifier: string, path: string): unknown =>
  process.getBuiltinModule(specifier) ??
  (process.getBuiltinModule('node:module').createRequire(path)(specifier) as unknown);

/** Compiles a file with what is kept of it, or has it kept when the command has ended well. */
function scriptOf(path: string, kept: string | undefined) {
  const fs = process.getBuiltinModule('node:fs');
  const { Script } = process.getBuiltinModule('node:vm');
  const code = kept === undefined ? undefined : readIfThere(kept);
  // The build writes ASCII only: read as Latin-1, a text takes half of the memory and of the time.
  const script = new Script(fs.readFileSync(path).toString('latin1'), {
    filename: path,
    ...(code && { cachedData: code.bytes }),
  });
  const isFresh = code !== undefined && !script.cachedDataRejected && Date.now() - code.at < DAY_MS;
  if (kept !== undefined && !isFresh && !isHelp(process.argv))
    process.once('exit', (exitCode) => exitCode === 0 && keep({ script, path: kept }));
  return script;
}

/** A script has no `import()` of its own: the build puts a call of this in its place. Node keeps what it compiles of such a module. */
const importerFor =
  (path: string, { cache }: Loading) =>
  (specifier: string) => {
    if (cache !== undefined && hasOnlyFiles(cache))
      process.getBuiltinModule('node:module').enableCompileCache(cache);
    const { pathToFileURL } = process.getBuiltinModule('node:url');
    return import(new URL(specifier, pathToFileURL(path)).href);
  };

/** Node would wait for a FIFO. */
function hasOnlyFiles(folder: string): boolean {
  const fs = process.getBuiltinModule('node:fs');
  try {
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.every((entry) => entry.isFile() || entry.isDirectory());
  } catch (error) {
    requireSystemError(error);
    return false;
  }
}

const isHelp = (argv: string[]): boolean => argv.includes('--help') || argv.includes('-h');

function readIfThere(path: string): { bytes: Buffer; at: number } | undefined {
  const fs = process.getBuiltinModule('node:fs');
  try {
    // A FIFO would be waited for.
    const file = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      const stat = fs.fstatSync(file);
      const bytes = stat.isFile() ? onlyIfWhole(fs.readFileSync(file)) : undefined;
      return bytes && { bytes, at: stat.mtimeMs };
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    requireSystemError(error);
    return undefined;
  }
}

/**
 * What was kept, where both copies of it are the same: V8 takes what it is given without looking closely, and one bit that has
 * changed on the disk would end every later command. To compare takes 0.02 ms; a hash would load a module for 2 ms.
 */
function onlyIfWhole(twice: Buffer): Buffer | undefined {
  const [first, second] = [twice.subarray(0, twice.length / 2), twice.subarray(twice.length / 2)];
  return first.equals(second) ? first : undefined;
}

/** Whole or not at all, also after a power cut. */
function keep({ script, path }: Loaded): void {
  const fs = process.getBuiltinModule('node:fs');
  const temp = `${path}.${process.pid}`;
  try {
    const file = fs.openSync(temp, 'wx', 0o600);
    try {
      const code = script.createCachedData();
      fs.writeFileSync(file, Buffer.concat([code, code]));
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temp, path);
    dropOld(path.slice(0, path.lastIndexOf('/')));
  } catch (error) {
    requireSystemError(error);
    fs.rmSync(temp, { force: true });
  }
}

/** What is in use is written anew every day. */
function dropOld(folder: string): void {
  const fs = process.getBuiltinModule('node:fs');
  for (const name of fs.readdirSync(folder)) {
    if (!name.includes('.code')) continue;
    const path = `${folder}/${name}`;
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > 30 * DAY_MS) fs.rmSync(path, { force: true });
  }
}

/** A full or read-only disk: everything works without, only slower. */
function requireSystemError(error: unknown): void {
  if (typeof (error as { code?: unknown }).code !== 'string') throw error;
}
