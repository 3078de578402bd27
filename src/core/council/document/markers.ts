// How human text is kept safe in state files and archives: in markers, and on the page, with its Markdown tables.
import { CouncilError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import {
  toCommentSafeJson,
  escapeComments,
  parseJsonSafely,
  restoreComments,
  toOneLine,
} from '../../base/text.ts';
import { makeOnFirstUse } from '../../base/memoize.ts';
import { getSeat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';

/**
 * A text between engine-written markers: `<!--council-KIND {json}-->`, one LF, the escaped text, one LF,
 * `<!--/council-KIND-->`. The text is escaped, so no marker can start inside it, and one linear scan finds them
 * all.
 */
export interface MarkedText {
  kind: string;
  facts: Record<string, unknown>;
  text: string;
}

const OPEN = '<!--council-';

/** Writes a text between its markers, with its data as JSON; comments in it cannot end its own block. */
export function writeMarked({ kind, facts, text }: MarkedText): string {
  return `${OPEN}${kind} ${toCommentSafeJson(facts)}-->\n${escapeComments(text)}\n<!--/council-${kind}-->`;
}

/** Returns the data that binds a text: its length in bytes and its hash. */
export function measureText(text: string): { bytes: number; sha256: string } {
  return { bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

/**
 * Returns every marked text from `offset` on, in order. Throws `corrupt` with the line for an unclosed marker,
 * or one whose data is not a JSON object. `where` names the file.
 */
export function scanMarked(source: string, where: string, offset = 0): MarkedText[] {
  const found: MarkedText[] = [];
  for (let at = source.indexOf(OPEN, offset); at !== -1;) {
    const space = source.indexOf(' ', at);
    const headEnd = source.indexOf('-->', at);
    const kind = source.slice(at + OPEN.length, space);
    if (headEnd === -1 || space === -1 || space > headEnd || !/^[a-z]{1,40}$/.test(kind))
      throw createCorruptError(source, at, where, 'a marker without a kind or an end');
    let textStart = headEnd + 3;
    if (source[textStart] === '\r') textStart++;
    if (source[textStart] === '\n') textStart++;
    const close = `<!--/council-${kind}-->`;
    const textEnd = source.indexOf(close, headEnd);
    if (textEnd === -1) throw createCorruptError(source, at, where, `no ${close} after this marker`);
    const nested = source.indexOf(OPEN, headEnd);
    if (nested !== -1 && nested < textEnd)
      throw createCorruptError(source, nested, where, 'a marker inside another one');
    found.push({
      kind,
      facts: readFacts(source, space + 1, headEnd, where),
      text: restoreComments(source.slice(textStart, trimOneLineEnd(source, textStart, textEnd))),
    });
    at = source.indexOf(OPEN, textEnd);
  }
  return found;
}

/** Removes the texts between markers, leaving what council itself has written. */
export const removeTexts = (source: string): string =>
  source.replace(/(<!--council-([a-z]{1,40}) [^>]*-->)[^]*?(<!--\/council-\2-->)/g, '$1$3');

function trimOneLineEnd(source: string, start: number, end: number): number {
  if (end > start && source[end - 1] === '\n')
    return end - 1 > start && source[end - 2] === '\r' && isCrlf(source, start) ? end - 2 : end - 1;
  return end;
}

/** The CR belongs to the engine's line only if the opening marker's line ended in CRLF as well. */
const isCrlf = (source: string, textStart: number): boolean =>
  source[textStart - 1] === '\n' && source[textStart - 2] === '\r';

function readFacts(source: string, start: number, end: number, where: string): Record<string, unknown> {
  let facts: unknown;
  try {
    facts = parseJsonSafely(source.slice(start, end));
  } catch (error) {
    throw createCorruptError(
      source,
      start,
      where,
      `marker facts that are not JSON (${(error as Error).message})`,
    );
  }
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts))
    throw createCorruptError(source, start, where, 'marker facts that are not a JSON object');
  return facts as Record<string, unknown>;
}

function createCorruptError(source: string, at: number, where: string, what: string): CouncilError {
  const line = source.slice(0, at).split('\n').length;
  return new CouncilError('corrupt', `${where}:${line}: ${what}.`, {
    hint: 'Markers are written by council alone. `council restore` drops a hand edit; `council history` lists the kept revisions.',
  });
}

/** Returns a participant's emoji and title for headings. */
export function renderSeatName(state: CouncilState, id: string): string {
  const { emoji, title } = getSeat(state, id);
  return toSafeLine(`${emoji} ${title}`);
}

/** Characters that Markdown could pair with others in the paragraph, or take as the start of a construct. */
const INLINE = makeOnFirstUse(() => /[\\`*[\]<~|$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu);
/** Quick check: most words contain none of them, and compiling the Unicode pattern takes 1 ms. */
const SIGN = /[\\`*[\]<~|$_]/;
const AT_START = /^(?:[#>+=-]|\d+(?=[.)]))/;

/**
 * Escapes people's text for the engine's own lines: one line that renders as written. It cannot open a comment,
 * end a table cell, or become HTML, a link or emphasis together with the text around it.
 */
export const toSafeLine = (text: string): string => toSafeBeginning(text, 200);

/** Escapes the first `max` characters. */
export function toSafeBeginning(text: string, max: number): string {
  const line = toOneLine(text, max)
    .split(' ')
    // GitHub takes a backslash as part of a URL, and interprets the character after it.
    .map((word) =>
      SIGN.test(word)
        ? word.replace(INLINE(), (sign) =>
            /:\/\/|www\./i.test(word) ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
          )
        : word,
    )
    .join(' ');
  return escapeComments(line.replace(AT_START, (sign) => (/\d/.test(sign) ? `${sign}\\` : `\\${sign}`)));
}

/** Renders all Markdown tables: state files, archives and the terminal. Cells must be escaped already. */
export function renderTable(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/** Renders one-line items as a list. */
export const renderList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
