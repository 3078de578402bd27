// The block of machine data at the end of an archive, with its own length and hash.
import { CouncilError } from '../base/errors.ts';
import { findShapeExcess } from '../base/nesting.ts';
import {
  MAX_COUNCIL_BYTES,
  MAX_DOCUMENT_BYTES,
  toCommentSafeJson,
  isObject,
  parseJsonSafely,
} from '../base/text.ts';
import { measureText } from '../council/document/markers.ts';

/** The format of archives with a block at the end. Earlier ones have no number, and all data in front matter. */
export const FORMAT = 2;

/** Three times the number of values for 32 participants with the maximum of claims and challenges. */
const MOST_VALUES = MAX_COUNCIL_BYTES / 32;

const OPEN = '<!--council-archive ';
const CLOSE = '\n-->';
const HINT =
  'Take the file back from your version control or a backup. What was said still stands in it, for people to read.';

/** The block's data, and the text before and after it. */
export interface OpenedBlock {
  data: Record<string, unknown>;
  page: string;
  behind: string;
}

/** Writes a block with one fact per line, so that two versions of an archive can be compared. */
export function writeBlock(data: Record<string, unknown>): string {
  const json = formatFacts(data);
  return `${OPEN}${toCommentSafeJson({ format: FORMAT, ...measureText(json) })}\n${json}${CLOSE}`;
}

/** True if a block starts in the text, even a damaged one. In people's texts, comments are escaped. */
export const hasBlock = (body: string): boolean => findBlockStart(body) !== -1;

/** Returns a text without the block and anything after it. */
export const cutArchiveBlock = (body: string): string => {
  const start = findBlockStart(body);
  return start === -1 ? body : body.slice(0, start);
};

/**
 * Opens the block of an archive; `body` is the text after its front matter. CR LF counts as LF, since no fact
 * contains either. Throws `corrupt`, naming `where` and whether the block is cut or altered.
 */
export function openBlock(body: string, where: string): OpenedBlock {
  const start = findBlockStart(body);
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

/** Creates the `corrupt` error for an archive whose block is cut or altered; `where` names the archive. */
export function createArchiveDamageError(where: string, how: 'cut' | 'altered', what: string): CouncilError {
  const is = how === 'cut' ? 'is cut' : 'was altered';
  return new CouncilError('corrupt', `${where} ${is}: ${what}.`, { hint: HINT, details: { damage: how } });
}

function findBlockStart(body: string): number {
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

/** Throws `corrupt` for a format unknown to this version of council. */
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
  // Checking more values than archives have would take long, since each may have only two bytes.
  const most = { levels: Infinity, values: MOST_VALUES };
  if (json.length > MAX_DOCUMENT_BYTES || findShapeExcess(Buffer.from(json), most))
    throw new CouncilError('corrupt', `${where} has more machine data than is read.`, { hint: HINT });
  try {
    const data = parseJsonSafely(json);
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return data as Record<string, unknown>;
  } catch {
    // Reported below: anything but an object was not written by council.
  }
  throw createArchiveDamageError(where, 'altered', 'its machine data are not a JSON object');
}

/** Formats one fact per line; lists of facts, and the lists of a ledger, have one element per line. */
function formatFacts(value: unknown, depth = 0): string {
  if (Array.isArray(value) && value.some(isObject))
    return `[\n${value.map((item) => toCommentSafeJson(item)).join(',\n')}\n]`;
  if (!isObject(value) || (depth > 0 && !Object.values(value).some(Array.isArray)) || depth > 1)
    return toCommentSafeJson(value);
  const lines = Object.entries(value)
    .filter(([, fact]) => fact !== undefined)
    .map(([key, fact]) => `${JSON.stringify(key)}:${formatFacts(fact, depth + 1)}`);
  return `{\n${lines.join(',\n')}\n}`;
}
