// Runner for commands: launches a program for one turn, with the prompt on stdin and the answer on stdout.
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { buildChildEnvironment, expandPlaceholders } from './find-command.ts';
import { buildTurnResult } from './turn-result.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { runProgram } from './program.ts';
import type { RunningProgram } from './program.ts';
import type { Runner, SpeakRequest, LineConversation } from './turn-types.ts';
import { keepFirst } from './streams.ts';

/**
 * Runs a program for one turn: an argv array and never a shell, the prompt on stdin, the answer on stdout.
 * The program gets a session and process group of its own, a filtered environment, `agent.timeout` and
 * `agent.inactivity`; the rest of its group is ended after the turn.
 */
export function createCommandRunner(): Runner {
  return {
    speak: async (request) => {
      const { agent, input, maxOutput = MAX_CONTRIBUTION_BYTES } = request;
      const argv = agent.command.map(expandPlaceholders);
      const env = buildChildEnvironment(request.env, agent.env, request.extraEnv);
      return buildTurnResult(request, await launchProgram(request, { argv, input, env, maxOutput }));
    },
  };
}

export interface ProgramLaunch {
  argv: string[];
  /** Content of stdin. */
  input: string;
  env: Record<string, string>;
  /** Maximum bytes of stdout; more end the turn. */
  maxOutput: number;
  /** Whether the output so far shows that the turn is over. */
  isOver?(stdout: Buffer): boolean;
}

/** A pause in the output after which it is checked for its end. */
const PAUSE_MS = 200;
const EXIT_WITHIN_MS = 2000;

/** Runs a program that reads its prompt from stdin and prints its answer. Throws what `onSpawn` throws. */
export const launchProgram = (request: SpeakRequest, what: ProgramLaunch): Promise<FinishedTurn> =>
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
      if (request.talk) answerLines(request.talk, { child, alive, stop, isOver });
      else child.stdin.end(what.input);
    };
    return { talked: prompt(), stdout };
  });

// Talks to a program line by line: its stdin stays open for replies to what it asks.

/** Maximum bytes of an unfinished line; a longer one cannot be valid. */
const LONGEST_ROW = 64 * 1024;
/** An unterminated line counts as complete after this long without another byte. */
const ROW_MS = 1000;
/** After output that is not a line, silence this long counts as waiting for an answer. */
const SILENCE_MS = 2000;
/** How often a program waiting for a reply is marked as alive. */
const ALIVE_MS = 5000;
/** How long a program may take to exit after its stdin is closed. */
const GRACE_MS = 2000;

/** Writes the first line, and answers each printed line in order. */
function answerLines(
  talk: LineConversation,
  running: Pick<RunningProgram, 'child' | 'alive' | 'stop' | 'isOver'>,
): void {
  const { child, alive, stop, isOver } = running;
  let left: Buffer = Buffer.alloc(0);
  let heard = 0;
  let isThrough = false;
  let last: Promise<void> = Promise.resolve();
  let silence: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    for (let end = left.indexOf('\n'); end !== -1; end = left.indexOf('\n')) take(end + 1);
    drop(left.length - LONGEST_ROW);
    clearTimeout(silence);
    silence = setTimeout(onSilence, ROW_MS).unref();
  });
  child.stdin.write(`${talk.first}\n`);

  function onSilence(): void {
    if (left.length > 0) take(left.length);
    const ask = (): void => {
      last = last.then(() => hear(undefined, heard));
    };
    silence = setTimeout(ask, SILENCE_MS - ROW_MS).unref();
  }

  function take(bytes: number): void {
    const row = left.toString('utf8', 0, bytes).replace(/\r?\n$/, '');
    drop(bytes);
    const end = heard;
    last = last.then(() => hear(row, end));
  }

  function drop(bytes: number): void {
    if (bytes <= 0) return;
    left = left.subarray(bytes);
    heard += bytes;
  }

  async function hear(row: string | undefined, end: number): Promise<void> {
    if (isThrough || isOver()) return;
    const waits = setInterval(alive, ALIVE_MS);
    try {
      const answer = await talk.answer(row, end);
      if (isOver() || answer === undefined) return;
      if (answer !== null) return void child.stdin.write(`${answer}\n`);
      isThrough = true;
      child.stdin.end();
      setTimeout(stop, GRACE_MS, 'done').unref();
    } catch {
      // `answer` remembers the error and throws it at the end of the turn.
      stop('refused');
    } finally {
      clearInterval(waits);
    }
  }
}
