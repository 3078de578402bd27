// Keeps one PostgreSQL server for whoever started this program: when its standard input ends, the server ends, and its
// folder goes. So nothing stays behind, whichever way the other one ended.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { findPrograms } from './programs.ts';
import type { Programs } from './programs.ts';
import type { Kept, KeeperOptions } from './server.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as KeeperOptions;
let programs: Programs | undefined;
let folder: string | undefined;
let server: ChildProcess | undefined;
/** Programs beside the server, such as a pooler: they end with it. */
const beside: ChildProcess[] = [];

// Whoever has asked may be gone.
process.stdout.on('error', () => undefined);
// The terminal's Ctrl-C is for the one who waits for us; what ends us is that it is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const commands = createInterface({ input: process.stdin });
const ended = once(commands, 'close');

try {
  programs = findPrograms(options.bin);
  folder = fs.mkdtempSync(join(options.parent ?? tmpdir(), 'council-postgres-'));
  const { port, password } = await begin(programs, folder);
  answer({ port, password, folder, bin: programs.bin });
  let last: Promise<unknown> = Promise.resolve();
  commands.on('line', (line) => {
    last = last.then(() => obey(line, port)).then(answer, (error: unknown) => answer({ why: String(error) }));
  });
  await ended;
} catch (error) {
  answer({ why: error instanceof Error ? error.message : String(error) });
} finally {
  for (const one of beside) one.kill('SIGKILL');
  await end('SIGINT').catch(() => undefined);
  for (const path of [folder, programs?.copy])
    if (path) fs.rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}

function answer(what: Kept | { why: string } | { pid: number | undefined }): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

async function obey(line: string, port: number): Promise<{ pid: number | undefined }> {
  const [what, ...flags] = JSON.parse(line) as string[];
  if (what === 'end') await end('SIGINT');
  else if (what === 'kill') await end('SIGKILL');
  else if (what === 'start') await start(port, flags);
  else if (what === 'run') return { pid: run(flags) };
  return { pid: server?.pid };
}

async function begin({ bin, as }: Programs, dir: string): Promise<{ port: number; password: string }> {
  const password = options.password ?? randomBytes(12).toString('hex');
  if (as) fs.chownSync(dir, as.uid, as.gid);
  if (options.copyOf === undefined) makeCluster(bin, dir, password, as);
  else copyCluster(options.copyOf, dir, as);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      await start(port, []);
      return { port, password };
    } catch (error) {
      if (attempt === 5 || !String(error).includes('could not bind')) throw error;
    }
  }
}

function makeCluster(bin: string, dir: string, password: string, as: Programs['as']): void {
  const passwordFile = join(dir, 'password');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as) fs.chownSync(passwordFile, as.uid, as.gid);
  const { status, stderr, stdout, error } = spawnSync(
    join(bin, 'initdb'),
    [
      `--pgdata=${dataOf(dir)}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...as, cwd: dir, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  );
  fs.rmSync(passwordFile);
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

/** A server that follows another one begins as a copy of its folder. */
function copyCluster(from: string, dir: string, as: Programs['as']): void {
  fs.cpSync(dataOf(from), dataOf(dir), {
    recursive: true,
    filter: (path) => !path.endsWith('postmaster.pid'),
  });
  fs.writeFileSync(join(dataOf(dir), 'standby.signal'), '');
  if (as) spawnSync('chown', ['-R', `${as.uid}:${as.gid}`, dataOf(dir)]);
  fs.chmodSync(dataOf(dir), 0o700);
}

/** Starts the server, and waits until it takes connections; after a kill its memory may have to be given back first. */
async function start(port: number, flags: string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const said = await startOnce(port, flags);
    if (said === undefined) return;
    const isStillThere = /pre-existing shared memory|lock file "postmaster.pid" already exists/.test(said);
    if (!isStillThere || attempt === 100) throw new Error(`The server did not start: ${said}`);
    await wait(100);
  }
}

/** Runs a program as the user of the server. */
function run([program = '', ...args]: string[]): number | undefined {
  const log = fs.openSync(logOf(folder!), 'a');
  const one = spawn(program, args, {
    ...programs!.as,
    cwd: folder,
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  one.on('error', () => undefined);
  beside.push(one);
  return one.pid;
}

/** What the server said in place of starting; undefined when it takes connections. */
async function startOnce(port: number, flags: string[]): Promise<string | undefined> {
  const dir = folder!;
  const log = fs.openSync(logOf(dir), 'a');
  const from = fs.fstatSync(log).size;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const all = [...settings, 'shared_buffers=32MB', ...(options.settings ?? []), ...flags];
  server = spawn(
    join(programs!.bin, 'postgres'),
    ['-D', dataOf(dir), '-p', String(port), ...all.flatMap((one) => ['-c', one])],
    // In a group of its own: a Ctrl-C meant for others does not end it.
    {
      ...programs!.as,
      cwd: dir,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, LC_ALL: 'C' },
    },
  );
  fs.closeSync(log);
  const exited = once(server, 'exit').catch(() => undefined);
  for (;;) {
    const gone = await Promise.race([exited.then(() => true), wait(20).then(() => false)]);
    const said = fs.readFileSync(logOf(dir), 'utf8').slice(from);
    if (gone) {
      server = undefined;
      return said.trim();
    }
    if (/ready to accept (read-only )?connections/.test(said)) return undefined;
  }
}

async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const one = server;
  server = undefined;
  if (!one || one.exitCode !== null || one.signalCode !== null) return;
  const exited = once(one, 'exit');
  one.kill(signal);
  await Promise.race([exited, wait(10_000, undefined, { ref: false }).then(() => one.kill('SIGQUIT'))]);
  await exited;
}

function dataOf(dir: string): string {
  return join(dir, 'data');
}

function logOf(dir: string): string {
  return join(dir, 'server.log');
}
