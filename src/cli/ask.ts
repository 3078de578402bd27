// Asks a question on the terminal.
import { createInterface } from 'node:readline';
import { CouncilError } from '../base/errors.ts';

/**
 * Asks on stderr and reads one line of stdin; an ended stdin is an empty answer. The terminal edits the line itself, so
 * Ctrl-C stays a signal. Throws `interrupted` when `signal` aborts.
 */
export async function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const answered = Promise.withResolvers<string>();
  const onAbort = (): void =>
    answered.reject(
      new CouncilError('interrupted', 'Interrupted while waiting for your answer.', {
        hint: 'Nothing was changed.',
      }),
    );
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  lines.once('close', () => answered.resolve(''));
  lines.question(question, answered.resolve);
  try {
    return await answered.promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
  }
}
