// Runner for commands: launches a program for one turn, with prompt on stdin and answer on stdout.
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { converse } from './line-conversation.ts';
import { childEnvironment } from './environment.ts';
import { outcome } from './turn-result.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { expandPlaceholders } from './placeholders.ts';
import { runProgram } from './program.ts';
import type { Runner, SpeakRequest } from './turn-types.ts';
import { keepFirst } from './streams.ts';

/**
 * Runs a program for one turn: an argv array and never a shell, the prompt on stdin, the answer on stdout. The program
 * gets a session and process group of its own, a chosen environment, `agent.timeout` and `agent.inactivity`; whatever
 * is left of its group when the turn is over is ended.
 */
export function commandRunner(): Runner {
  return {
    speak: async (request) => {
      const { agent, input, maxOutput = MAX_CONTRIBUTION_BYTES } = request;
      const argv = agent.command.map(expandPlaceholders);
      const env = childEnvironment(request.env, agent.env, request.extraEnv);
      return outcome(request, await launch(request, { argv, input, env, maxOutput }));
    },
  };
}

/** What is run for one turn. */
export interface Launch {
  argv: string[];
  /** What goes to stdin. */
  input: string;
  env: Record<string, string>;
  /** The most bytes of stdout that are kept; more end the turn. */
  maxOutput: number;
  /** Whether what was printed so far tells that the turn is over. */
  isOver?(stdout: Buffer): boolean;
}

/** Output that pauses for so long is looked at. */
const PAUSE_MS = 200;
const EXIT_WITHIN_MS = 2000;

/** Runs a program that reads its prompt from stdin and prints its answer. Throws what `onSpawn` throws. */
export const launch = (request: SpeakRequest, what: Launch): Promise<FinishedTurn> =>
  runProgram(request, what, ({ child, pid, alive, stop, isOver }) => {
    const onOutput = (bytes: number, chunk: Buffer): void => {
      alive();
      request.onOutput?.(bytes, chunk);
    };
    const stdout = keepFirst(child.stdout, what.maxOutput, () => stop('overflow'), onOutput);
    if (what.isOver) {
      // A complete report ends the wait: the program gets a moment to exit by itself.
      const pause = setTimeout(() => {
        if (isOver() || !what.isOver?.(stdout())) return;
        leaving = setTimeout(stop, request.exitWithin ?? EXIT_WITHIN_MS, 'done').unref();
      }, PAUSE_MS).unref();
      let leaving: NodeJS.Timeout | undefined;
      child.stdout.on('data', () => (clearTimeout(leaving), pause.refresh()));
    }
    const prompt = async (): Promise<void> => {
      await request.onSpawn(pid);
      if (isOver()) return;
      if (request.talk) converse(request.talk, { child, alive, stop, isOver });
      else child.stdin.end(what.input);
    };
    return { talked: prompt(), stdout };
  });
