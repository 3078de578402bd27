// Prompts on the terminal, even if stdin is a pipe with the question.
import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';
import { CouncilError, ignoreSystemFault } from '../base/errors.ts';
import { writeOut } from './stdout.ts';
import fs from 'node:fs';
import { isInForeground } from '../app/app.ts';
import { isPiped } from './stdin.ts';

/** Like `readTerminalLine`; returns '' at the end of stdin. */
export const askOnTerminal = async (question: string, signal: AbortSignal): Promise<string> =>
  (await readTerminalLine(question, signal)) ?? '';

/**
 * Prompts on stderr and reads one line from stdin or another terminal; undefined at its end. The terminal
 * edits the line itself, so Ctrl-C stays a signal. Throws `interrupted` when `signal` aborts.
 */
export async function readTerminalLine(
  question: string,
  signal: AbortSignal,
  input: ReadStream = process.stdin,
): Promise<string | undefined> {
  // `writeOut` filters escapes: names of agents and commands in a question may contain some.
  writeOut(question, 2);
  // Listening to single keys may have unreferenced stdin, which then keeps no process alive.
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

/** Creates the error of an aborted question. Further output starts on a line of its own. */
export function createUnansweredError(): CouncilError {
  writeOut('\n', 2);
  return new CouncilError('interrupted', 'Interrupted while waiting for your answer.', {
    hint: 'Nothing was changed.',
  });
}

/**
 * Returns undefined if no person can read a question: stdout or stderr is no terminal, or this runs in the
 * background.
 */
export function openTerminal({ live }: { live: boolean }): ReadStream | undefined {
  if (!live || !process.stderr.isTTY || !isPiped() || !isInForeground()) return undefined;
  // Fails in a process without a controlling terminal, and on Windows.
  return ignoreSystemFault(() => new ReadStream(fs.openSync('/dev/tty', 'r')));
}
