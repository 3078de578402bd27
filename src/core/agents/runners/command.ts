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
  /** Whether the output so far is a complete report. */
  isReportComplete?(stdout: Buffer): boolean;
}

/** How long output must pause before it is checked for completeness. */
const PAUSE_MS = 200;
/** How long a program may take to exit after a complete report. */
const EXIT_WITHIN_MS = 2000;

/** Runs a program that reads its prompt from stdin and prints its answer. Throws what `onSpawn` throws. */
export const launchProgram = (request: SpeakRequest, what: ProgramLaunch): Promise<FinishedTurn> =>
  runProgram(request, what, ({ child, pid, alive, stop, isOver }) => {
    const onOutput = (bytes: number, chunk: Buffer): void => {
      alive();
      request.onOutput?.(bytes, chunk);
    };
    const stdout = keepFirst(child.stdout, what.maxOutput, () => stop('overflow'), onOutput);
    const { isReportComplete } = what;
    if (isReportComplete) {
      let leaving: NodeJS.Timeout | undefined;
      // A complete report ends the wait: the program gets a moment to exit by itself.
      const pause = setTimeout(() => {
        if (isOver() || !isReportComplete(stdout())) return;
        leaving = setTimeout(stop, request.exitWithin ?? EXIT_WITHIN_MS, 'done').unref();
      }, PAUSE_MS).unref();
      child.stdout.on('data', () => {
        clearTimeout(leaving);
        pause.refresh();
      });
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
const LONGEST_LINE = 64 * 1024;
/** An unterminated line counts as complete after this long without another byte. */
const UNTERMINATED_MS = 1000;
/** Silence after any output before the conversation is told of it. */
const SILENCE_MS = 2000;
/** How often a program waiting for a reply is marked as alive. */
const ALIVE_MS = 5000;
/** How long a program may take to exit after its stdin is closed. */
const CLOSED_EXIT_MS = 2000;

/** Writes the first line, and answers each printed line in order. */
function answerLines(
  talk: LineConversation,
  running: Pick<RunningProgram, 'child' | 'alive' | 'stop' | 'isOver'>,
): void {
  const { child, alive, stop, isOver } = running;
  let pending: Buffer = Buffer.alloc(0);
  let offset = 0;
  let isFinished = false;
  let queue: Promise<void> = Promise.resolve();
  let silence: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf('\n'); end !== -1; end = pending.indexOf('\n')) takeLine(end + 1);
    skipBytes(pending.length - LONGEST_LINE);
    clearTimeout(silence);
    silence = setTimeout(onSilence, UNTERMINATED_MS).unref();
  });
  child.stdin.write(`${talk.first}\n`);

  function onSilence(): void {
    if (pending.length > 0) takeLine(pending.length);
    const ask = (): void => {
      queue = queue.then(() => handleLine(undefined, offset));
    };
    silence = setTimeout(ask, SILENCE_MS - UNTERMINATED_MS).unref();
  }

  function takeLine(bytes: number): void {
    const line = pending.toString('utf8', 0, bytes).replace(/\r?\n$/, '');
    skipBytes(bytes);
    const end = offset;
    queue = queue.then(() => handleLine(line, end));
  }

  function skipBytes(bytes: number): void {
    if (bytes <= 0) return;
    pending = pending.subarray(bytes);
    offset += bytes;
  }

  async function handleLine(line: string | undefined, end: number): Promise<void> {
    if (isFinished || isOver()) return;
    const waits = setInterval(alive, ALIVE_MS);
    try {
      const answer = await talk.answer(line, end);
      if (isOver() || answer === undefined) return;
      if (answer !== null) return void child.stdin.write(`${answer}\n`);
      isFinished = true;
      child.stdin.end();
      setTimeout(stop, CLOSED_EXIT_MS, 'done').unref();
    } catch {
      // `answer` remembers the error and throws it at the end of the turn.
      stop('refused');
    } finally {
      clearInterval(waits);
    }
  }
}
