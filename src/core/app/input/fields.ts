// Kinds of input fields as data, and the input types inferred from them.
import type { ErrorCode } from '../../base/errors.ts';
import type { Language } from '../../base/words/words.ts';

/**
 * The input of a use case, described once as data. The checker (check-input.ts), the type of the input (`InputOf`), options,
 * help and completion of the command line (cli/options.ts) and JSON Schema are all derived from it.
 */
export type Fields = Readonly<Record<string, Field>>;

interface AnyField {
  /** A short description. */
  readonly help: string;
  /** The description for tools and the HTTP API, if `help` refers to a command line. */
  readonly asArgument?: string;
  /** Describes the value that is used when the field is missing; `default` is the value itself. */
  readonly otherwise?: string;
  readonly required?: true;
  /** An environment variable that sets it, too. */
  readonly variable?: string;
  /** A positional argument on the command line; these keep their order. */
  readonly argument?: true;
  /** Its name on the command line, if different, and the placeholder for its value in the help. */
  readonly option?: string;
  readonly placeholder?: string;
  /** Which names of the project shell completion offers, if the kind of the field does not imply it. */
  readonly offers?: 'tasks' | 'approvals' | 'councils';
  /** Not an option: a command line computes it from other input and sends it to a server. */
  readonly sent?: true;
  /** Suggestions for shell completion, if not all allowed values are known. */
  readonly suggestions?: readonly string[];
  /** The field names the speaker: an agent in its turn may only name itself. */
  readonly speaks?: true;
  /** The error code for an invalid value (default: `usage`, for ids `invalid_id`), and a hint instead of the usual one. */
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** A text of one line, or of several with `lines`. `file`: if it is the name of a file, that file becomes the value of the field of this name. `longest`: maximum number of characters. `words`: takes all remaining words of a command line. `bare`: the value of the option without one. */
export interface TextField extends AnyField {
  readonly kind: 'text';
  readonly words?: true;
  readonly lines?: true;
  readonly longest?: number;
  readonly bare?: string;
  readonly file?: string;
  readonly default?: string;
}
/** True or false. `--no-…` turns off a flag that is true by default. */
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
/** A number above 0 that need not be whole. */
export interface AmountField extends AnyField {
  readonly kind: 'amount';
  readonly unit: string;
}
/** A number within bounds that need not be whole. */
export interface DecimalField extends AnyField {
  readonly kind: 'decimal';
  readonly min: number;
  readonly max: number;
}
/** True or false as a value; missing means neither. */
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
/** The id of an agent, or the name of a council or a mode. `empty`: it may be empty, which means none. */
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
/** Ids: a list, or separated by commas. `most`: maximum number. `seats`: in the notation of `parseSeat`; may repeat. */
export interface IdsField extends AnyField {
  readonly kind: 'ids';
  readonly seats?: true;
  /** What they identify, if not agents. */
  readonly of?: string;
  readonly most?: number;
}
/** Texts of one line each: a list, or a repeatable option. `most`: maximum number. `program`: a command line, whose words may have any form. */
export interface TextsField extends AnyField {
  readonly kind: 'texts';
  readonly most?: number;
  readonly program?: true;
}
/** The path of a file or a folder to write. */
export interface PathField extends AnyField {
  readonly kind: 'path';
}
/** A text of several lines: on a command line the name of a file (- for stdin), elsewhere the text itself. `pipe`: reads stdin if no file is named. `beside`: reads stdin, too, if there is anything. */
export interface DocumentField extends AnyField {
  readonly kind: 'document';
  /** Maximum size in bytes. */
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

/** What an editor shows first: an initial text, and notes that are not sent. */
export interface EditorDraft {
  begin: string;
  read: string;
  /** Times in the notes (ISO 8601 UTC) to show in local time, and the language. */
  times?: readonly string[];
  lang?: Language;
}

/** A text in the input, read only on demand, so that other errors are reported first. */
export interface TextSource {
  /** The file that it is read from; - for stdin. */
  from: string;
  /** `draft`: the initial text of an editor, and the notes below it. */
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
          ? TextSource
          : string;

/** Fields that always have a value. */
type AlwaysGiven = { readonly required: true } | { readonly default: unknown } | FlagField | TextsField;

/** The input of a use case, as `checkInput` returns it. */
export type InputOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends AlwaysGiven ? Value<F[Name]> : Value<F[Name]> | undefined;
};

/** Unchecked input of a face, by the names of the fields: texts from a command line, any values from JSON. */
export type Raw = Readonly<Record<string, unknown>>;

/** Converts `untilIdle` to `until-idle`, and `max_depth` likewise. */
export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');

/** Describes the default of a field for its help; undefined if it has none. */
export function describeFieldDefault(field: Field): string | undefined {
  const value = 'default' in field && field.kind !== 'flag' ? String(field.default) : undefined;
  const shown = value?.includes(' ') ? JSON.stringify(value) : value;
  return field.otherwise ?? shown;
}
