// Refuses MCP messages that are not valid UTF-8.
import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

/** What is said of a message whose bytes are no text: it would be recorded with other signs than were sent. */
export const NOT_UTF8 = { code: -32700, message: 'Parse error: the message is not valid UTF-8' };

const LINE_END = 0x0a;
/** More of a message is not held back for its end: the transport behind this refuses what is longer than 10 MB. */
const LONGEST = 16 * 1024 * 1024;

/**
 * A stream of messages, one a line, that passes on those in valid UTF-8 and gives every other one to `refuse` with its id, null
 * where it cannot be told.
 */
export function utf8Lines(refuse: (id: string | number | null) => void): Transform {
  let begun: Buffer[] = [];
  let held = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length;) {
        const end = chunk.indexOf(LINE_END, from);
        const part = chunk.subarray(from, end === -1 ? chunk.length : end + 1);
        begun.push(part);
        held += part.length;
        from += part.length;
        if (end === -1 && held <= LONGEST) break;
        const line = Buffer.concat(begun);
        begun = [];
        held = 0;
        if (end === -1 || isUtf8(line)) this.push(line);
        else refuse(idOf(line));
      }
      done();
    },
  });
}

function idOf(line: Buffer): string | number | null {
  try {
    // Structure is ASCII: what is replaced here stands in the texts.
    const { id } = JSON.parse(line.toString('utf8')) as { id?: unknown };
    return typeof id === 'number' || (typeof id === 'string' && !id.includes('\uFFFD')) ? id : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
