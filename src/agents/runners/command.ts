import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../base/errors.ts';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { childEnvironment } from './environment.ts';
import { commandFinder } from './find-command.ts';
import { endGroup } from './group.ts';
import { outcome } from './outcome.ts';
import type { Ended } from './outcome.ts';
import { expandPlaceholders } from './placeholders.ts';
import type { Runner, SpeakRequest } from './speak.ts';
import { keepFirst, keepLast, onWriteFailure } from './streams.ts';

/** How long the pipes may stay open once the program itself has ended: a process it left behind may hold them. */
const DRAIN_MS = 500;
/** Node's timers fire at once above this. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs a program for one turn: an argv array and never a shell, the prompt on stdin, the answer on stdout. The program
 * gets a session and process group of its own, a chosen environment, `agent.timeout` and `agent.inactivity`; whatever
 * is left of its group when the turn is over is ended.
 */
export function commandRunner(): Runner {
  return {
    speak: async (request) => {
      const { agent, maxOutput = MAX_CONTRIBUTION_BYTES } = request;
      const [program = '', ...args] = agent.command.map(expandPlaceholders);
      const env = childEnvironment(request.env, agent.env, request.extraEnv);
      return outcome(request, await launch(request, { program, args, input: request.input, env, maxOutput }));
    },
  };
}

/** What is run for one turn. */
export interface Launch {
  program: string;
  args: string[];
  /** What goes to stdin. */
  input: string;
  env: Record<string, string>;
  /** The most bytes of stdout that are kept; more end the turn. */
  maxOutput: number;
}

/**
 * Runs a program until it ends, or until something else ends the turn. Nothing of its group is left when this
 * answers. Throws what `onSpawn` throws.
 */
export async function launch(request: SpeakRequest, what: Launch): Promise<Ended> {
  const started = performance.now();
  const ended = await run(request, what);
  return { ...NOTHING, ...ended, durationMs: Math.round(performance.now() - started) };
}

/** A program that never ran. */
export const NOTHING: Ended = {
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  exitCode: null,
  signal: null,
  stoppedFor: null,
  broken: null,
  durationMs: 0,
};

async function run(request: SpeakRequest, what: Launch): Promise<Partial<Ended>> {
  const { signal, cwd } = request;
  const { program, args, env } = what;
  const { execa } = await import('execa');
  if (signal.aborted) return { stoppedFor: 'cancelled' };
  const child = execa(program, args, {
    cwd,
    env,
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
  });
  const { pid } = child;
  if (pid === undefined) return { broken: whyNotStarted(program, cwd, env, (await child).cause) };

  const stopping = Promise.withResolvers<Stop>();
  const watched = watch(request, stopping.resolve);
  const onOutput = (bytes: number): void => {
    watched.alive();
    request.onOutput?.(bytes);
  };
  const stdout = keepFirst(child.stdout, what.maxOutput, () => stopping.resolve('overflow'), onOutput);
  const stderr = keepLast(child.stderr, watched.alive);
  let broken: Ended['broken'] = null;
  onWriteFailure(child.stdin, (code) => {
    broken = { kind: 'failed', reason: `the prompt could not be written: ${code}` };
  });
  child.nodeChildProcess.once('exit', () => setTimeout(stopping.resolve, DRAIN_MS, 'drained').unref());

  let over = false;
  const prompt = async (): Promise<void> => {
    await request.onSpawn(pid);
    if (!over) child.stdin.end(what.input);
  };
  const prompted = prompt();
  // Thrown further down, once the group has been ended.
  prompted.catch(() => stopping.resolve('refused'));

  const stop = await Promise.race([child.then(() => null), stopping.promise]);
  over = true;
  watched.end();
  const ended = await endGroup(pid);
  // A process that left the group can hold the pipes for ever; what has been read by now is what counts.
  if (stop !== null) await Promise.race([child, delay(DRAIN_MS, undefined, { ref: false })]);
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
  await prompted;
  if (!ended) broken = { kind: 'failed', reason: `process group ${pid} cannot be ended` };
  if (!ended) return { stdout: stdout(), stderr: stderr(), broken };
  const { exitCode = null, signal: endedBy = null } = await child;
  const stoppedFor = stop === 'drained' || stop === 'refused' ? null : stop;
  return { stdout: stdout(), stderr: stderr(), exitCode, signal: endedBy, stoppedFor, broken };
}

/** Why a turn is ended before program and pipes are through by themselves. */
type Stop = 'timeout' | 'silence' | 'cancelled' | 'overflow' | 'refused' | 'drained';

interface Watched {
  /** The program has printed something. */
  alive: () => void;
  end: () => void;
}

function watch({ agent, signal }: SpeakRequest, stop: (why: Stop) => void): Watched {
  const after = (ms: number, why: Stop): NodeJS.Timeout => setTimeout(stop, Math.min(ms, LONGEST_TIMER), why);
  const timer = after(agent.timeout, 'timeout');
  const quiet = agent.inactivity === null ? undefined : after(agent.inactivity, 'silence');
  const onAbort = (): void => stop('cancelled');
  signal.addEventListener('abort', onAbort);
  return {
    alive: () => quiet?.refresh(),
    end: () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** The machine is out of something for the moment; everything else would be the same next time. */
const PASSING = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

function whyNotStarted(
  program: string,
  cwd: string,
  env: Record<string, string>,
  cause: unknown,
): Ended['broken'] {
  const code = systemCode(cause) ?? String(cause);
  const reason = `${JSON.stringify(program)} ${code === 'ENOENT' ? whatIsMissing(program, cwd, env) : `cannot be started: ${code}`}`;
  return { kind: PASSING.has(code) ? 'failed' : 'config', reason };
}

function whatIsMissing(program: string, cwd: string, env: Record<string, string>): string {
  if (!existsSync(cwd)) return `cannot be started: there is no folder ${cwd}`;
  if (commandFinder(cwd, env)(program))
    return 'cannot be started: the program its first line names is missing';
  return /[\\/]/.test(program) ? `was not found in ${cwd}` : `was not found on PATH (${env.PATH ?? 'unset'})`;
}
