// The block of machine data at the end of an archive, which carries its own length and hash.
import { CouncilError } from '../base/errors.ts';
import { beyondShape } from '../base/nesting.ts';
import {
  MAX_COUNCIL_BYTES,
  MAX_DOCUMENT_BYTES,
  commentSafeJson,
  isObject,
  parseJsonSafely,
} from '../base/text.ts';
import { measureText } from '../council/document/markers.ts';

/** The format of an archive whose facts stand in a block at its end. Earlier ones have no number, and all facts in front matter. */
export const FORMAT = 2;

/** Three times those of 32 participants with every claim and challenge that is read. */
const MOST_VALUES = MAX_COUNCIL_BYTES / 32;

const OPEN = '<!--council-archive ';
const CLOSE = '\n-->';
const HINT =
  'Take the file back from your version control or a backup. What was said still stands in it, for people to read.';

/** What stood in the block, and the text before and behind it. */
export interface Opened {
  data: Record<string, unknown>;
  page: string;
  behind: string;
}

/** The block of these facts, one of them a line: two versions of an archive can be compared. */
export function writeBlock(data: Record<string, unknown>): string {
  const json = laidOut(data);
  return `${OPEN}${commentSafeJson({ format: FORMAT, ...measureText(json) })}\n${json}${CLOSE}`;
}

/** True where a block begins, whatever became of it. Human text cannot begin one: comments in it are escaped. */
export const hasBlock = (body: string): boolean => blockStart(body) !== -1;

/** A text without the block and what follows it. */
export const beforeBlock = (body: string): string => {
  const start = blockStart(body);
  return start === -1 ? body : body.slice(0, start);
};

/**
 * Opens the block of an archive; `body` is what follows its front matter. CR LF counts as LF, since no fact holds either.
 * Throws `corrupt`, naming `where` and saying whether the block is cut or altered.
 */
export function openBlock(body: string, where: string): Opened {
  const start = blockStart(body);
  if (start === -1) throw createArchiveDamageError(where, 'cut', 'the machine data at its end is missing');
  const text = body.slice(start).replaceAll('\r\n', '\n');
  if (text.includes(`\n${OPEN}`))
    throw createArchiveDamageError(where, 'altered', 'it has more than one block of machine data');
  const headEnd = text.indexOf('\n');
  if (headEnd === -1) throw createArchiveDamageError(where, 'cut', 'it ends where its machine data begins');
  const recorded = readHead(text.slice(OPEN.length, headEnd), where);
  const close = text.indexOf(CLOSE, headEnd);
  const json = text.slice(headEnd + 1, close === -1 ? undefined : Math.max(close, headEnd + 1));
  const { bytes, sha256 } = measureText(json);
  const share = `${bytes} of ${recorded.bytes} bytes of its machine data are there`;
  if (close === -1) throw createArchiveDamageError(where, 'cut', share);
  if (bytes !== recorded.bytes) throw createArchiveDamageError(where, 'altered', share);
  if (sha256 !== recorded.sha256)
    throw createArchiveDamageError(where, 'altered', 'its machine data do not match their hash');
  return {
    data: readJson(json, where),
    page: body.slice(0, start),
    behind: text.slice(close + CLOSE.length),
  };
}

/** The error `corrupt` of an archive whose block is cut off or was changed; `where` names the archive. */
export function createArchiveDamageError(where: string, how: 'cut' | 'altered', what: string): CouncilError {
  const is = how === 'cut' ? 'is cut' : 'was altered';
  return new CouncilError('corrupt', `${where} ${is}: ${what}.`, { hint: HINT, details: { damage: how } });
}

function blockStart(body: string): number {
  if (body.startsWith(OPEN)) return 0;
  const at = body.indexOf(`\n${OPEN}`);
  return at === -1 ? -1 : at + 1;
}

function readHead(json: string, where: string): { bytes: number; sha256: string } {
  let head: unknown;
  try {
    head = parseJsonSafely(json);
  } catch {
    throw createArchiveDamageError(
      where,
      'altered',
      'the length and hash of its machine data cannot be read',
    );
  }
  const { format, bytes, sha256 } = (head ?? {}) as Record<string, unknown>;
  requireFormat(format, where);
  if (typeof bytes !== 'number' || typeof sha256 !== 'string')
    throw createArchiveDamageError(
      where,
      'altered',
      'the length and hash of its machine data cannot be read',
    );
  return { bytes, sha256 };
}

/** Throws `corrupt` for a format that this version of council does not know. */
export function requireFormat(format: unknown, where: string): void {
  if (format === FORMAT) return;
  if (typeof format !== 'number' || format < FORMAT)
    throw createArchiveDamageError(
      where,
      'altered',
      `it has the format ${JSON.stringify(format)}, which no archive has`,
    );
  throw new CouncilError(
    'corrupt',
    `${where} has the archive format ${format}; this council reads up to ${FORMAT}.`,
    { hint: 'Update council: the file was written by a newer version.' },
  );
}

function readJson(json: string, where: string): Record<string, unknown> {
  // Checking more values than archives have takes long, and they may each be two bytes.
  const most = { levels: Infinity, values: MOST_VALUES };
  if (json.length > MAX_DOCUMENT_BYTES || beyondShape(Buffer.from(json), most))
    throw new CouncilError('corrupt', `${where} has more machine data than is read.`, { hint: HINT });
  try {
    const data = parseJsonSafely(json);
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return data as Record<string, unknown>;
  } catch {
    // Told below: whatever is no object is none of council's.
  }
  throw createArchiveDamageError(where, 'altered', 'its machine data are not a JSON object');
}

/** A fact a line, and of a list of facts, or of the lists of a ledger, an element a line. */
function laidOut(value: unknown, depth = 0): string {
  if (Array.isArray(value) && value.some(isObject))
    return `[\n${value.map((item) => commentSafeJson(item)).join(',\n')}\n]`;
  if (!isObject(value) || (depth > 0 && !Object.values(value).some(Array.isArray)) || depth > 1)
    return commentSafeJson(value);
  const lines = Object.entries(value)
    .filter(([, fact]) => fact !== undefined)
    .map(([key, fact]) => `${JSON.stringify(key)}:${laidOut(fact, depth + 1)}`);
  return `{\n${lines.join(',\n')}\n}`;
}
