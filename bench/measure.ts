// How processes and pieces of work are measured, always in turns with what they are compared with.
import { spawnSync } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
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
let warmUp = 3;
let most = Infinity;

/** Plays at most so many rounds of every figure, and warms up once: for a look whether all of it works. */
export function limitRounds(count: number): void {
  [most, warmUp] = [count, 1];
}

/** How many rounds `pairwiseCosts` plays for so many that count: as many fresh projects are needed. */
export const played = (rounds: number): number => Math.min(rounds, most) + warmUp;

/**
 * Measures both sides in turns (A B B A A B …), so that whatever else the machine does, and whatever one side leaves to the
 * other, meets both alike.
 */
async function inTurns<T>(
  rounds: number,
  figure: (round: number) => T | Promise<T>,
  baseline: (round: number) => T | Promise<T>,
): Promise<{ figure: T[]; baseline: T[] }> {
  const taken: { figure: T[]; baseline: T[] } = { figure: [], baseline: [] };
  for (let round = 0; round < played(rounds); round++) {
    const early = round % 2 === 0 ? undefined : await baseline(round);
    const a = await figure(round);
    const b = early ?? (await baseline(round));
    if (round < warmUp) continue;
    taken.figure.push(a);
    taken.baseline.push(b);
  }
  return taken;
}

/** Wall time and processor time of both sides, measured in turns; memory is that of the figure. `round` counts from 0, the warm-up included. */
export async function pairwiseCosts(
  rounds: number,
  figure: (round: number) => Cost | Promise<Cost>,
  baseline: (round: number) => Cost | Promise<Cost>,
): Promise<Timings> {
  const { figure: ours, baseline: theirs } = await inTurns(rounds, figure, baseline);
  const memory = ours.flatMap(({ mb }) => mb ?? []);
  return {
    figure: ours.map(({ ms }) => ms),
    baseline: theirs.map(({ ms }) => ms),
    cpu: { figure: ours.map(({ cpu }) => cpu), baseline: theirs.map(({ cpu }) => cpu) },
    ...(memory.length > 0 && { mb: memory }),
  };
}

/** Milliseconds from the start of one process to its end. Throws when it fails. */
export function timeOne({ command, args, cwd, env }: Timed): number {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - start;
  if (error) throw error;
  if (status !== 0) throw failure(command, args, status, String(stderr));
  return ms;
}

/** What something took: milliseconds of wall time and of processor time, and the most memory its process had, in MB. */
export interface Cost {
  ms: number;
  cpu: number;
  mb?: number;
}

/** What one process took, of which the memory is known. */
export type ProcessCost = Required<Cost>;

/** Tells through its fourth descriptor what a process has used up, when it ends. */
const HOOK = `process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpu: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1024 };
  process.getBuiltinModule('fs').writeSync(3, JSON.stringify(cost));
});`;

let hook: string | undefined;

/** Required, not imported: that would load what an empty process has no need of. */
function hookPath(): string {
  if (hook !== undefined) return hook;
  const dir = fs.mkdtempSync(join(tmpdir(), 'council-bench-'));
  process.once('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
  hook = join(dir, 'hook.cjs');
  fs.writeFileSync(hook, HOOK);
  return hook;
}

const STDIO: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe'];

/** What one process of Node costs, with its start. Throws when it fails. */
export function costOne({ command, args, cwd, env }: Timed): ProcessCost {
  const all = ['--require', hookPath(), ...args];
  const start = performance.now();
  const { status, stderr, output, error } = spawnSync(command, all, {
    cwd,
    env,
    stdio: STDIO,
    maxBuffer: 1024 ** 3,
  });
  const ms = performance.now() - start;
  if (error) throw error;
  if (status !== 0) throw failure(command, args, status, String(stderr));
  return { ms, ...(JSON.parse(String(output[3])) as Omit<ProcessCost, 'ms'>) };
}

/** What work within this process takes. */
export async function costHere(work: () => unknown): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpu: (user + system) / 1000 };
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
