// Finds the fields of JSON objects, and of lists of them.
import { fieldNamed, findField, isAsked, isWrapping } from './form-names.ts';
import { makePlace, isMeant } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import type { FormLine } from './form-lines.ts';
import type { FieldName } from './form-words.ts';
import { readLooseJson } from './loose-json.ts';
import { findVotes, takesBack } from './remarks.ts';

/** How far behind an object the next one is looked for, in characters. */
const NEXT_OBJECT = 8;

/** The fields of the JSON objects that begin in a line, and of what is put around them; undefined where they cannot be read. */
export function readObjects(text: string, lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const line = lines[at]!;
  const fields: Field[] = [];
  let end: number | undefined;
  // One object may follow the other in a line.
  for (let from = text.indexOf(line.text.trimStart()[0]!, line.start); from !== -1;) {
    const found = readLooseJson(text, from);
    if (!found) break;
    const place = { start: from, end: found.end, isMember: true as const };
    fields.push(...readMembers(found.data, found.twice).map((field) => ({ ...field, ...place })));
    ({ end } = found);
    from = /^[ \t,]*\{/.test(text.slice(end, end + NEXT_OBJECT)) ? text.indexOf('{', end) : -1;
  }
  return end === undefined ? undefined : { ...makePlace(lines, at, end, fields), isObject: true };
}

type FieldReading = Pick<Field, 'name' | 'value' | 'isDoubtful' | 'isAside' | 'beside'>;

/** A value of an unknown key is at most so long where it says whose an object is, in characters; and so many are looked at. */
const [LONGEST_NOTE, MOST_NOTES] = [60, 20];

function readMembers(data: unknown, twice: readonly string[]): FieldReading[] {
  if (typeof data !== 'object' || data === null) return [];
  // A list of several, and any other key, speak of others: only what blocks there may be the author's.
  if (Array.isArray(data) && data.length === 1) return readMembers(data[0], twice);
  const beside: string[] = [];
  let isDoubtful = false;
  const said = Object.entries(data).flatMap(([key, value]: [string, unknown]): FieldReading[] => {
    const named = findField(key);
    if (isWrapping(key) && typeof value === 'object') return readMembers(value, twice);
    if (!named) {
      const isNote = typeof value === 'string' && value.length <= LONGEST_NOTE && beside.length < MOST_NOTES;
      if (isNote) beside.push(`${key} ${value}`);
      // "withdrawn": true, "condition": "only if …"
      if (typeof value === 'boolean' || takesBack({ key, value: asWords(value) })) isDoubtful = true;
      const [vote] = isNote ? findVotes(`${key}: ${value}`, false) : [];
      if (vote !== undefined) return [{ name: 'vote', value: vote, isDoubtful: true, isAside: true }];
      const isSeverity = typeof value === 'string' && fieldNamed(value) === 'blocking';
      return isSeverity
        ? [{ name: 'blocking', value: asWords(data), isDoubtful: true }]
        : doubtBlocking(readMembers(value, twice));
    }
    if (value === null) return [];
    const { name } = named;
    // A key that stands there twice says nothing certain, but what blocks stays.
    const isTwice = twice.includes(key) && name !== 'blocking';
    const words = isTwice ? [asWords(value)] : asValue(name, value);
    return isMeant(named, words) ? [{ ...named, value: words }] : [];
  });
  return said.map((one) => ({
    ...one,
    beside: [...beside, ...(one.beside ?? [])],
    ...(isDoubtful && isAsked(one.name) && { isDoubtful }),
  }));
}

const doubtBlocking = (said: readonly FieldReading[]): FieldReading[] =>
  said.flatMap((one) => (one.name === 'blocking' ? [{ ...one, isDoubtful: true as const }] : []));

/** The words of a value; a value that is no text, and may block, is taken as it stands. */
function asValue(name: FieldName, value: unknown): string | string[] {
  if (Array.isArray(value)) return value.map(asWords);
  const isText =
    typeof value === 'string' || (name !== 'position' && name !== 'new' && typeof value !== 'object');
  return isText ? asWords(value) : [asWords(value)];
}

const asWords = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(asWords).join(': ') : String(value);
