// Splits and joins a contribution whose author was asked again for missing items.

/** A text with the byte lengths of its parts, in order; undefined if it was written in one go. */
export interface TextInParts {
  text: string;
  parts?: readonly number[];
}

/** Returns the first answer and the additions, in order. Lengths that do not match the text are ignored. */
export function splitParts({ text, parts }: TextInParts): string[] {
  if (!parts) return [text];
  const bytes = Buffer.from(text);
  if (parts.reduce((sum, length) => sum + length, 0) !== bytes.length) return [text];
  let start = 0;
  return parts.map((length) => bytes.subarray(start, (start += length)).toString('utf8'));
}

/**
 * Joins several texts, unchanged, and returns the byte length of each. A blank line is added between parts if
 * missing, since Markdown would otherwise merge their paragraphs.
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
