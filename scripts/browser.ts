// `npm run browser`: unpacks Debian's headless Chromium with the libraries that this machine lacks into a cache, for the tests of
// pages. Nothing is installed, and no root is needed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BROWSER_CACHE, SHELL, findBrowser, launchBrowser, librariesIn } from '../test/helpers/browser.ts';

const WANTED = ['chromium-headless-shell', 'chromium-common', 'fonts-dejavu-core', 'fonts-noto-color-emoji'];

const run = (command: string, args: string[], cwd?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', cwd, stdio: ['ignore', 'pipe', 'inherit'] });

/** These belong to the system: beside others of their kind nothing starts. */
const SYSTEM = new Set(['libc6', 'libgcc-s1', 'libstdc++6']);
/** Libraries of libraries of libraries. */
const DEEPEST = 5;

/** The libraries that a program of Debian needs, by package. */
function librariesOf(names: readonly string[]): string[] {
  const lines = run('apt-cache', ['depends', '--no-recommends', '--no-suggests', ...names]).split('\n');
  return lines
    .flatMap((line) => /^ *Depends: (lib\S+)$/.exec(line)?.[1] ?? [])
    .filter((name) => !SYSTEM.has(name));
}

/** True where the browser finds every library. What the package system says of them is not asked: the files decide. */
function isComplete(root: string): boolean {
  const env = { ...process.env, LD_LIBRARY_PATH: librariesIn(root).join(':') };
  return !execFileSync('ldd', [join(root, SHELL)], { encoding: 'utf8', env }).includes('not found');
}

/** Unpacks the browser, then its libraries level by level until none is missing. */
function unpack(scratch: string, root: string): void {
  const seen = new Set<string>();
  let wanted = WANTED;
  for (let depth = 0; depth < DEEPEST && wanted.length > 0; depth++) {
    run('apt-get', ['-qq', 'download', ...wanted], scratch);
    for (const name of wanted) seen.add(name);
    for (const name of readdirSync(scratch).filter((file) => file.endsWith('.deb'))) {
      run('dpkg-deb', ['-x', join(scratch, name), root]);
      rmSync(join(scratch, name));
    }
    if (isComplete(root)) return;
    wanted = [...new Set(librariesOf(wanted))].filter((name) => !seen.has(name));
  }
  throw new Error('Some library of the browser is in none of the packages that it depends on.');
}

const scratch = mkdtempSync(join(tmpdir(), 'council-browser-'));
try {
  const root = join(scratch, 'root');
  mkdirSync(root);
  unpack(scratch, root);
  rmSync(BROWSER_CACHE, { recursive: true, force: true });
  mkdirSync(dirname(BROWSER_CACHE), { recursive: true });
  moveTo(root, BROWSER_CACHE);
  const browser = await launchBrowser(findBrowser()!);
  console.log(`Chromium ${browser.version()} is in ${BROWSER_CACHE}.`);
  await browser.close();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The temp folder may lie on another disk. */
function moveTo(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
  if (!existsSync(to)) throw new Error(`Nothing was unpacked into ${to}.`);
}
