// JSON documents in a store: with their own revision and hash, by which the store tells them from hand edits.
import { sha256 } from '../base/ids.ts';
import { toUnknownRecord } from '../base/unknown-record.ts';
import { parseJsonSafely } from '../base/text.ts';
import type { Stamp } from './documents.ts';

const UNHASHED = '0'.repeat(64);

/** A document's text: its revision and hash first, then what it holds. */
export function jsonDocument(data: object, revision: number): string {
  const text = `${JSON.stringify({ schema: 1, revision, textSha256: UNHASHED, ...data }, null, 1)}\n`;
  return text.replace(UNHASHED, sha256(text));
}

/** What a document holds; nothing where it is none, or is damaged. */
export function readJsonDocument(text: string | undefined): Record<string, unknown> {
  try {
    return text === undefined ? {} : toUnknownRecord(parseJsonSafely(text));
  } catch (error) {
    // A RangeError: nested more deeply than can be gone through.
    if (error instanceof SyntaxError || error instanceof RangeError) return {};
    throw error;
  }
}

/** The same document as another revision, with these keys in place of those of that name; what is undefined goes. */
export function replaceJsonKeys(text: string, keys: Record<string, unknown>, revision: number): string {
  const { schema: _schema, revision: _revision, textSha256: _hash, ...data } = readJsonDocument(text);
  const rest = Object.entries(data).filter(([key]) => !(key in keys));
  return jsonDocument({ ...keys, ...Object.fromEntries(rest) }, revision);
}

/** Reads the stamp that the store checks; `id` says whose documents they are. */
export const jsonStamp =
  (id: string) =>
  (text: string): Stamp | undefined => {
    const { revision, textSha256: hash } = readJsonDocument(text);
    if (typeof revision !== 'number' || typeof hash !== 'string') return undefined;
    return { id, revision, intact: hash.length === 64 && sha256(text.replace(hash, UNHASHED)) === hash };
  };
