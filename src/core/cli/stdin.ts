// Reads stdin: a requested text, or additional input of a question.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CouncilError, ignoreSystemFault } from '../base/errors.ts';
import { READ_LIMITS } from '../base/limits.ts';

/** Reads all of stdin. Throws `too_large` beyond 16 MiB. */
export const readStdin = async (): Promise<Uint8Array> =>
  Buffer.concat(await collectChunks(process.stdin as AsyncIterable<Buffer>));

async function collectChunks(from: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of from) {
    chunks.push(chunk);
    // A pipe may never end, and must not fill the memory.
    if ((size += chunk.length) > READ_LIMITS.contribution)
      throw new CouncilError(
        'too_large',
        'What came on stdin has more than 16 MiB: no text may be so long.',
        {
          hint: 'Give the part that matters, such as its end: … | tail -c 200000 | council …',
        },
      );
  }
  return chunks;
}

/** How long a pipe may be silent: cron, CI and ssh may provide a pipe without a writer. */
const SILENT_MS = 5000;

export interface StdinWait {
  /** Whether the input is optional; otherwise a pipe is read to its end, however long that takes. */
  canDoWithout: boolean;
  note(line: string): void;
  signal: AbortSignal;
}

/**
 * Reads piped input; empty if stdin is a terminal, /dev/null or closed, or if optional input does not arrive
 * within 5 s. Throws `interrupted`, and `too_large` beyond 16 MiB.
 */
export async function readPiped({ canDoWithout, note, signal }: StdinWait): Promise<Uint8Array> {
  if (!isPiped()) return new Uint8Array();
  const { stdin } = process;
  const chunks = stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const first = chunks.next();
  const interrupted = waitForAbort(signal);
  const silence = new AbortController();
  const silent = delay(SILENT_MS, 'silent' as const, { signal: silence.signal });
  silent.catch(() => undefined);
  try {
    let begun = await Promise.race([first, interrupted, silent]);
    if (begun === 'silent') {
      note(canDoWithout ? SILENT : WAITING);
      if (canDoWithout) return new Uint8Array();
      begun = await Promise.race([first, interrupted]);
    }
    if (begun.done) return new Uint8Array();
    const rest = collectChunks({ [Symbol.asyncIterator]: () => chunks });
    return Buffer.concat([begun.value, ...(await Promise.race([rest, interrupted]))]);
  } finally {
    silence.abort();
    first.catch(() => undefined);
    // A pipe without a writer would keep the process waiting.
    stdin.destroy();
  }
}

/** Whether something, or its end, comes on stdin within 5 s; says so where not. What has come is left to be read. */
export async function hasPipedWithin(note: (line: string) => void): Promise<boolean> {
  const { stdin } = process;
  const silence = new AbortController();
  const silent = delay(SILENT_MS, false, { signal: silence.signal });
  silent.catch(() => undefined);
  const come = new Promise<boolean>((resolve) => stdin.once('readable', () => resolve(true)));
  const has = await Promise.race([come, silent]);
  silence.abort();
  if (has) return true;
  note(SILENT_ALONE);
  stdin.destroy();
  return false;
}

const SILENT_ALONE =
  'Nothing came on stdin within 5 s: here is what council can do. To wait for a slow program: … | council ask';
const SILENT =
  'Nothing came on stdin within 5 s: going on without it. To wait for a slow program, give - as the question; to give nothing, add: < /dev/null';
const WAITING = 'Waiting for the question on stdin (Ctrl-C leaves).';

/**
 * Whether stdin is a pipe or a file from a shell; programs that start others use a socket, often without a
 * writer.
 */
export function isFedByShell(): boolean {
  const stat = ignoreSystemFault(() => fs.fstatSync(0));
  return stat !== undefined && (stat.isFIFO() || stat.isFile());
}

/** A character device is a terminal or /dev/null. */
export function isPiped(): boolean {
  return ignoreSystemFault(() => fs.fstatSync(0))?.isCharacterDevice() === false;
}

function waitForAbort(signal: AbortSignal): Promise<never> {
  const waiting = new Promise<never>((_, fail) => {
    const leave = (): void =>
      fail(
        new CouncilError('interrupted', 'Interrupted while reading stdin. No council was opened.', {
          hint: 'Run the same command again.',
        }),
      );
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  waiting.catch(() => undefined);
  return waiting;
}
