// Asks a question on the terminal, also where stdin is a pipe that brought the question.
import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';
import { CouncilError, systemCode } from '../base/errors.ts';
import { writeOut } from './stdout.ts';
import fs from 'node:fs';
import { isInForeground } from '../app/app.ts';
import { isPiped } from './stdin.ts';

/** Like `readTerminalLine`; an ended stdin is an empty answer. */
export const askOnTerminal = async (question: string, signal: AbortSignal): Promise<string> =>
  (await readTerminalLine(question, signal)) ?? '';

/**
 * Asks on stderr and reads one line of stdin, or of another terminal; undefined where that has ended. The terminal edits the line itself, so
 * Ctrl-C stays a signal. Throws `interrupted` when `signal` aborts.
 */
export async function readTerminalLine(
  question: string,
  signal: AbortSignal,
  input: ReadStream = process.stdin,
): Promise<string | undefined> {
  // Written by the one function for it: names of agents and commands that are asked about may hold escapes.
  writeOut(question, 2);
  // Single keys may have been listened to before, which keeps no process alive.
  input.ref();
  const lines = createInterface({ input, terminal: false });
  const answered = Promise.withResolvers<string | undefined>();
  const onAbort = (): void => answered.reject(createUnansweredError());
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  lines.once('close', () => answered.resolve(undefined));
  lines.once('line', answered.resolve);
  try {
    return await answered.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
  }
}

/** What a question throws that is given up. What follows has a line of its own, below the question. */
export function createUnansweredError(): CouncilError {
  writeOut('\n', 2);
  return new CouncilError('interrupted', 'Interrupted while waiting for your answer.', {
    hint: 'Nothing was changed.',
  });
}

/** Undefined where no person is there to read what is asked: stdout or stderr is no terminal, or this runs in the background. */
export function openTerminal({ live }: { live: boolean }): ReadStream | undefined {
  if (!live || !process.stderr.isTTY || !isPiped() || !isInForeground()) return undefined;
  try {
    return new ReadStream(fs.openSync('/dev/tty', 'r'));
  } catch (error) {
    // A process without a terminal of its own, and Windows.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
