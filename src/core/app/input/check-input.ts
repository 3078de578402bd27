// Checks and types the input of every use case, for all faces alike.
import { MAX_DURATION, asDuration, askForUnit } from '../../base/duration.ts';
import { CouncilError } from '../../base/errors.ts';
import { isSeatText } from '../../agents/seat-notation.ts';
import { isId, LABEL_FORM, toSlug } from '../../base/ids.ts';
import { findNearest } from '../../base/unknown-name.ts';
import { asCount, asDollars } from '../../base/config-values.ts';
import { checkText, checkVariables, parseDay, parseDecimal } from './check-text.ts';
import { toKebabCase } from './fields.ts';
import type { DocumentField, Field, Fields, TextSource, InputOf, Raw } from './fields.ts';

/** What a face (command line, HTTP, MCP) knows about its input. */
export interface InputContext {
  /** The command of this use case, for hints that refer to its help. */
  command: string;
  env: NodeJS.ProcessEnv;
  /** True if the texts come from this process's command line, where Node may have replaced bytes. */
  isOwnCommandLine: boolean;
  /** Opens the text of a `document` field from its value: on a command line, the name of a file. */
  text(given: string | undefined, field: DocumentField): TextSource | undefined;
  /** Receives notes about values that a person may have meant differently. */
  note?(line: string): void;
}

/** A value, and its name in sentences. */
interface GivenValue {
  value: unknown;
  name: string;
  place: string;
}

/**
 * Checks the input of a use case, from any face, and returns it typed. Ignores names that are no fields. Throws the error
 * of the field (`usage`, `invalid_id`, `invalid_config`), and like `checkText`.
 */
export function checkInput<F extends Fields>(fields: F, raw: Raw, given: InputContext): InputOf<F> {
  for (const [name, field] of Object.entries(fields)) checkTexts(name, field, raw[name], given);
  checkVariables(given.env);
  const input = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const found = findValue(name, field, raw, given);
      return [name, found ? requireFieldValue(found, field, given) : readAbsentField(name, field, given)];
    }),
  );
  // Each value was converted by the field of the same name.
  return input as InputOf<F>;
}

function findValue(name: string, field: Field, raw: Raw, given: InputContext): GivenValue | undefined {
  if (raw[name] !== undefined)
    return { value: raw[name], name, place: describeFieldPlace(name, field, given) };
  const value = field.variable === undefined ? undefined : given.env[field.variable];
  return value ? { value, name, place: `the environment variable ${field.variable}` } : undefined;
}

/** Returns the name of a field in sentences: "the argument topic", on a command line "the option --budget-usd". */
function describeFieldPlace(name: string, field: Field, { isOwnCommandLine }: InputContext): string {
  if (!isOwnCommandLine) return `the argument ${name}`;
  return field.argument
    ? `the argument ${field.placeholder ?? name}`
    : `the option --${field.option ?? toKebabCase(name)}`;
}

function checkTexts(name: string, field: Field, value: unknown, given: InputContext): void {
  const what = capitalize(describeFieldPlace(name, field, given));
  const { isOwnCommandLine } = given;
  const line =
    field.kind !== 'path' &&
    field.kind !== 'document' &&
    !(field.kind === 'texts' && field.program) &&
    !(field.kind === 'text' && field.lines);
  for (const text of [value].flat())
    if (typeof text === 'string')
      checkText(what, text, { line, file: isOwnCommandLine ? 'cmdline' : undefined });
}

function readAbsentField(name: string, field: Field, given: InputContext): unknown {
  if (field.kind === 'document') {
    const text = given.text(undefined, field);
    if (text) return text;
  }
  if (field.required) {
    const what = `${describeFieldPlace(name, field, given)} is missing: ${field.help}.`;
    throw new CouncilError('usage', capitalize(what), { hint: field.hint ?? describeHelpCommand(given) });
  }
  if (field.kind === 'flag') return field.default ?? false;
  if (field.kind === 'texts') return [];
  return 'default' in field ? field.default : undefined;
}

function requireFieldValue(found: GivenValue, field: Field, given: InputContext): unknown {
  const value =
    field.kind === 'document' ? toGivenText(found.value, field, given) : parseFieldValue(found.value, field);
  if (field.kind === 'ids' && !field.seats && Array.isArray(value))
    return dropRepeatedIds(value, found.place, given);
  if (value !== undefined) return value;
  throw createInputError(found, field, given);
}

const toGivenText = (value: unknown, field: DocumentField, given: InputContext): TextSource | undefined =>
  typeof value === 'string' ? given.text(value, field) : undefined;

/** Converts a value to the type of its field; returns undefined if it is invalid. */
function parseFieldValue(value: unknown, field: Exclude<Field, DocumentField>): unknown {
  switch (field.kind) {
    case 'text':
      return discardTooLong(field.longest, joinTextWords(value));
    case 'path':
      return joinTextWords(value);
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      return asCount(value, field.min, field.max);
    case 'amount':
      return asDollars(value);
    case 'decimal':
      return parseDecimal(value, field);
    case 'truth':
      return value === 'true' || value === true || (value === 'false' || value === false ? false : undefined);
    case 'duration':
      // A number alone could be minutes as well as seconds.
      return typeof value === 'string' && /^[\d.\s]+$/.test(value) ? undefined : asDuration(value);
    case 'day':
      return parseDay(value);
    case 'id':
      return isId(value) || (field.empty && value === '') ? value : undefined;
    case 'choice':
      return field.choices.find((choice) => choice === value);
    case 'ids':
      return discardTooLong(field.most, parseIdList(value, field.seats ? isSeatText : isId));
    case 'texts':
      return discardTooLong(field.most, toStringList([value].flat()));
  }
}

const joinTextWords = (value: unknown): string | undefined =>
  Array.isArray(value) ? toStringList(value)?.join(' ') : asTextOrUndefined(value);

/** Returns undefined if the text is too long. */
const discardTooLong = <T extends string | unknown[]>(
  most = Infinity,
  value: T | undefined,
): T | undefined => (value !== undefined && value.length <= most ? value : undefined);

const asTextOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const toStringList = (values: unknown[]): string[] | undefined =>
  values.every((value) => typeof value === 'string') ? values : undefined;

function parseIdList(value: unknown, isEntry: (one: unknown) => one is string): string[] | undefined {
  const list: unknown[] =
    typeof value === 'string' ? value.split(',').map(toIdAsTyped) : Array.isArray(value) ? value : [];
  return list.length > 0 && list.every(isEntry) ? list : undefined;
}

/** Returns the id for `Claude`, without capitals. What follows a sign, such as a model, is kept. */
const toIdAsTyped = (text: string): string => text.trim().replace(/^[^:/@]+/, (name) => name.toLowerCase());

/** Drops repeated ids, with a note for each. */
function dropRepeatedIds(ids: unknown[], place: string, { note }: InputContext): unknown[] {
  const twice = new Set(ids.filter((id, at) => ids.indexOf(id) < at));
  for (const id of twice) note?.(`${capitalize(place)} names ${String(id)} more than once: it counts once.`);
  return [...new Set(ids)];
}

/** Describes valid values of a field, to complete "must be …". */
function describeExpectedValue(field: Field): string {
  switch (field.kind) {
    case 'text':
      return field.longest === undefined ? 'a text' : `a text of at most ${field.longest} characters`;
    case 'path':
    case 'document':
      return 'a text';
    case 'flag':
    case 'truth':
      return 'true or false';
    case 'decimal':
      return `a number from ${field.min} to ${field.max}`;
    case 'number':
      return field.max === undefined
        ? `a whole number from ${field.min} on`
        : `a whole number from ${field.min} to ${field.max}`;
    case 'amount':
      return `a number of ${field.unit} above 0`;
    case 'duration':
      return `a duration such as 300s, 30m or 1h, up to ${MAX_DURATION / 86_400_000}d`;
    case 'day':
      return 'a day in UTC such as 2026-11-01';
    case 'id':
      return `${field.of}: 1 to 64 lower-case letters, digits and hyphens, starting with a letter or digit`;
    case 'choice':
      return joinChoices(field.choices);
    case 'ids':
      if (field.seats)
        return 'agents, programs or models, as a list or separated by commas, such as claude:opus,codex,gemini@skeptic';
      return `a list of ${formatMost(field)}${field.of ?? 'ids'}, or ${field.of ?? 'ids'} separated by commas (${LABEL_FORM})`;
    case 'texts':
      return `a text, or a list of ${formatMost(field)}texts`;
  }
}

const formatMost = ({ most }: { most?: number }): string => (most === undefined ? '' : `at most ${most} `);

const joinChoices = (choices: readonly string[]): string =>
  choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/** Creates the error for an invalid value: what was wrong, what was expected, and which command helps. */
function createInputError(
  { value, name, place }: GivenValue,
  field: Field,
  given: InputContext,
): CouncilError {
  const received = (JSON.stringify(value) ?? String(value)).slice(0, 120);
  const expected = describeExpectedValue(field);
  const near = typeof value === 'string' ? suggestValue(value, field) : undefined;
  const isName = field.kind === 'id' || field.kind === 'ids';
  return new CouncilError(
    field.code ?? (isName ? 'invalid_id' : 'usage'),
    `${capitalize(place)} must be ${expected}; received ${received}.${near === undefined ? '' : ` Did you mean ${near}?`}${field.kind === 'duration' ? askForUnit(value) : ''}`,
    {
      hint: describeInputHint(field, { value, near }) ?? describeHelpCommand(given),
      details: { path: place, key: name, expected, received },
    },
  );
}

/** A hint may hold the id that is meant, and the name that was given for it: it needs one. */
function describeInputHint(
  { hint, kind }: Field,
  { value, near }: { value: unknown; near: string | undefined },
): string | undefined {
  if (kind !== 'id' || !hint?.includes('{id}')) return hint;
  return near && hint.replace('{id}', near).replace('{name}', () => JSON.stringify(value));
}

/** Guesses what was meant: the most similar choice, or the ids without capitals and spaces. */
function suggestValue(value: string, field: Field): string | undefined {
  if (field.kind === 'choice') return findNearest(value, [...field.choices]);
  if (field.kind !== 'id' && field.kind !== 'ids') return undefined;
  const ids = (field.kind === 'ids' ? value.split(',') : [value]).map((id) => toSlug(id, ''));
  return ids.every((id) => id !== '') ? ids.join(',') : undefined;
}

const describeHelpCommand = ({ command, isOwnCommandLine }: InputContext): string =>
  isOwnCommandLine ? `See: council ${command} --help` : `See what ${command} takes in its input schema.`;

const capitalize = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
