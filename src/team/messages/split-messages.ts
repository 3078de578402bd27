// Splits a stream of text into messages: lines, blocks that end at an empty line, or one document.
import type { Format } from './message.ts';

/** A message as read, and the line that it started at. */
export interface RawMessage {
  line: number;
  text: string;
  /** True if it exceeded the limit: `text` is its beginning. */
  isCut: boolean;
}

/** Maximum length of a line or block, and of a JSON document, in characters. */
export const MOST_CHARACTERS = { line: 1024 * 1024, document: 16 * 1024 * 1024 } as const;

/** Splits by format; `auto` takes text that starts with `{` as one document, and with `[` as a block. */
export function createSplitter(format: Format | 'auto') {
  let isDocument = format === 'file' || format === 'envelope';
  let line = 0;
  let rest = '';
  let isCut = false;
  let open: RawMessage | undefined;
  let isAnythingRead = false;

  const keep = (text: string): void => {
    const most = isDocument ? MOST_CHARACTERS.document : MOST_CHARACTERS.line;
    isCut ||= rest.length + text.length > most;
    if (rest.length < most) rest += text.slice(0, most - rest.length);
  };
  const close = (): RawMessage[] => {
    const done = open ? [open] : [];
    open = undefined;
    return done;
  };
  const take = (): RawMessage[] => {
    line++;
    const [text, wasCut] = [rest.replace(/\r$/, ''), isCut];
    [rest, isCut] = ['', false];
    if (text.trim() === '') return close();
    if (open) {
      if (open.text.length + text.length < MOST_CHARACTERS.line) open.text += `\n${text}`;
      else open.isCut = true;
      return [];
    }
    const begun = { line, text, isCut: wasCut };
    if (format !== 'v1' && !(format === 'auto' && text.startsWith('['))) return [begun];
    open = begun;
    return [];
  };

  return {
    /** Returns the messages completed by this chunk. */
    push(chunk: string): RawMessage[] {
      if (!isAnythingRead && chunk.trim() !== '') {
        isAnythingRead = true;
        if (format === 'auto' && chunk.trimStart().startsWith('{')) isDocument = true;
      }
      if (isDocument) {
        keep(chunk);
        return [];
      }
      const found: RawMessage[] = [];
      let from = 0;
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
        keep(chunk.slice(from, at));
        found.push(...take());
        from = at + 1;
      }
      keep(chunk.slice(from));
      return found;
    },
    /** Returns the rest at the end of the stream. */
    end(): RawMessage[] {
      if (isDocument) return rest.trim() === '' ? [] : [{ line: 1, text: rest, isCut }];
      return [...(rest === '' ? [] : take()), ...close()];
    },
  };
}
