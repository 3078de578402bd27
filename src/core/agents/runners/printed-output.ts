// A program's output for display: without secrets, and shortened in the middle.
import { stripVTControlCharacters } from 'node:util';
import type { FinishedTurn } from './finished-turn.ts';
import { redact } from './redact.ts';
import type { Printed } from './turn-types.ts';
import { KEPT_OF_STDERR } from './streams.ts';

/** Bytes of an output that are kept, from its beginning and from its end. */
const BEGINNING = 32 * 1024;
const END = 96 * 1024;
/** Longer than any secret: one that a cut goes through is found whole first. */
const MARGIN = 4096;

/** Both outputs of a turn. `secrets` are replaced. */
export const renderPrintedOutput = (
  { stdout, stderr }: FinishedTurn,
  secrets: readonly string[],
): Printed => ({
  stdout: shortenOutput(stdout, secrets, false),
  // Of a long one only the end was kept while it ran.
  stderr: shortenOutput(stderr, secrets, stderr.length >= KEPT_OF_STDERR),
});

function shortenOutput(bytes: Buffer, secrets: readonly string[], isEnd: boolean): string {
  const clean = (part: Buffer, cut: boolean): string =>
    redact(stripVTControlCharacters(part.toString('utf8')), secrets, cut);
  if (bytes.length <= BEGINNING + END) return clean(bytes, isEnd);
  const left = bytes.length - BEGINNING - END;
  const beginning = clean(bytes.subarray(0, BEGINNING + MARGIN), isEnd).slice(0, BEGINNING);
  return `${beginning}\n[… ${left} bytes left out …]\n${clean(bytes.subarray(-END), true)}`;
}
