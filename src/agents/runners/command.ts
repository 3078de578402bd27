import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { childEnvironment } from './environment.ts';
import { NOTHING, outcome } from './outcome.ts';
import type { Ended } from './outcome.ts';
import { expandPlaceholders } from './placeholders.ts';
import { DRAIN_MS, endProgram, startProgram, watchTurn, whyStopped } from './program.ts';
import type { Stop } from './program.ts';
import type { Runner, SpeakRequest } from './speak.ts';
import { keepFirst, keepLast, onWriteFailure } from './streams.ts';

/**
 * Runs a program for one turn: an argv array and never a shell, the prompt on stdin, the answer on stdout. The program
 * gets a session and process group of its own, a chosen environment and `agent.timeout`; whatever is left of its group
 * when the turn is over is ended.
 */
export function commandRunner(): Runner {
  return {
    speak: async (request) => {
      const started = performance.now();
      const ended = await run(request);
      return outcome(request, { ...NOTHING, ...ended, durationMs: Math.round(performance.now() - started) });
    },
  };
}

async function run(request: SpeakRequest): Promise<Partial<Ended>> {
  const { agent, signal, cwd, maxOutput = MAX_CONTRIBUTION_BYTES } = request;
  const argv = agent.command.map(expandPlaceholders);
  const env = childEnvironment(request.env, agent.env, request.extraEnv);
  const started = await startProgram(argv, { cwd, env, signal });
  if (!('child' in started)) return started;
  const { child, pid } = started;

  const stopping = Promise.withResolvers<Stop>();
  const { heard, unwatch } = watchTurn(request, stopping.resolve);
  const stdout = keepFirst(
    child.stdout,
    maxOutput,
    () => stopping.resolve('overflow'),
    (bytes) => {
      heard();
      request.onOutput?.(bytes);
    },
  );
  const stderr = keepLast(child.stderr, heard);
  let broken: string | null = null;
  onWriteFailure(child.stdin, (code) => (broken = `the prompt could not be written: ${code}`));
  child.nodeChildProcess.once('exit', () => setTimeout(stopping.resolve, DRAIN_MS, 'drained').unref());

  let over = false;
  const prompt = async (): Promise<void> => {
    await request.onSpawn(pid);
    if (!over) child.stdin.end(request.input);
  };
  const prompted = prompt();
  // Thrown further down, once the group has been ended.
  prompted.catch(() => stopping.resolve('refused'));

  const stop = await Promise.race([child.then(() => null), stopping.promise]);
  over = true;
  unwatch();
  const ended = await endProgram(child, pid, stop);
  await prompted;
  if (!ended) return { stdout: stdout(), stderr: stderr(), broken: `process group ${pid} cannot be ended` };
  const { exitCode = null, signal: endedBy = null } = await child;
  return {
    stdout: stdout(),
    stderr: stderr(),
    exitCode,
    signal: endedBy,
    stoppedFor: whyStopped(stop),
    broken,
  };
}
