// Performs a remote call in a process of its own.
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { CouncilError } from '../../core/base/errors.ts';
import { packageDir } from '../../core/store/local/project.ts';
import type { App } from '../../core/app/app.ts';
import type { Host } from './host.ts';
import { awaits, MOST_ANSWER } from './call.ts';
import { isSeat, toCallerRefusal } from './perform-call.ts';
import type { RemoteCall, Done } from './perform-call.ts';
import type { UseCaseName } from './calls.ts';

/** Calls that change nothing: they end with their caller, and when they take too long. */
const READS = new Set<UseCaseName>([
  'list',
  'view',
  'read',
  'status',
  'search',
  'show',
  'export',
  'ledger',
  'history',
  'metrics',
  'cost',
  'who',
]);

/**
 * Calls that launch programs: a server that ends has them end what runs. Whatever else was received finishes: what writes is
 * done in no time, and what reads ends with its connection.
 */
const LAUNCHES = new Set<UseCaseName>(['tick', 'task', 'ask', 'run']);
const NEVER = new AbortController().signal;

/** Milliseconds. A tick takes as long as the agents take. */
function getCallTimeLimit(asked: RemoteCall): number | undefined {
  const { name, caller } = asked;
  if (LAUNCHES.has(name) || awaits(asked)) return undefined;
  return READS.has(name) && isSeat(caller) ? 15_000 : 120_000;
}

/** What the process of a call is told: where it is, and what was asked. */
export type CallInput = RemoteCall & { root: string | undefined };

/**
 * Performs each call in its own process, so that long ones do not block others. A tick goes on when
 * its caller leaves; later callers wait for the running one.
 */
export function createProcessPerformer(app: App, stop: AbortSignal): Host['perform'] {
  const ticks = new Map<string, Promise<Done>>();
  return (asked, gone) => {
    if (asked.name !== 'tick') return launchCall(app, asked, gone, stop);
    // Whatever the reason: what one does the other need not do.
    const key = JSON.stringify({ ...asked.input, why: undefined });
    const running = ticks.get(key);
    if (running) return running;
    const ticking = launchCall(app, asked, gone, stop).finally(() => ticks.delete(key));
    ticks.set(key, ticking);
    return ticking;
  };
}

/** Performs a call in a process that goes on when its caller, and this process, have ended. */
export const performDetached = (app: App, asked: RemoteCall): Promise<Done> =>
  launchCall(app, asked, NEVER, NEVER, true);

async function launchCall(
  app: App,
  asked: RemoteCall,
  gone: AbortSignal,
  stop: AbortSignal,
  goesOn = false,
): Promise<Done> {
  const timeoutMs = getCallTimeLimit(asked);
  const input: CallInput = { ...asked, root: app.root };
  const ended = await runCall({
    cwd: app.cwd,
    env: app.env,
    input: JSON.stringify(input),
    timeoutMs,
    gone: READS.has(asked.name) ? gone : undefined,
    stop: awaits(asked) ? AbortSignal.any([stop, gone]) : LAUNCHES.has(asked.name) ? stop : NEVER,
    note: app.note,
    goesOn,
  });
  if ('stdout' in ended) return JSON.parse(ended.stdout) as Done;
  const message = {
    timed_out: `${asked.name} took longer than ${(timeoutMs ?? 0) / 1000} s and was ended.`,
    interrupted: `${asked.name} was interrupted.`,
    failed: `${asked.name} ended without an answer (${ended.why}).`,
  }[ended.failed];
  const error = new CouncilError(ended.failed, message, { hint: 'See: council doctor' });
  return { ...toCallerRefusal(app, asked.caller, error), isFault: true };
}

/** A call in a process of its own: what it is told on stdin, and when it ends before it has answered. */
interface CallProcess {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** One JSON document. */
  input: string;
  /** Milliseconds; none where the call takes as long as the agents take. */
  timeoutMs: number | undefined;
  /** Ends it at once: it only reads. */
  gone: AbortSignal | undefined;
  /** Asks it to end, and waits until it has cleaned up. */
  stop: AbortSignal;
  note(line: string): void;
  /** The other process outlives this one, which does not wait for it; its notes may find no reader. */
  goesOn: boolean;
}

/** What it printed: one JSON document; or why it did not. */
type CallEnded = { stdout: string } | { failed: 'timed_out' | 'interrupted' | 'failed'; why: string };

const KILL_AFTER_MS = 30_000;

/** Runs `dist/call.js`. Whatever it does there, this process stays free for others, and can end it. */
async function runCall(what: CallProcess): Promise<CallEnded> {
  const { execa } = await import('execa');
  const entry = join(packageDir(), 'dist', 'call.js');
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
    // Ctrl-C on the terminal goes to the server, which ends its calls in its own way.
    detached: !reads && process.platform !== 'win32',
    ...(what.timeoutMs !== undefined && { timeout: what.timeoutMs }),
    ...(what.gone && { cancelSignal: what.gone }),
  });
  if (what.goesOn) {
    child.nodeChildProcess.unref();
    // A pipe of a child is a socket, which Node's types do not say.
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
