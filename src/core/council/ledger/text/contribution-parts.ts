// The parts of a contribution whose author was asked once more for what was missing.

/** A text with the bytes of its parts, in order; not set where it was written in one go. */
export interface InParts {
  text: string;
  parts?: readonly number[];
}

/**
 * The parts in order: the first answer, then the additions that were asked for. Lengths that do not
 * match the text are ignored.
 */
export function splitParts({ text, parts }: InParts): string[] {
  if (!parts) return [text];
  const bytes = Buffer.from(text);
  if (parts.reduce((sum, length) => sum + length, 0) !== bytes.length) return [text];
  let start = 0;
  return parts.map((length) => bytes.subarray(start, (start += length)).toString('utf8'));
}

/**
 * One text of several, word for word, with the bytes of each. A part that goes on ends with an empty line, which is added where
 * it has none: Markdown would run the two together.
 */
export function joinParts(said: readonly Uint8Array[]): { bytes: Buffer; parts: number[] } {
  const whole = said.map((part, at) =>
    at < said.length - 1 ? Buffer.concat([part, Buffer.from(addLineEnds(part))]) : Buffer.from(part),
  );
  return { bytes: Buffer.concat(whole), parts: whole.map((part) => part.length) };
}

function addLineEnds(part: Uint8Array): string {
  const end = Buffer.from(part.subarray(-2)).toString('latin1');
  return end === '\n\n' ? '' : end.endsWith('\n') ? '\n' : '\n\n';
}
