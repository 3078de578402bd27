// Speaks with a program by lines: its stdin stays open, and what it asks is answered there.
import { StringDecoder } from 'node:string_decoder';
import type { Running } from './program.ts';
import type { LineTalk } from './speak.ts';

/** Characters of a line that is not over yet; what is longer is no line of ours. */
const LONGEST_ROW = 64 * 1024;
/** How often a program that waits for an answer counts as alive. */
const ALIVE_MS = 5000;
/** Once all is said its stdin is closed; so long it may take to end by itself. */
const GRACE_MS = 2000;

/** Writes the first line, and answers those that the program prints, one after the other. */
export function converse(
  talk: LineTalk,
  running: Pick<Running, 'child' | 'alive' | 'stop' | 'isOver'>,
): void {
  const { child, alive, stop, isOver } = running;
  const decoder = new StringDecoder('utf8');
  let row = '';
  let isThrough = false;
  let last: Promise<void> = Promise.resolve();
  child.stdout.on('data', (chunk: Buffer) => {
    const rows = `${row}${decoder.write(chunk)}`.split('\n');
    row = (rows.pop() ?? '').slice(-LONGEST_ROW);
    for (const one of rows) last = last.then(() => hear(one.replace(/\r$/, '')));
  });
  child.stdin.write(`${talk.first}\n`);

  async function hear(said: string): Promise<void> {
    if (isThrough || isOver()) return;
    const waits = setInterval(alive, ALIVE_MS);
    try {
      const answer = await talk.answer(said);
      if (isOver() || answer === undefined) return;
      if (answer !== null) return void child.stdin.write(`${answer}\n`);
      isThrough = true;
      child.stdin.end();
      setTimeout(stop, GRACE_MS, 'done').unref();
    } catch {
      // Whoever answers keeps it, and throws it where the turn ends.
      stop('refused');
    } finally {
      clearInterval(waits);
    }
  }
}
