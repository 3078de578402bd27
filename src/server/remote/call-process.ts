// Performs a remote call in a separate process.
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { CouncilError } from '../../core/base/errors.ts';
import { findPackageDir } from '../../core/store/local/project.ts';
import type { App } from '../../core/app/app.ts';
import type { Host } from './host.ts';
import { isAwaitingAnswer, MOST_ANSWER } from './call.ts';
import { isParticipantToken, toCallerRefusal } from './perform-call.ts';
import type { RemoteCall, CallOutcome } from './perform-call.ts';
import { getCallDefinition, isCall } from './calls.ts';
import type { UseCaseName } from './calls.ts';

/** Whether a call does nothing but read: it is killed when its caller leaves or after a timeout. */
function isReading(name: UseCaseName): boolean {
  if (!isCall(name)) return name === 'export';
  const { readOnly, again, resends } = getCallDefinition(name);
  return readOnly && again === undefined && resends === undefined;
}

/**
 * Calls that launch programs are stopped with the server. Other calls run to the end: writes are short, reads are
 * cancelled with their connection.
 */
const LAUNCHES = new Set<UseCaseName>(['tick', 'task', 'ask', 'run']);
const NEVER = new AbortController().signal;

/** Milliseconds. A tick has no limit, as agents may take long. */
function getCallTimeLimit(asked: RemoteCall): number | undefined {
  const { name, caller } = asked;
  if (LAUNCHES.has(name) || isAwaitingAnswer(asked)) return undefined;
  return isReading(name) && isParticipantToken(caller) ? 15_000 : 120_000;
}

/** The input of a call's process: its root, and the call. */
export type CallInput = RemoteCall & { root: string | undefined };

/**
 * Performs each call in its own process, so that long ones do not block others. A tick continues when its caller
 * leaves; later callers join the running one.
 */
export function createProcessPerformer(app: App, stop: AbortSignal): Host['perform'] {
  const ticks = new Map<string, Promise<CallOutcome>>();
  return (asked, gone) => {
    if (asked.name !== 'tick') return launchCall(app, asked, gone, stop);
    // Ticks with different reasons do the same.
    const key = JSON.stringify({ ...asked.input, why: undefined });
    const running = ticks.get(key);
    if (running) return running;
    const ticking = launchCall(app, asked, gone, stop).finally(() => ticks.delete(key));
    ticks.set(key, ticking);
    return ticking;
  };
}

/** Performs a call in a process that outlives its caller and this process. */
export const performDetached = (app: App, asked: RemoteCall): Promise<CallOutcome> =>
  launchCall(app, asked, NEVER, NEVER, true);

async function launchCall(
  app: App,
  asked: RemoteCall,
  gone: AbortSignal,
  stop: AbortSignal,
  goesOn = false,
): Promise<CallOutcome> {
  const timeoutMs = getCallTimeLimit(asked);
  const input: CallInput = { ...asked, root: app.root };
  const ended = await runCall({
    cwd: app.cwd,
    env: app.env,
    input: JSON.stringify(input),
    timeoutMs,
    gone: isReading(asked.name) ? gone : undefined,
    stop: isAwaitingAnswer(asked) ? AbortSignal.any([stop, gone]) : LAUNCHES.has(asked.name) ? stop : NEVER,
    note: app.note,
    goesOn,
  });
  if ('stdout' in ended) return JSON.parse(ended.stdout) as CallOutcome;
  const message = {
    timed_out: `${asked.name} took longer than ${(timeoutMs ?? 0) / 1000} s and was ended.`,
    interrupted: `${asked.name} was interrupted.`,
    failed: `${asked.name} ended without an answer (${ended.why}).`,
  }[ended.failed];
  const error = new CouncilError(ended.failed, message, { hint: 'See: council doctor' });
  return { ...toCallerRefusal(app, asked.caller, error), isFault: true };
}

/** A process for a call: its input on stdin, and what ends it early. */
interface CallProcess {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** One JSON document. */
  input: string;
  /** Timeout in milliseconds; undefined if it must wait for agents. */
  timeoutMs: number | undefined;
  /** Kills the process: it only reads. */
  gone: AbortSignal | undefined;
  /** Stops the process gracefully, and waits for its cleanup. */
  stop: AbortSignal;
  note(line: string): void;
  /** The process outlives this one and is not waited for; its notes are dropped. */
  goesOn: boolean;
}

/** Its output, one JSON document, or why there is none. */
type CallProcessResult = { stdout: string } | { failed: 'timed_out' | 'interrupted' | 'failed'; why: string };

const KILL_AFTER_MS = 30_000;

/** Runs `dist/call.js`, which never blocks this process and can be killed. */
async function runCall(what: CallProcess): Promise<CallProcessResult> {
  const { execa } = await import('execa');
  const entry = join(findPackageDir(), 'dist', 'call.js');
  const reads = what.gone !== undefined;
  const child = execa(process.execPath, [entry], {
    cwd: what.cwd,
    env: what.env,
    extendEnv: false,
    input: what.input,
    reject: false,
    stripFinalNewline: false,
    maxBuffer: MOST_ANSWER,
    stderr: what.goesOn ? 'ignore' : 'pipe',
    windowsHide: true,
    killSignal: reads ? 'SIGKILL' : 'SIGTERM',
    forceKillAfterDelay: KILL_AFTER_MS,
    // Ctrl-C on the terminal reaches only the server, which stops its calls itself.
    detached: !reads && process.platform !== 'win32',
    ...(what.timeoutMs !== undefined && { timeout: what.timeoutMs }),
    ...(what.gone && { cancelSignal: what.gone }),
  });
  if (what.goesOn) {
    child.nodeChildProcess.unref();
    // A child's pipe is a socket, which Node's types do not say.
    (child.stdout as unknown as Socket).unref();
  }
  const onStop = (): void => void child.kill(reads ? 'SIGKILL' : 'SIGTERM', undefined);
  what.stop.addEventListener('abort', onStop, { once: true });
  if (what.stop.aborted) onStop();
  const { timedOut, stdout, stderr, exitCode, signal, code } = await child;
  what.stop.removeEventListener('abort', onStop);
  for (const line of (stderr ?? '').split('\n')) if (line !== '') what.note(line);
  if (exitCode === 0 && stdout !== '') return { stdout };
  if (timedOut) return { failed: 'timed_out', why: '' };
  const isEnded = what.stop.aborted || what.gone?.aborted === true;
  return {
    failed: isEnded ? 'interrupted' : 'failed',
    why: signal ?? code ?? `exit code ${exitCode}`,
  };
}
