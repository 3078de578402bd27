// Checks the shape of a JSON document field by field, and names the path of the first fault.
import { isDeepJson } from '../../../core/base/nesting.ts';
import { parseJsonSafely } from '../../../core/base/text.ts';
import { createWireFailure } from './codec-types.ts';
import type { Failed } from './codec-types.ts';

/** JSON formats have no codes of their own; this is the code for a wrong format. */
const FORMAT_CODE = 'E02';
const DEEPEST = 100;

export type JsonObject = Record<string, unknown>;

type Check = (value: unknown) => boolean;
export interface Expected {
  readonly is: Check;
  readonly said: string;
  readonly optional?: true;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string' && value !== '';
const isCount: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;

export const TEXT: Expected = { is: isText, said: 'a text' };
export const ANY_TEXT: Expected = { is: (value) => typeof value === 'string', said: 'a text' };
export const COUNT: Expected = { is: isCount, said: 'a number from 0 on' };
export const FLAG: Expected = { is: (value) => typeof value === 'boolean', said: 'true or false' };
export const OBJECT: Expected = { is: isObject, said: 'an object' };
export const TEXTS: Expected = {
  is: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  said: 'a list of texts',
};
/** ISO 8601 in UTC, to the second or finer. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
export const TIME: Expected = {
  is: (value) => typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
  said: 'a time in UTC such as 2026-01-11T16:33:15.123Z',
};
export const expectChoice = (words: readonly string[]): Expected => ({
  is: (value) => typeof value === 'string' && words.includes(value),
  said: `one of ${words.join(', ')}`,
});
export const ANYTHING: Expected = { is: (value) => value !== undefined, said: 'a value' };
export const makeOptional = (expected: Expected): Expected => ({ ...expected, optional: true });
/** Also accepts null, which some programs write for a missing value. */
export const allowNull = ({ is, said }: Expected): Expected => ({
  is: (value) => value === null || is(value),
  said,
  optional: true,
});

export const createFault = (path: string, expected: string, received: string, code = FORMAT_CODE): Failed =>
  createWireFailure(code, 0, path, expected, received);

/** Returns the first fault; undefined if there is none. */
export function findShapeFault(
  path: string,
  value: unknown,
  fields: Record<string, Expected>,
): Failed | undefined {
  if (!isObject(value)) return createFault(path, 'an object', formatReceivedValue(value));
  for (const [name, { is, said, optional }] of Object.entries(fields)) {
    if (value[name] === undefined && optional) continue;
    const where = path === '' ? name : `${path}.${name}`;
    if (!is(value[name])) return createFault(where, said, formatReceivedValue(value[name]));
  }
  return undefined;
}

export const formatReceivedValue = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200);

/** Parses a document, which must be an object without keys that reach into a prototype. */
export function parseJsonObject(text: string): { ok: true; json: JsonObject } | Failed {
  // Deeply nested JSON can be parsed, but serializing it again overflows the stack.
  if (isDeepJson(Buffer.from(text), DEEPEST))
    return createFault('json', `at most ${DEEPEST} lists and objects in each other`, 'more');
  let json: unknown;
  try {
    json = parseJsonSafely(text);
  } catch (error) {
    return createFault('json', 'one JSON document', error instanceof Error ? error.message : text);
  }
  return isObject(json) ? { ok: true, json } : createFault('json', 'an object', formatReceivedValue(json));
}
