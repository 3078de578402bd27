// Typed reading of front matter keys: strict with errors that name file and key, or lenient with notes.
import { isObject } from '../base/text.ts';
import { parseDuration } from '../base/duration.ts';
import { CouncilError } from '../base/errors.ts';

/** Typed access to a front matter mapping. A missing key and null count as absent, and for `text` an empty text. */
export interface Fields {
  /** Returns a text, or null if absent. */
  text(key: string): string | null;
  /** Returns a positive number, or null if absent. */
  number(key: string): number | null;
  /** Returns a number within limits (0 is possible), or null if absent. */
  range(key: string, limits: Range): number | null;
  /** Returns true or false, or null if absent. */
  truth(key: string): boolean | null;
  /** Returns milliseconds, or null if absent. */
  duration(key: string): number | null;
  /** Returns one of `values`, or null if absent. */
  choice<T extends string>(key: string, values: readonly T[]): T | null;
  /** Reads names from a list, a comma-separated text, or a mapping of names to booleans; [] if absent. */
  names(key: string): string[];
  /** Returns a list of unmodified texts, or null if absent. `example` shows the form in the error. */
  list(key: string, example: string): string[] | null;
  /** Throws `invalid_agent`: the value of `key` is not as expected. */
  refuse(key: string, expected: string, hint?: string): never;
}

/** Limits of a number; no upper limit without `max`. */
interface Range {
  min: number;
  max?: number;
  whole?: boolean;
}

/** Reads `data` from the file `path`. Errors name file, key with `prefix`, expected and actual value. */
export function createFieldReader(data: Record<string, unknown>, path: string, prefix = ''): Fields {
  const refuse = (key: string, expected: string, hint?: string): never => {
    const message = `${path}: "${prefix}${key}" must be ${expected}, but is ${describeFieldValue(data[key])}.`;
    throw new CouncilError('invalid_agent', message, { hint });
  };
  const isAbsent = (key: string): boolean => data[key] === undefined || data[key] === null;

  const readText = (key: string): string | null => {
    const value = data[key];
    if (isAbsent(key) || value === '') return null;
    return typeof value === 'string' ? value : refuse(key, 'a text', `Put the value of "${key}" in quotes.`);
  };

  return {
    text: readText,
    refuse,
    range: (key, limits) => {
      const value = data[key];
      if (isAbsent(key)) return null;
      return isWithin(value, limits) ? value : refuse(key, describeRange(limits));
    },
    truth: (key) => {
      const value = data[key];
      if (isAbsent(key)) return null;
      return typeof value === 'boolean' ? value : refuse(key, 'true or false');
    },
    duration: (key) => {
      const value = data[key];
      if (isAbsent(key)) return null;
      return typeof value === 'string' || typeof value === 'number'
        ? parseDurationField(value, `${prefix}${key}`, path)
        : refuse(key, 'a duration', `For example ${key}: 300s`);
    },
    list: (key, example) => {
      const value = data[key];
      if (isAbsent(key)) return null;
      return isTexts(value) ? value : refuse(key, 'a list of texts', `For example ${key}: ${example}`);
    },
    number: (key) => {
      const value = data[key];
      if (isAbsent(key)) return null;
      return typeof value === 'number' && value > 0 && Number.isFinite(value)
        ? value
        : refuse(key, 'a number above 0');
    },
    choice: (key, values) => {
      if (isAbsent(key)) return null;
      const value = readText(key) ?? '';
      return isAllowedValue(value, values) ? value : refuse(key, `one of ${values.join(', ')}`);
    },
    names: (key) =>
      isAbsent(key)
        ? []
        : (parseNameList(data[key]) ??
          refuse(key, 'a comma-separated text, a list of texts, or a mapping of names to true or false')),
  };
}

/**
 * Reads keys that other programs use, too. A value of another type does not make the file invalid: the usable
 * part counts, and the caller shows `notes`, which say so. An absent text is ''.
 */
export function createLenientFieldReader(data: Record<string, unknown>) {
  const notes: string[] = [];
  const tell = (key: string, counting: string): void =>
    void notes.push(`"${key}" is ${describeFieldValue(data[key])}: ${counting || 'nothing of it'} counts.`);
  return {
    notes,
    text: (key: string): string => {
      const value = data[key] ?? '';
      if (isText(value)) return value.trim();
      const [first = ''] = Array.isArray(value) ? dedupeNames(value.filter(isText)) : [];
      tell(key, first);
      return first;
    },
    names: (key: string): string[] => {
      const value = data[key] ?? [];
      const names = parseNameList(value);
      if (names) return names;
      const certain = Array.isArray(value)
        ? dedupeNames(value.filter(isText))
        : isObject(value)
          ? listTrueNames(value)
          : [];
      tell(key, certain.join(', '));
      return certain;
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

function isWithin(value: unknown, { min, max = Infinity, whole = false }: Range): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value >= min && value <= max && (!whole || Number.isSafeInteger(value));
}

const describeRange = ({ min, max, whole = false }: Range): string =>
  `a ${whole ? 'whole ' : ''}number from ${min} ${max === undefined ? 'on' : `to ${max}`}`;

function parseDurationField(value: string | number, key: string, path: string): number {
  try {
    return parseDuration(value, `value of "${key}"`);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    throw new CouncilError('invalid_agent', `${path}: ${error.message}`, { hint: error.hint, cause: error });
  }
}

/** Parses names from a comma-separated text, a list, or a mapping to booleans; undefined for anything else. */
function parseNameList(value: unknown): string[] | undefined {
  // Does not split at commas in parentheses: "Bash(git:*, npm:*), Read".
  if (typeof value === 'string') return dedupeNames(value.split(/,(?![^(]*\))/));
  if (isTexts(value)) return dedupeNames(value);
  if (!isObject(value)) return undefined;
  return Object.values(value).every((on) => typeof on === 'boolean') ? listTrueNames(value) : undefined;
}

const listTrueNames = (value: Record<string, unknown>): string[] =>
  dedupeNames(Object.keys(value).filter((name) => value[name] === true));

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAllowedValue<T extends string>(value: string, values: readonly T[]): value is T {
  return values.some((one) => one === value);
}

function dedupeNames(names: string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}

function describeFieldValue(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  const kind = Array.isArray(value)
    ? 'list'
    : isObject(value)
      ? 'mapping'
      : typeof value === 'string'
        ? 'text'
        : typeof value;
  return `the ${kind} ${(JSON.stringify(value) ?? String(value)).slice(0, 60)}`;
}
