// Creates commander options and arguments from the fields of a use case.
import { CouncilError } from '../base/errors.ts';
import { describeFieldDefault, toKebabCase } from '../app/input/fields.ts';
import type { Field, Fields, Raw } from '../app/input/fields.ts';

/** A command line option made from a field: flags in commander's syntax, and help. */
export interface OptionSpec {
  flags: string;
  help: string;
  repeat?: true;
  /** A second one adds to the list. */
  joins?: true;
  /** Only allowed once: a second one would silently override it. */
  once?: true;
  /** Its value if given without one. */
  bare?: string;
  /** Completions of its value; undefined for a flag. */
  offered?: OfferedValues | undefined;
}

/** Completions of a value: known values, items of the project, or only files; undefined for a flag. */
export type OfferedValues =
  readonly string[] | 'agents' | 'councils' | 'archives' | 'channels' | 'tasks' | 'approvals' | 'files';

export const listOfferedArguments = (fields: Fields): OfferedValues[] =>
  listArgumentNames(fields).map((name) => listOfferedValues(name, fields[name]!) ?? 'files');

function listOfferedValues(name: string, field: Field): OfferedValues | undefined {
  if (field.kind === 'flag') return undefined;
  if (field.kind === 'choice') return field.choices;
  if (field.kind === 'truth') return ['true', 'false'];
  if (field.suggestions) return field.suggestions;
  if (field.offers) return field.offers;
  if (field.kind === 'ids' && field.of !== undefined) return [];
  if (field.kind === 'ids' || (field.kind === 'id' && field.of === 'an agent id')) return 'agents';
  if (field.kind === 'id') return field.of === 'the name of a channel' ? 'channels' : 'councils';
  return name === 'archive' || name === 'council' ? 'archives' : 'files';
}

/** Returns the options of a command, in the order of its fields. */
export const listOptions = (fields: Fields): OptionSpec[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.argument || field.sent ? [] : [createOptionSpec(name, field)],
  );

/** Renders the positional arguments in commander's syntax: `[action] [id] [command...]`. */
export const renderArgumentSyntax = (fields: Fields): string =>
  listArgumentNames(fields)
    .map((name) => {
      const field = fields[name]!;
      const shown = `${field.placeholder ?? name}${takesAllWords(field) ? '...' : ''}`;
      return field.required ? `<${shown}>` : `[${shown}]`;
    })
    .join(' ');

/** Collects the input by field name from commander's positional arguments and options. */
export function collectRawInput(fields: Fields, args: (string | string[] | undefined)[], options: Raw): Raw {
  const positions = listArgumentNames(fields);
  if (
    args[0] !== undefined &&
    positions[0] === 'name' &&
    ![undefined, args[0]].includes(options.name as string)
  )
    throw new CouncilError(
      'usage',
      `Two councils are named: ${String(args[0])}, and ${String(options.name)} with --name.`,
      { hint: 'Leave out one of the two.' },
    );
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      args[positions.indexOf(name)] ?? options[toCommanderAttribute(name, field)],
    ]),
  );
}

/** Without positional arguments, the council of `--name` may be given as one. */
function listArgumentNames(fields: Fields): string[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.argument);
  return names.length === 0 && fields.name?.offers === 'councils' ? ['name'] : names;
}

const takesAllWords = (field: Field): boolean =>
  field.kind === 'texts' || (field.kind === 'text' && field.words === true);

const toCommanderAttribute = (name: string, { option }: Field): string =>
  toKebabCase(option ?? name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Spells `launch` as `no-launch` if it is on by default. */
const spellOption = (name: string, field: Field): string =>
  `${field.kind === 'flag' && field.default ? 'no-' : ''}${field.option ?? toKebabCase(name)}`;

function createOptionSpec(name: string, field: Field): OptionSpec {
  const spelled = spellOption(name, field);
  return {
    flags: field.kind === 'flag' ? `--${spelled}` : `--${spelled} ${renderOptionValue(spelled, field)}`,
    help: renderFieldHelp(field),
    offered: listOfferedValues(name, field),
    ...(field.kind === 'texts' && { repeat: true as const }),
    ...(field.kind === 'ids' && { joins: true as const }),
    ...(field.kind === 'document' && { once: true as const }),
    ...(field.kind === 'text' && field.bare !== undefined && { bare: field.bare }),
  };
}

/** What stands for a value, by kind; for other kinds the name of the option. */
const PLACEHOLDERS: Partial<Record<Field['kind'], string>> = {
  ...{ number: 'n', amount: 'n', decimal: 'n' },
  ...{ truth: 'bool', duration: 'duration', day: 'date' },
  ...{ document: 'file', path: 'file' },
};
/** The syntax of a value on a command line, where it is special. */
const SYNTAX: Partial<Record<Field['kind'], string>> = {
  document: '; - for stdin',
  ids: ', separated by commas',
  texts: '; may be repeated',
};

function renderOptionValue(spelled: string, field: Field): string {
  const placeholder = field.placeholder ?? PLACEHOLDERS[field.kind] ?? spelled;
  return field.kind === 'text' && field.bare !== undefined ? `[${placeholder}]` : `<${placeholder}>`;
}

function renderFieldHelp(field: Field): string {
  const otherwise = describeFieldDefault(field);
  const sources = [
    ...(otherwise === undefined ? [] : [`default: ${otherwise}`]),
    ...(field.variable === undefined ? [] : [field.variable]),
  ];
  const help = `${field.help}${SYNTAX[field.kind] ?? ''}`;
  return sources.length === 0 ? help : `${help} (${sources.join('; ')})`;
}
