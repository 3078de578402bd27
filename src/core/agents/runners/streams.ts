// Bounded collection of a program's output, and errors when writing to it.
import type { Readable, Writable } from 'node:stream';
import { getSystemCode } from '../../base/errors.ts';

/** Bytes of output searched for secrets; more than any result shows, so that no secret is cut in half. */
export const SEARCHED_FOR_SECRETS = 32 * 1024;
/** Bytes of stderr kept while a program runs. */
export const KEPT_OF_STDERR = 2 * SEARCHED_FOR_SECRETS;
/** Errors of writing to a program that has ended or does not read its stdin. These are not failures. */
const READER_GONE_CODES = new Set([
  'EPIPE',
  'ECONNRESET',
  'EOF',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * Collects the first `max` bytes of a stream. On more, closes it (the writer gets EPIPE) and calls `onFull`.
 * `onBytes` gets the number of kept bytes, and the newest chunk as far as it is kept. The returned function returns the
 * collected bytes.
 */
export function keepFirst(
  stream: Readable,
  max: number,
  onFull: () => void,
  onBytes?: (count: number, chunk: Buffer) => void,
): () => Buffer {
  const kept = createByteCollector(max, onBytes);
  stream.on('data', (chunk: Buffer) => {
    if (kept.take(chunk)) return;
    stream.destroy();
    onFull();
  });
  return kept.bytes;
}

/** Collects the first `max` bytes; `take` returns false once there are more. */
export function createByteCollector(max: number, onBytes?: (count: number, chunk: Buffer) => void) {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    bytes: () => Buffer.concat(chunks),
    forget: () => void ([chunks, size] = [[], 0]),
    take(chunk: Buffer): boolean {
      const kept = chunk.subarray(0, max - size);
      chunks.push(kept);
      size += kept.length;
      onBytes?.(size, kept);
      return kept.length === chunk.length;
    },
  };
}

/**
 * Reads a stream to its end and keeps the last 64 KiB; calls `onData` for each chunk. The returned function
 * returns the kept bytes.
 */
export function keepStderrEnd(stream: Readable, onData: () => void): () => Buffer {
  let kept: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    onData();
    kept = Buffer.concat([kept, chunk]).subarray(-KEPT_OF_STDERR);
  });
  return () => kept;
}

/** Calls `onFailure` with the error code if writing fails, unless the reader is just gone. */
export function onWriteFailure(stream: Writable, onFailure: (code: string) => void): void {
  stream.on('error', (error) => {
    const code = getSystemCode(error) ?? error.message;
    if (!READER_GONE_CODES.has(code)) onFailure(code);
  });
}
