// Launching programs, common to all runners: start, timeouts, end, and the raw outcome.
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Options, ResultPromise } from 'execa';
import { getSystemCode } from '../../base/errors.ts';
import { createCommandFinder } from './find-command.ts';
import { explainNotFound } from './failure-classes.ts';
import { endGroup, guardGroup, startGuardian, unguardGroup } from './process-group.ts';
import { NOTHING } from './finished-turn.ts';
import type { FinishedTurn } from './finished-turn.ts';
import type { Failure, SpeakRequest } from './turn-types.ts';
import { keepStderrEnd, onWriteFailure } from './streams.ts';

/** How long the pipes may stay open after the program has exited: a process it left behind may keep them open. */
export const DRAIN_MS = 500;

const OPTIONS = {
  extendEnv: false,
  stdin: 'pipe',
  stdout: 'pipe',
  stderr: 'pipe',
  buffer: false,
  encoding: 'buffer',
  reject: false,
  // A session of its own: no terminal to read from, and one number to end all of it.
  detached: process.platform !== 'win32',
  windowsHide: true,
} as const satisfies Options;

/** A launched program with its three pipes, in a process group of its own. */
type Program = ResultPromise<typeof OPTIONS>;

/** Why a turn is ended before the program and its pipes have ended by themselves. */
type StopCause = 'timeout' | 'silence' | 'cancelled' | 'overflow' | 'refused' | 'drained' | 'done';

/** Returns the reason for the turn's result; null if its own end, or that of its record, explains more. */
export const findStopReason = (stop: StopCause | null): FinishedTurn['stoppedFor'] =>
  stop === 'refused' || stop === 'drained' || stop === 'done' ? null : stop;

/** A running program, as seen by its runner. */
export interface RunningProgram {
  child: Program;
  pid: number;
  /** Reports a sign of life. */
  alive(): void;
  /** Ends the turn. */
  stop(why: StopCause): void;
  /** True once the turn is over: nothing is written to it any more. */
  isOver(): boolean;
}

/** A runner's exchange with its program: `talked` settles at its end, `stdout` returns the output. */
interface ProgramExchange {
  talked: Promise<void>;
  stdout(): Buffer;
}

/**
 * Runs a program until it ends, or until something else ends the turn. No process of its group is left when
 * this resolves. Throws what `talked` throws.
 */
export async function runProgram(
  request: SpeakRequest,
  what: { argv: string[]; env: Record<string, string> },
  talk: (running: RunningProgram) => ProgramExchange,
): Promise<FinishedTurn> {
  const begun = performance.now();
  const ended = await runTurn(request, what, talk);
  return { ...NOTHING, ...ended, durationMs: Math.round(performance.now() - begun) };
}

async function runTurn(
  request: SpeakRequest,
  { argv, env }: { argv: string[]; env: Record<string, string> },
  talk: (running: RunningProgram) => ProgramExchange,
): Promise<Partial<FinishedTurn>> {
  const started = await startProgram(argv, { cwd: request.cwd, env, signal: request.signal });
  if (!('child' in started)) return started;
  const { child, pid } = started;

  const stopping = Promise.withResolvers<StopCause>();
  const stop = stopping.resolve;
  const watched = watchTurn(request, stop);
  const stderr = keepStderrEnd(child.stderr, watched.alive);
  let broken: Failure | null = null;
  onWriteFailure(child.stdin, (code) => {
    broken = { kind: 'failed', reason: `the prompt could not be written: ${code}` };
  });
  let isOver = false;
  const { talked, stdout } = talk({ child, pid, alive: watched.alive, stop, isOver: () => isOver });
  // Thrown below, after the group has been ended.
  talked.catch(() => stop('refused'));
  child.nodeChildProcess.once('exit', () => setTimeout(stop, DRAIN_MS, 'drained').unref());

  const why = await Promise.race([child.then(() => null), stopping.promise]);
  isOver = true;
  watched.end();
  const isEnded = await endProgram(child, pid, why);
  await talked;
  const said = { stdout: stdout(), stderr: stderr() };
  if (!isEnded)
    return { ...said, broken: { kind: 'failed', reason: `process group ${pid} cannot be ended` } };
  // If council ended it after a complete report, its exit status means nothing.
  const { exitCode = null, signal = null } = why === 'done' ? { exitCode: 0 } : await child;
  return { ...said, exitCode, signal, stoppedFor: findStopReason(why), broken };
}

/** Starts a program, or returns in one line why it cannot be started. An aborted `signal` starts nothing. */
export async function startProgram(
  [program = '', ...args]: string[],
  place: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<{ child: Program; pid: number } | { broken: Failure } | { stoppedFor: 'cancelled' }> {
  const { cwd, env, signal } = place;
  const { execa } = await import('execa');
  if (signal.aborted) return { stoppedFor: 'cancelled' };
  // Before the program, so that the guardian can be notified at once.
  startGuardian();
  const child = execa(program, args, { cwd, env, ...OPTIONS });
  const { pid } = child;
  if (pid === undefined) return { broken: explainStartFailure(program, cwd, env, (await child).cause) };
  guardGroup(pid);
  return { child, pid };
}

interface TurnWatch {
  /** Reports a sign of life of the program or model. */
  alive: () => void;
  end: () => void;
}

/** Calls `stop` after `agent.timeout`, after `agent.inactivity` without `alive`, or if the turn is aborted. */
export function watchTurn({ agent, signal }: SpeakRequest, stop: (why: StopCause) => void): TurnWatch {
  const timer = startAwakeTimer(agent.timeout, () => stop('timeout'));
  const quiet =
    agent.inactivity === null ? undefined : startAwakeTimer(agent.inactivity, () => stop('silence'));
  const onAbort = (): void => stop('cancelled');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    alive: () => quiet?.refresh(),
    end: () => {
      timer.end();
      quiet?.end();
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Ends the rest of the program's group and closes its pipes. Returns false if something could not be ended. */
export async function endProgram(child: Program, pid: number, stop: StopCause | null): Promise<boolean> {
  const ended = await endGroup(pid);
  if (ended) unguardGroup(pid);
  // A process that left the group can keep the pipes open forever; only output read so far counts.
  if (stop !== null) await Promise.race([child, delay(DRAIN_MS, undefined, { ref: false })]);
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
  return ended;
}

/** Temporary shortages of the machine; any other error would come again. */
const PASSING = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

function explainStartFailure(
  program: string,
  cwd: string,
  env: Record<string, string>,
  cause: unknown,
): Failure {
  const code = getSystemCode(cause) ?? String(cause);
  const reason = `${JSON.stringify(program)} ${code === 'ENOENT' ? describeMissingTarget(program, cwd, env) : `cannot be started: ${code}`}`;
  return {
    kind: PASSING.has(code) ? 'failed' : 'config',
    reason,
    ...(code === 'ENOENT' && findMissingProgram(program, cwd, env)),
  };
}

/** Set if the program itself is missing, rather than the folder or the interpreter in its first line. */
function findMissingProgram(program: string, cwd: string, env: Record<string, string>): { missing?: string } {
  if (!existsSync(cwd) || createCommandFinder(cwd, env)(program)) return {};
  return { missing: explainNotFound(program) };
}

function describeMissingTarget(program: string, cwd: string, env: Record<string, string>): string {
  if (!existsSync(cwd)) return `cannot be started: there is no folder ${cwd}`;
  if (createCommandFinder(cwd, env)(program))
    return 'cannot be started: the program its first line names is missing';
  return /[\\/]/.test(program) ? `was not found in ${cwd}` : 'was not found on PATH';
}

/** Milliseconds between two checks of the clock. */
const STEP_MS = 1000;

/** A timer for a limit of a launch. */
interface AwakeTimer {
  /** Restarts the timer. */
  refresh(): void;
  end(): void;
}

/**
 * Calls `ring` after this process has run for `ms` milliseconds. The timer pauses while the machine sleeps or
 * the process is stopped (Ctrl-Z): a launch does not time out while council cannot read its output.
 * `clock` returns milliseconds.
 */
export function startAwakeTimer(
  ms: number,
  ring: () => void,
  clock = (): number => performance.now(),
): AwakeTimer {
  let left = ms;
  let seen = clock();
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const step = Math.min(left, STEP_MS);
    timer = setTimeout(() => {
      const now = clock();
      const slept = now - seen > step + STEP_MS;
      // A timer that is late by more than a step: nothing ran meanwhile.
      left -= Math.min(now - seen, step + STEP_MS);
      // The exit of a program that has ended meanwhile is handled before its timeout.
      if (slept) left = Math.max(left, STEP_MS);
      seen = now;
      if (left > 0) wait();
      else ring();
    }, step);
  };
  wait();
  return {
    refresh() {
      left = ms;
      seen = clock();
    },
    end: () => clearTimeout(timer),
  };
}
