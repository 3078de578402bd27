import { join } from 'node:path';
import { packageDir } from '../store/local/project.ts';

/** A call in a process of its own: what it is told on stdin, and when it ends before it has answered. */
export interface CallProcess {
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
}

/** What it printed: one JSON document; or why it did not. */
export type CallEnded = { stdout: string } | { failed: 'timed_out' | 'interrupted' | 'failed'; why: string };

/** Results are archives at most, written twice in JSON. */
const MOST_OUTPUT = 256 * 1024 * 1024;
const KILL_AFTER_MS = 30_000;

/** Runs `dist/call.js`. Whatever it does there, this process stays free for others, and can end it. */
export async function runCall(what: CallProcess): Promise<CallEnded> {
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
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
    killSignal: reads ? 'SIGKILL' : 'SIGTERM',
    forceKillAfterDelay: KILL_AFTER_MS,
    // Ctrl-C on the terminal goes to the server, which ends its calls in its own way.
    detached: !reads && process.platform !== 'win32',
    ...(what.timeoutMs !== undefined && { timeout: what.timeoutMs }),
    ...(what.gone && { cancelSignal: what.gone }),
  });
  const onStop = (): void => void child.kill(reads ? 'SIGKILL' : 'SIGTERM', undefined);
  what.stop.addEventListener('abort', onStop, { once: true });
  if (what.stop.aborted) onStop();
  const { timedOut, stdout, stderr, exitCode, signal, shortMessage } = await child;
  what.stop.removeEventListener('abort', onStop);
  for (const line of stderr.split('\n')) if (line !== '') what.note(line);
  if (exitCode === 0 && stdout !== '') return { stdout };
  if (timedOut) return { failed: 'timed_out', why: '' };
  const isEnded = what.stop.aborted || what.gone?.aborted === true;
  return {
    failed: isEnded ? 'interrupted' : 'failed',
    why: signal ?? shortMessage ?? `exit code ${exitCode}`,
  };
}
