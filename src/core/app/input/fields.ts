// Kinds of input fields as data, and the input types inferred from them.
import type { ErrorCode } from '../../base/errors.ts';
import type { Language } from '../../base/words/words.ts';

/**
 * What a use case takes, described once as data: the checker (check-input.ts), the type of its input (`InputOf`), options,
 * help and completion of the command line (cli/options.ts) and JSON Schema (json-schema.ts) all come from it.
 */
export type Fields = Readonly<Record<string, Field>>;

interface AnyField {
  /** What it is, in a few words. */
  readonly help: string;
  /** The same for tools and the HTTP API, where `help` speaks of a command line. */
  readonly asArgument?: string;
  /** Where it comes from when it is not given, in words; `default` is the value itself. */
  readonly otherwise?: string;
  readonly required?: true;
  /** A variable that gives it as well. */
  readonly variable?: string;
  /** It stands on a command line without a name; those that do keep their order. */
  readonly argument?: true;
  /** Its name on the command line, where that is another one; and what stands for its value in the help. */
  readonly option?: string;
  readonly placeholder?: string;
  /** What of the project is offered while it is typed, where the kind of the field does not say. */
  readonly offers?: 'tasks' | 'approvals' | 'councils';
  /** No option: a command line sends it to a server, out of what else was given. */
  readonly sent?: true;
  /** What to suggest while it is typed, where not all that is allowed is known. */
  readonly suggestions?: readonly string[];
  /** The field names the speaker: in its turn an agent may only be itself. */
  readonly speaks?: true;
  /** The error of a value that it cannot have (`usage`, for ids `invalid_id`), and the advice where the usual one does not do. */
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** A text in one line; of several with `lines`. `file`: where it is the name of a file, that is given for the field of this name. `longest`: the most characters. `words`: all the words that are left on a command line. `bare`: what the option says without a value. */
export interface TextField extends AnyField {
  readonly kind: 'text';
  readonly words?: true;
  readonly lines?: true;
  readonly longest?: number;
  readonly bare?: string;
  readonly file?: string;
  readonly default?: string;
}
/** True or false. One that is true by default is turned off by `--no-…`. */
export interface FlagField extends AnyField {
  readonly kind: 'flag';
  readonly default?: true;
}
export interface NumberField extends AnyField {
  readonly kind: 'number';
  readonly min: number;
  readonly max?: number;
  readonly default?: number;
}
/** A number above 0, in units that can be divided. */
export interface AmountField extends AnyField {
  readonly kind: 'amount';
  readonly unit: string;
}
/** A number between two, also one that is not whole. */
export interface DecimalField extends AnyField {
  readonly kind: 'decimal';
  readonly min: number;
  readonly max: number;
}
/** True or false as a value, where leaving it out says neither. */
export interface TruthField extends AnyField {
  readonly kind: 'truth';
}
/** Milliseconds, written as 300s, 30m or 1h. */
export interface DurationField extends AnyField {
  readonly kind: 'duration';
}
/** A day in UTC, such as 2026-11-01. */
export interface DayField extends AnyField {
  readonly kind: 'day';
}
/** The id of an agent, or the name of a council or a mode. `empty`: it may be empty, which says none. */
export interface IdField extends AnyField {
  readonly kind: 'id';
  readonly of: string;
  readonly empty?: true;
}
export interface ChoiceField extends AnyField {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  readonly default?: string;
}
/** Ids: a list, or separated by commas. `most`: how many there may be. `seats`: as `parseSeat` reads them, also twice. */
export interface IdsField extends AnyField {
  readonly kind: 'ids';
  readonly seats?: true;
  /** What they are called, where they are no agents'. */
  readonly of?: string;
  readonly most?: number;
}
/** Texts of one line each: a list, or an option that may be repeated. `most`: how many there may be. `program`: a command line, whose words may have any form. */
export interface TextsField extends AnyField {
  readonly kind: 'texts';
  readonly most?: number;
  readonly program?: true;
}
/** The path of a file or a folder that is written. */
export interface PathField extends AnyField {
  readonly kind: 'path';
}
/** A text of many lines: the name of a file on a command line (- for stdin), the text itself elsewhere. `pipe`: stdin without a name; `beside`: what comes there if anything does. */
export interface DocumentField extends AnyField {
  readonly kind: 'document';
  /** The most bytes that are read. */
  readonly limit: number;
  readonly pipe?: true | 'beside';
}

export type Field =
  | TextField
  | FlagField
  | NumberField
  | AmountField
  | DecimalField
  | TruthField
  | DurationField
  | DayField
  | IdField
  | ChoiceField
  | IdsField
  | TextsField
  | PathField
  | DocumentField;

/** What an editor opens with: initial text, and notes that are not sent. */
export interface EditorDraft {
  begin: string;
  read: string;
  /** Times in it (ISO 8601 UTC) that its reader wants in local time, and in which language. */
  times?: readonly string[];
  lang?: Language;
}

/** A text that was given: read when it is wanted, so that what is wrong elsewhere is said first. */
export interface GivenText {
  /** The file it comes from; - for stdin. */
  from: string;
  /** `draft`: what an editor begins with, and what it shows below that. */
  bytes(draft?: () => Promise<EditorDraft>): Promise<Uint8Array>;
}

type Value<F extends Field> = F extends FlagField | TruthField
  ? boolean
  : F extends NumberField | AmountField | DecimalField | DurationField
    ? number
    : F extends ChoiceField
      ? F['choices'][number]
      : F extends IdsField | TextsField
        ? string[]
        : F extends DocumentField
          ? GivenText
          : string;

/** Those that have a value whatever was given. */
type AlwaysGiven = { readonly required: true } | { readonly default: unknown } | FlagField | TextsField;

/** The input of a use case, as `checkInput` makes it. */
export type InputOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends AlwaysGiven ? Value<F[Name]> : Value<F[Name]> | undefined;
};

/** What a face was given, by the names of the fields: text from a command line, anything from JSON. */
export type Raw = Readonly<Record<string, unknown>>;

/** `untilIdle` as `until-idle`, and so `max_depth`. */
export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

/** The value that a field has when it is not given, in words for its help; undefined where it has none. */
export function describeFieldDefault(field: Field): string | undefined {
  const value = 'default' in field && field.kind !== 'flag' ? String(field.default) : undefined;
  const shown = value?.includes(' ') ? JSON.stringify(value) : value;
  return field.otherwise ?? shown;
}
