// Runner for commands: launches a program for one turn, with prompt on stdin and answer on stdout.
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { childEnvironment } from './environment.ts';
import { NOTHING, outcome } from './outcome.ts';
import type { Ended } from './outcome.ts';
import { expandPlaceholders } from './placeholders.ts';
import { DRAIN_MS, endProgram, startProgram, watchTurn, whyStopped } from './program.ts';
import type { Stop } from './program.ts';
import type { Failure, Runner, SpeakRequest } from './speak.ts';
import { keepFirst, keepLast, onWriteFailure } from './streams.ts';

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

async function run(request: SpeakRequest, what: Launch): Promise<Partial<Ended>> {
  const { signal, cwd } = request;
  const { program, args, env } = what;
  const started = await startProgram([program, ...args], { cwd, env, signal });
  if (!('child' in started)) return started;
  const { child, pid } = started;

  const stopping = Promise.withResolvers<Stop>();
  const watched = watchTurn(request, stopping.resolve);
  const onOutput = (bytes: number): void => {
    watched.alive();
    request.onOutput?.(bytes);
  };
  const stdout = keepFirst(child.stdout, what.maxOutput, () => stopping.resolve('overflow'), onOutput);
  const stderr = keepLast(child.stderr, watched.alive);
  let broken: Failure | null = null;
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
  const ended = await endProgram(child, pid, stop);
  await prompted;
  if (!ended) broken = { kind: 'failed', reason: `process group ${pid} cannot be ended` };
  if (!ended) return { stdout: stdout(), stderr: stderr(), broken };
  const { exitCode = null, signal: endedBy = null } = await child;
  const stoppedFor = whyStopped(stop);
  return { stdout: stdout(), stderr: stderr(), exitCode, signal: endedBy, stoppedFor, broken };
}
