// Understands alternative names of commands, actions and options.
import { CouncilError } from '../base/errors.ts';
import { findNearest } from '../base/unknown-name.ts';
import { toKebabCase } from '../app/input/fields.ts';
import type { Field, Fields, Raw } from '../app/input/fields.ts';
import type { CommandSpec } from './spec.ts';
import {
  ACTION_ANSWERS,
  ACTION_SYNONYMS,
  ANSWERS,
  OPTION_SYNONYMS,
  OPTIONS,
  SYNONYMS,
} from './name-tables.ts';

/**
 * Replaces the command by its real name; `help all` is the long list. Several quoted words are a question
 * unless the first is a command. An unknown word loses --help: the error says what to type instead.
 */
export function resolveCommand(typed: string[], isCommand: (name: string) => boolean): string[] {
  const [called = '', ...rest] = typed;
  if (called === 'help') return rest[0] === 'all' ? ['--help'] : [called, ...renameCommand(rest).slice(0, 1)];
  const isKnown = (word: string): boolean => isCommand(renameCommand([word])[0]!);
  if (called === '' || isKnown(called)) return renameCommand(typed);
  if (called.startsWith('-')) return typed.some(isQuestion) ? ['ask', ...typed] : typed;
  const [first = ''] = called.trim().split(/\s+/);
  return isQuestion(called) && !isKnown(first)
    ? ['ask', ...typed]
    : typed.filter((one) => one !== '--help' && one !== '-h');
}

/** Several words in quotes, one with a question mark, or the name of a text. */
export const isQuestion = (word: string): boolean =>
  !word.startsWith('-') && /\S\s+\S|\S\?$|\S\.(?:md|markdown|txt)$/.test(word);

function renameCommand([command = '', ...rest]: string[]): string[] {
  const [, meant = command, alone = meant] = findRow(SYNONYMS, command) ?? [];
  const isAlone = rest.length === 0 || rest[0]!.startsWith('-');
  const words = (isAlone ? alone : meant).split(' ');
  // council personas show skeptic.
  const isActionTwice =
    words[1]?.startsWith('-') === false && ['show', 'list', 'ls', 'get'].includes(rest[0] ?? '');
  return [...words, ...rest.slice(isActionTwice ? 1 : 0)];
}

/**
 * Replaces options by their real names: those of the table, and a value that only one option can have, such
 * as --html for --format html or --debate for the word debate. Known options, anything after -- and ambiguous ones stay as they are.
 */
export function resolveOptions(typed: readonly string[], fields: Fields, known: readonly string[]): string[] {
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  const flags = known.map((one) => one.split(/[ ,]/)[0]!);
  const resolveOption = (word: string): string[] => {
    const [, given = '', name = '', value = ''] = /^(--?([a-z][a-z-]*))(=.*)?$/s.exec(word) ?? [];
    if (name === '' || flags.includes(given)) return [word];
    const meant = findRow(OPTION_SYNONYMS, name)?.[1].find((one) => flags.includes(one.split(' ')[0]!));
    if (meant !== undefined) {
      const words = meant.split(' ');
      return [...words.slice(0, -1), `${words.at(-1)}${value}`];
    }
    const choosing = Object.entries(fields).filter(([, field]) => canBe(field, name));
    const [only] = choosing.length === 1 && value === '' ? choosing : [];
    if (only?.[1].argument) return [name];
    return only ? [`--${only[1].option ?? toKebabCase(only[0])}`, name] : [word];
  };
  return [...typed.slice(0, end).flatMap(resolveOption), ...typed.slice(end)];
}

const canBe = (field: Field, value: string): boolean =>
  (field.kind === 'choice' ? field.choices : (field.suggestions ?? [])).includes(value);

/** Replaces an action by its real name. Throws `usage` with what to do for one that does not exist. */
export function resolveAction({ name, fields }: Pick<CommandSpec, 'name' | 'fields'>, raw: Raw): Raw {
  const { action } = fields;
  if (action?.kind !== 'choice' || typeof raw.action !== 'string') return raw;
  const answers = ACTION_ANSWERS.filter(([command]) => command === name);
  const hint = findRow(
    answers.map(([, ...row]) => row),
    raw.action,
  )?.[1];
  if (hint !== undefined) throw new CouncilError('usage', `There is no "${name} ${raw.action}".`, { hint });
  const meant = Object.hasOwn(ACTION_SYNONYMS, raw.action) ? ACTION_SYNONYMS[raw.action] : undefined;
  const isMeant = !action.choices.includes(raw.action) && action.choices.some((one) => one === meant);
  return isMeant ? { ...raw, action: meant } : raw;
}

/** Returns advice for a word that is no command; undefined if there is none. */
export const findAnswer = (word: string): string | undefined => findRow(ANSWERS, word)?.[1];

/**
 * Returns advice for an unknown option, such as model; undefined if there is none. `known`: the command's
 * flags.
 */
export function findOptionAnswer(option: string, known: readonly string[]): string | undefined {
  const answer = findRow(OPTIONS, option)?.[1];
  const meant = option.length === 1 ? known.filter((one) => one.startsWith(`--${option}`)) : [];
  return answer ?? (meant.length === 0 ? undefined : `Options are written out: ${meant.join(', ')}`);
}

const findRow = <Row extends readonly [string, ...unknown[]]>(
  table: readonly Row[],
  word: string,
): Row | undefined => table.find(([words]) => words.split(' ').includes(word));

/** Returns commander's error message, without a suggestion that is not close. */
export function readRefusal({ code, message }: { code: string; message: string }, command = ''): string {
  if (code === 'commander.help') return `unknown command '${command}'`;
  const said = message.replace(/^error: /, '');
  const [, given = '', guess] = /'-*([^'=]*).*\n\(Did you mean -*([^?]+)\?\)/.exec(said) ?? [];
  return guess !== undefined && findNearest(given, [guess]) === undefined ? said.replace(/\n[^]*/, '') : said;
}
