import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sha256 } from '../../../src/core/base/ids.ts';
import { fileStore } from '../../../src/core/store/file/file-store.ts';
import type { Documents, HandEdits } from '../../../src/core/store/documents.ts';
import { bundlePrograms } from '../../helpers/bundle-programs.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';
import { doc, readStamp } from './stamp.ts';

export { doc, readStamp, sha256 };

export const ID = '11111111-1111-4111-8111-111111111111';

/** A fresh folder that goes when the test ends. */
export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'council-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

type FileStore = Documents & HandEdits;

export interface Bench {
  dir: string;
  store: FileStore;
  warnings: string[];
  /** Another store on the same folder, as another process would have it. */
  again(): FileStore;
}

export function bench(dir = scratch()): Bench {
  const warnings: string[] = [];
  const again = (): FileStore =>
    fileStore({ dir, prefix: 'council-', readStamp, warn: (message) => warnings.push(message) });
  return { dir, store: again(), warnings, again };
}

/** Commits `count` revisions after the head, each with its number as body. */
export async function fill(store: Documents, key: string, count: number, id = ID): Promise<number> {
  let revision = await store.revision(key);
  for (let i = 0; i < count; i++)
    revision = await store.commit(key, doc(id, revision + 1, `body ${revision + 1}`), revision);
  return revision;
}

/** Matchers typed `unknown`, so that they may stand in object literals. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** What an action throws; a test fails that expects it to throw and it does not. */
export function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

export const projectionOf = (dir: string, key: string): string =>
  readFileSync(join(dir, `council-${key}.md`), 'utf8');

export function namesOf(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return [];
  }
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

let bundled: string | undefined;

/** The worker and the preload. */
function bundle(): string {
  if (bundled !== undefined) return bundled;
  const dir = mkdtempSync(join(tmpdir(), 'council-worker-'));
  // Not with the test file: those after it in its process use it as well.
  process.once('exit', () => rmSync(dir, { recursive: true }));
  bundled = dir;
  bundlePrograms(
    bundled,
    join(import.meta.dirname, 'workers', 'act.ts'),
    join(import.meta.dirname, '..', '..', 'helpers', 'failpoint.ts'),
  );
  return bundled;
}

/** Starts the worker in a process of its own, with the failpoint preload. */
export function startWorker(args: string[], env: Record<string, string> = {}) {
  const dir = bundle();
  const child = spawn(
    process.execPath,
    ['--import', join(dir, 'failpoint.mjs'), join(dir, 'act.mjs'), ...args],
    {
      env: { PATH: process.env.PATH, TMPDIR: tmpdir(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  return { child, ended, printed: () => stdout };
}

export const runWorker = (args: string[], env?: Record<string, string>): Promise<Ended> =>
  startWorker(args, env).ended;

/** How many counted calls the worker makes when nothing fails. */
export async function countCalls(args: string[], env: Record<string, string>, dir: string): Promise<number> {
  const file = join(dir, 'calls');
  const ended = await runWorker(args, { ...env, FAIL_COUNT_FILE: file });
  if (ended.code !== 0) throw new Error(`worker failed: ${ended.stderr}`);
  const calls = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return calls;
}

/** Runs the jobs, at most `limit` at a time. */
export async function inParallel<T>(jobs: T[], limit: number, run: (job: T) => Promise<void>): Promise<void> {
  const queue = [...jobs];
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job);
  };
  await Promise.all(Array.from({ length: limit }, lane));
}

/** Waits until a condition holds, as long as any machine takes. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await condition());) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
