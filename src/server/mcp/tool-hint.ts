// Says the hint of an error in the words of the tools: a client has arguments, and no command line.
import { kebab } from '../../core/app/input/fields.ts';
import type { Field, Fields } from '../../core/app/input/fields.ts';
import { callableUseCases, isCall, listCallFields } from '../remote/calls.ts';
import { FIELDS } from './council-tool-definitions.ts';

/** A command with the words behind it, up to the end of a clause. */
const COMMAND = /\bcouncil ([a-z]+)((?: (?:"[^"]*"|'[^']*'|[^\s"',.:;()]+(?:[.:][^\s"',.:;()]+)*))*)/g;
const WORDS = /"[^"]*"|'[^']*'|\S+/g;
const OPTION = /(?<![\w-])--([a-z][a-z-]*)/g;
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Rewrites a hint line by line. A command that no tool can do stays as it is: it is for a person with a command line. */
export const toolHint = (hint: string): string => hint.split('\n').map(rewriteLine).join('\n');

function rewriteLine(line: string): string {
  const said = line.replace(
    COMMAND,
    (command, name: string, rest: string) => toToolCall(name, rest.match(WORDS) ?? []) ?? command,
  );
  if (/\bcouncil [a-z]+\b/.test(said)) return said;
  return said.replace(OPTION, (_, name: string) => `the argument ${camel(name)}`);
}

/** `send`, `human`, `"Please look"`: the tool send {"to":"human","text":"Please look"}. Undefined where the tool cannot do it. */
function toToolCall(name: string, words: readonly string[]): string | undefined {
  const fields = listToolFields(name);
  if (!fields) return undefined;
  const given: Record<string, unknown> = {};
  // The recipient of a message stands before its text.
  const open = [...(name === 'send' ? ['to'] : []), ...listPlaces(name)];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const isOption = word.startsWith('--');
    const key = isOption ? findOption(fields, word.slice(2)) : open[0];
    if (key === undefined && !isOption) break;
    const field = key === undefined ? undefined : fields[key];
    if (key === undefined || !field) return undefined;
    const value = !isOption ? word : field.kind === 'flag' || words[at + 1];
    if (value === undefined || !takes(field, value)) return undefined;
    if (isOption && value !== true) at += 1;
    const list = field.kind === 'texts' && !isOption;
    if (!isOption && !list) open.shift();
    given[key] = list ? [...((given[key] as string[] | undefined) ?? []), unquote(word)] : unquote(value);
  }
  const rest = words.slice(at).map((word) => ` ${word}`);
  const input = Object.keys(given).length > 0 ? ` ${JSON.stringify(given)}` : '';
  return `the tool ${name}${input}${rest.join('')}`;
}

function listToolFields(name: string): Fields | undefined {
  if (isCall(name)) return listCallFields(name, 'mcp');
  return name === 'ask' ? FIELDS.ask : undefined;
}

/** The fields that stand on a command line without a name, in their order; also those that the tool does not have. */
const listPlaces = (name: string): string[] =>
  isCall(name)
    ? Object.entries<Field>(callableUseCases[name].fields).flatMap(([key, { argument }]) =>
        argument ? key : [],
      )
    : ['question'];

const findOption = (fields: Fields, option: string): string | undefined =>
  Object.keys(fields).find((key) => (fields[key]?.option ?? kebab(key)) === option);

/** Whether a value can be given; one such as `debate|end` stands for several. */
const takes = (field: Field, value: string | true): boolean =>
  value === true || field.kind !== 'choice' || value.split('|').every((one) => field.choices.includes(one));

const unquote = (value: string | true): string | true =>
  value === true ? value : value.replace(/^(["'])(.*)\1$/, '$2');
