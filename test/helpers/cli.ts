import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { ELSEWHERE } from '../../src/core/cli/spec.ts';
import { trustBook } from '../../src/core/store/file/trust-book.ts';
import { PATIENCE_MS } from './patience.ts';
import { databaseForProject } from './postgres/project-database.ts';

/** The CLI as users get it. */
export const CLI = join(import.meta.dirname, '../../dist/council.js');

if (!fs.existsSync(CLI))
  throw new Error(`${CLI} is missing: build first with "npm run build" ("npm test" does).`);

/** Whether projects are kept in a database in this run. */
export const ON_POSTGRES = process.env.COUNCIL_TEST_STORE === 'postgres';

/** Whether commands have a server do what it can in this run: one for each project. */
const THROUGH_SERVER = process.env.COUNCIL_TEST_THROUGH === 'server';

/** What a finished command left. */
export interface Run<T = unknown> {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** stdout and stderr as they came, for searching. */
  raw: Buffer;
  /** stdout as exactly one JSON document; throws when it is anything else. */
  json: T;
}

export interface RunOptions {
  input?: string | Buffer;
  cwd?: string;
  /** Added to the project's environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
}

/** A command that is still at work. */
export interface Running {
  child: ChildProcess;
  pid: number;
  /** What it has printed so far. */
  output(): string;
  ended: Promise<Run>;
}

/** A folder of its own with everything around it: nothing of this machine's user shows through. */
export interface Project {
  root: string;
  /** Beside the project, for what must not lie inside it. */
  outside: string;
  /** Where sealed and kept texts lie. */
  privateDir: string;
  env: NodeJS.ProcessEnv;
  council<T = unknown>(args: string[], options?: RunOptions): Promise<Run<T>>;
  launch(args: string[], options?: RunOptions): Running;
  write(path: string, text: string | Buffer): string;
  read(path: string): Buffer;
  /** The paths of its archives. */
  archives(): string[];
}

if (process.env.COUNCIL_TEST_MODULES === 'shared')
  throw new Error(
    'A test that starts programs needs modules of its own: name its file in test/helpers/units.ts.',
  );

const ready = inject('ready');
const scratches: string[] = [];
const alive = new Set<ChildProcess>();

afterAll(() => {
  for (const child of alive) child.kill('SIGKILL');
  for (const dir of scratches) fs.rmSync(dir, { recursive: true, force: true });
});

/** A project in a fresh temp folder; `init: false` leaves that folder empty. */
export async function newProject({
  init = true,
  lang,
}: { init?: boolean; lang?: string } = {}): Promise<Project> {
  const scratch = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'council-e2e-')));
  scratches.push(scratch);
  const project = projectIn(scratch, join(scratch, 'project'));
  for (const dir of [project.root, project.outside, project.env.HOME!])
    fs.mkdirSync(dir, { recursive: true });
  if (ON_POSTGRES) project.env.COUNCIL_DATABASE_URL = await databaseForProject();
  if (init && ready && lang === undefined && !ON_POSTGRES) {
    fs.cpSync(ready.project, project.root, { recursive: true });
    trustBook(project).grant([], new Date().toISOString(), true);
  } else if (init) {
    // Whatever agents this machine has: a test seats its own.
    const args = ['init', '--no-detect', ...(lang === undefined ? [] : ['--lang', lang])];
    const { code, stderr } = await project.council(args);
    if (code !== 0) throw new Error(`init failed: ${stderr}`);
  }
  if (init && THROUGH_SERVER) await serveIt(project);
  return project;
}

/** A server for a project, which every later command of it asks. It goes with the test file. */
async function serveIt(project: Project): Promise<void> {
  const server = project.launch(['serve', '--port', '0', '--json']);
  const url = (): string | undefined => /"url":"([^"]+)"/.exec(server.output())?.[1];
  await until('the server of the project listens', () => url() !== undefined);
  project.env.COUNCIL_SERVER = url();
}

/**
 * A command beside a server. Whoever starts a council or a task here may trust its agents with it; over the wire nobody does, so
 * their owner has done it before. With the address of a server, a heartbeat would play no council of its own folder, and a
 * command that asks no server says so.
 */
function besideServer(args: string[], { root, env }: { root: string; env: NodeJS.ProcessEnv }) {
  const [command = '', action = ''] = args;
  const trusts = command === 'start' || (command === 'task' && ['run', 'plan', 'retry'].includes(action));
  const isAsked = ELSEWHERE.includes(command) && command !== 'heartbeat';
  if (!trusts) return { args, env: isAsked ? env : { ...env, COUNCIL_SERVER: undefined } };
  spawnSync(process.execPath, [CLI, 'trust', '--yes'], { cwd: root, env });
  return { args: args.filter((word) => word !== '--trust'), env };
}

/** A project whose folder is `root`; home and private folder lie in `scratch`. */
export function projectIn(scratch: string, root: string): Project {
  const state = join(scratch, 'state');
  const env: NodeJS.ProcessEnv = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: join(scratch, 'home'),
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: join(scratch, 'cache'),
    XDG_CONFIG_HOME: join(scratch, 'config'),
    ...(ready && { NODE_COMPILE_CACHE: ready.compiled }),
  };
  const launch = (given: string[], options: RunOptions = {}): Running => {
    const { args, env: around } = THROUGH_SERVER ? besideServer(given, { root, env }) : { args: given, env };
    return start(args, { root, env: around }, options);
  };
  return {
    root,
    outside: join(scratch, 'outside'),
    privateDir: join(state, 'council'),
    env,
    launch,
    council: async <T>(args: string[], options?: RunOptions) => (await launch(args, options).ended) as Run<T>,
    write(path, text) {
      const file = join(root, path);
      if (putInto(env, path, text)) return file;
      fs.mkdirSync(dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
      return file;
    },
    archives() {
      const kept = storedIn(env, 'conseils/');
      if (kept) return kept.toString().split('\n').filter(Boolean);
      const names = fs.readdirSync(join(root, 'conseils')).filter((name) => name.endsWith('.md'));
      return names.sort().map((name) => `conseils/${name}`);
    },
    read: (path) => storedIn(env, path) ?? fs.readFileSync(join(root, path)),
  };
}

/** Messages, and who is awake, go into the database where one keeps the project. False for any other file, and without one. */
function putInto(
  { COUNCIL_DATABASE_URL: url }: NodeJS.ProcessEnv,
  path: string,
  input: string | Buffer,
): boolean {
  if (!url || !/^memory\/shared\/(channels|presence)\/.+\.json$/.test(path)) return false;
  const program = join(import.meta.dirname, 'postgres', 'put-stored.ts');
  const { status, stderr } = spawnSync(process.execPath, [program, url, path], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path} was not put into the database: ${stderr}`);
  return true;
}

/** What a database has in place of a file; undefined where it keeps none, and where there is no database. */
function storedIn({ COUNCIL_DATABASE_URL: url }: NodeJS.ProcessEnv, path: string): Buffer | undefined {
  if (!url || !/^(memory\/shared|conseils)\//.test(path)) return undefined;
  const program = join(import.meta.dirname, 'postgres', 'read-stored.ts');
  const { status, stdout } = spawnSync(process.execPath, [program, url, path]);
  return status === 0 ? stdout : undefined;
}

function start(
  args: string[],
  { root, env }: { root: string; env: NodeJS.ProcessEnv },
  options: RunOptions,
): Running {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd ?? root,
    env: { ...env, ...options.env },
  });
  alive.add(child);
  const chunks: { from: 'stdout' | 'stderr'; bytes: Buffer }[] = [];
  const text = (from?: string) =>
    Buffer.concat(chunks.filter((c) => from === undefined || c.from === from).map((c) => c.bytes)).toString(
      'utf8',
    );
  for (const from of ['stdout', 'stderr'] as const)
    child[from].on('data', (bytes: Buffer) => chunks.push({ from, bytes }));
  // A command that refuses before it reads its stdin closes the pipe: that is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const stuck = setTimeout(() => console.error(stuckLine(args, child.pid, text())), STUCK_MS).unref();
  const ended = new Promise<Run>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(stuck);
      alive.delete(child);
      const stdout = text('stdout');
      resolve({
        code,
        signal,
        stdout,
        stderr: text('stderr'),
        raw: Buffer.concat(chunks.map((c) => c.bytes)),
        get json() {
          return JSON.parse(stdout) as unknown;
        },
      });
    });
  });
  return { child, pid: child.pid ?? -1, output: () => text(), ended };
}

/** A command that is meant to end has ended long before; those that serve or wait are told of as well. */
const STUCK_MS = 150_000;

/** A command that does not end, what it has said, and where its threads and programs wait: a test that runs out of time says none of it. */
function stuckLine(args: readonly string[], pid: number | undefined, said: string): string {
  const columns = [
    '-L',
    '-o',
    'pid,ppid,lwp,stat,wchan:32,comm,args',
    '-p',
    String(pid),
    '--ppid',
    String(pid),
  ];
  const { stdout } = spawnSync('ps', columns, { encoding: 'utf8' });
  return `Still running after ${STUCK_MS / 1000} s: council ${args.join(' ')}\n${stdout}It said: ${said.slice(-500)}`;
}

/** Waits until `condition` holds; fails with `what` after `ms`, which more than the rule is needed for only where the program itself waits longer. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  ms = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((look) => setTimeout(look, 10));
  }
}

/** Every file below a folder, as paths. A folder that goes while it is looked at (a lock, say) has none. */
export function filesIn(dir: string): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** True while a process runs (one that only waits to be collected does not). */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Only Linux tells a zombie from a process that runs.
    if (process.platform !== 'linux') return true;
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0]!);
  } catch {
    return false;
  }
}
