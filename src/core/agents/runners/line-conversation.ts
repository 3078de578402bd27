// Speaks with a program by lines: its stdin stays open, and what it asks is answered there.
import type { Running } from './program.ts';
import type { LineTalk } from './turn-types.ts';

/** Bytes of a line that is not over yet; what is longer is no line of ours. */
const LONGEST_ROW = 64 * 1024;
/** A row without its end counts after so long without another byte. */
const ROW_MS = 1000;
/** After output that is not a line, silence this long counts as waiting for an answer. */
const SILENCE_MS = 2000;
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
      // The answering code remembers the error and throws it when the turn ends.
      stop('refused');
    } finally {
      clearInterval(waits);
    }
  }
}
