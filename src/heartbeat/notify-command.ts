import { awakeTimer } from '../agents/runners/awake-timer.ts';
import { DRAIN_MS, endProgram, startProgram } from '../agents/runners/program.ts';
import { onWriteFailure } from '../agents/runners/streams.ts';

const TIMEOUT_MS = 30_000;

/** A notice on its way: the command, what goes to its stdin, and where it runs. */
export interface Delivery {
  command: string[];
  input: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Runs the notify command for one notice, as agents are run: in a process group of its own, of which nothing is left when
 * this answers, when `signal` aborts, or when council itself is killed. Returns why it failed; undefined when it did not.
 */
export async function deliver({ command, input, cwd, env, signal }: Delivery): Promise<string | undefined> {
  const set = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const started = await startProgram(command, { cwd, env: Object.fromEntries(set), signal });
  if ('broken' in started) return started.broken?.reason;
  if (!('child' in started)) return 'it was interrupted';
  const { child, pid } = started;
  const stopping = Promise.withResolvers<'timeout' | 'cancelled' | 'drained'>();
  const timer = awakeTimer(TIMEOUT_MS, () => stopping.resolve('timeout'));
  const onAbort = (): void => stopping.resolve('cancelled');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  // What it leaves behind may hold the pipes for ever.
  child.nodeChildProcess.once('exit', () => setTimeout(stopping.resolve, DRAIN_MS, 'drained').unref());
  child.stdout.resume();
  child.stderr.resume();
  let unwritten: string | undefined;
  onWriteFailure(child.stdin, (code) => (unwritten = `the notice could not be written: ${code}`));
  child.stdin.end(input);

  const stop = await Promise.race([child.then(() => null), stopping.promise]);
  timer.end();
  signal.removeEventListener('abort', onAbort);
  if (!(await endProgram(child, pid, stop))) return `process group ${pid} cannot be ended`;
  if (stop === 'timeout') return `it took longer than ${TIMEOUT_MS / 1000} s`;
  if (stop === 'cancelled') return 'it was interrupted';
  const { exitCode, signal: endedBy } = await child;
  if (exitCode === 0) return unwritten;
  return endedBy === undefined ? `exit code ${exitCode}` : `ended by ${endedBy}`;
}
