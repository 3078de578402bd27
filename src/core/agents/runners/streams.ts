// Bounded collecting of a program's output, and errors when writing to it.
import type { Readable, Writable } from 'node:stream';
import { systemCode } from '../../base/errors.ts';

/** More than any result shows, so that a secret is found whole before the text is cut. */
export const KEPT_AT_END = 32 * 1024;
/** How much of stderr is kept while a program runs. */
export const KEPT_OF_STDERR = 2 * KEPT_AT_END;
/** A program that has ended, or does not read its stdin, makes the write fail. This is no failure. */
const UNREAD = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Collects the first `max` bytes of a stream. On more, closes it (the writer gets EPIPE) and calls `onFull`.
 * `onBytes` gets the number of bytes so far, and those that have just come. The function returned gives what was collected.
 */
export function keepFirst(
  stream: Readable,
  max: number,
  onFull: () => void,
  onBytes?: (count: number, chunk: Buffer) => void,
): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, max - size);
    chunks.push(kept);
    size += kept.length;
    onBytes?.(size, kept);
    if (kept.length === chunk.length) return;
    stream.destroy();
    onFull();
  });
  return () => Buffer.concat(chunks);
}

/** Reads a stream to its end and remembers the last 64 KiB; calls `onData` whenever some come. The function returned gives them. */
export function keepLast(stream: Readable, onData: () => void): () => Buffer {
  let kept: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    onData();
    kept = Buffer.concat([kept, chunk]).subarray(-KEPT_OF_STDERR);
  });
  return () => kept;
}

/** Calls `onFailure` with the error code when writing fails, unless the reader is just gone. */
export function onWriteFailure(stream: Writable, onFailure: (code: string) => void): void {
  stream.on('error', (error) => {
    const code = systemCode(error) ?? error.message;
    if (!UNREAD.has(code)) onFailure(code);
  });
}
