import { spawn, spawnSync } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import type { Timings } from './figure.ts';

export const CLI = join(import.meta.dirname, '../dist/council.js');

/** A command to time. Everything it prints goes into a pipe, as where an agent calls it. */
export interface Timed {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Rounds before the ones that count: disk cache, compile cache, branch predictors. */
const WARM_UP = 3;

/**
 * Measures both sides in turns (A B A B …), so that whatever else the machine does meets both alike.
 * `round` counts from 0, the warm-up included.
 */
export async function pairwise(
  rounds: number,
  figure: (round: number) => number | Promise<number>,
  baseline: (round: number) => number | Promise<number>,
): Promise<Timings> {
  const timings: Timings = { figure: [], baseline: [] };
  for (let round = 0; round < rounds + WARM_UP; round++) {
    const [a, b] = [await figure(round), await baseline(round)];
    if (round < WARM_UP) continue;
    timings.figure.push(a);
    timings.baseline.push(b);
  }
  return timings;
}

/** How many rounds `pairwise` plays for so many that count: as many fresh projects are needed. */
export const played = (rounds: number): number => rounds + WARM_UP;

/** Milliseconds from the start of one process to its end. Throws when it fails. */
export function timeOne({ command, args, cwd, env }: Timed): number {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - start;
  if (error) throw error;
  if (status !== 0) throw failure(command, args, status, String(stderr));
  return ms;
}

/** Tells through its fourth descriptor what a process has used up, when it ends. */
const CPU_HOOK = `data:text/javascript,${encodeURIComponent(
  "process.once('exit', () => { const { user, system } = process.cpuUsage(); process.getBuiltinModule('fs').writeSync(3, String((user + system) / 1000)); });",
)}`;

/** Milliseconds of processor time of one process of Node, with its start. Throws when it fails. */
export function cpuOne({ command, args, cwd, env }: Timed): number {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe'];
  const { status, stderr, output, error } = spawnSync(command, ['--import', CPU_HOOK, ...args], {
    cwd,
    env,
    stdio,
  });
  if (error) throw error;
  if (status !== 0) throw failure(command, args, status, String(stderr));
  return Number(String(output[3]));
}

/** What one process took: milliseconds from its start to its end, milliseconds of processor time, and the most memory it had, in MB. */
export interface Cost {
  ms: number;
  cpu: number;
  mb: number;
}

const COST_HOOK = `data:text/javascript,${encodeURIComponent(
  "process.once('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.getBuiltinModule('fs').writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1024 })); });",
)}`;

/** What one process of Node costs, with its start. Throws when it fails. */
export function costOne({ command, args, cwd, env }: Timed): Cost {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe'];
  const start = performance.now();
  const { status, stderr, output, error } = spawnSync(command, ['--import', COST_HOOK, ...args], {
    cwd,
    env,
    stdio,
    maxBuffer: 1024 ** 3,
  });
  const ms = performance.now() - start;
  if (error) throw error;
  if (status !== 0) throw failure(command, args, status, String(stderr));
  return { ms, ...(JSON.parse(String(output[3])) as Omit<Cost, 'ms'>) };
}

/** Like `pairwise`, for processes of which each tells what it cost; memory is that of the figure. */
export async function pairwiseCosts(
  rounds: number,
  figure: (round: number) => Cost | Promise<Cost>,
  baseline: (round: number) => Cost | Promise<Cost>,
): Promise<Timings> {
  const ours: Cost[] = [];
  const theirs: Cost[] = [];
  for (let round = 0; round < rounds + WARM_UP; round++) {
    const [a, b] = [await figure(round), await baseline(round)];
    if (round < WARM_UP) continue;
    ours.push(a);
    theirs.push(b);
  }
  return {
    figure: ours.map(({ ms }) => ms),
    baseline: theirs.map(({ ms }) => ms),
    cpu: { figure: ours.map(({ cpu }) => cpu), baseline: theirs.map(({ cpu }) => cpu) },
    mb: ours.map(({ mb }) => mb),
  };
}

/** Milliseconds from the start of the first process to the end of the last one. Throws when one fails. */
export async function timeAtOnce(all: Timed[]): Promise<number> {
  const start = performance.now();
  await Promise.all(all.map(untilEnd));
  return performance.now() - start;
}

function untilEnd({ command, args, cwd, env }: Timed): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(failure(command, args, code, said))));
  });
}

function failure(command: string, args: string[], status: number | null, stderr: string): Error {
  return new Error(`${[command, ...args].join(' ')} ended with ${status}:\n${stderr}`);
}

/** An empty process of the same Node: what nothing can be faster than. */
export const emptyNode = (cwd: string, env: NodeJS.ProcessEnv): Timed => ({
  command: process.execPath,
  args: ['-e', '0'],
  cwd,
  env,
});

export const council = (args: string[], cwd: string, env: NodeJS.ProcessEnv): Timed => ({
  command: process.execPath,
  args: [CLI, ...args],
  cwd,
  env,
});

/** The user's environment without what would change a child: council's variables, Node's options and caches. */
export function cleanEnv(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(COUNCIL_|NODE_|npm_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    TMPDIR: join(home, 'tmp'),
  };
}
