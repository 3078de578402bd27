// Builds the command-line parser from the specs of the commands.
import { existsSync } from 'node:fs';
import { Command as Commander, CommanderError, Help, Option } from 'commander';
import { CouncilError } from '../core/base/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Raw } from '../core/app/input/fields.ts';
import { findHelpGroup, foldAfterword } from '../core/cli/help.ts';
import type { TranslateHelp } from '../core/cli/help.ts';
import { writeOut } from '../core/cli/stdout.ts';
import { ELSEWHERE } from '../core/cli/spec.ts';
import { renderArgumentSyntax, listOptions, collectRawInput } from '../core/cli/options.ts';
import type { OptionSpec } from '../core/cli/options.ts';
import type { CommandSpec } from '../core/cli/spec.ts';

const COMMON: OptionSpec[] = [
  { flags: '--json', help: 'print one JSON document on stdout' },
  { flags: '--root <dir>', help: 'the project folder (default: the nearest one upwards; COUNCIL_ROOT)' },
];

const { version } = manifest;

const SERVER = {
  flags: '--server <url>',
  help: 'have a server do it (COUNCIL_SERVER; its token: COUNCIL_TOKEN)',
};

function listCommonOptions({ name, hasEvents }: CommandSpec): OptionSpec[] {
  const common = ELSEWHERE.includes(name) ? [...COMMON, SERVER] : COMMON;
  if (!hasEvents) return common;
  const help = 'print one event a line, each a JSON object';
  return common.map((option) => (option.flags === '--json' ? { ...option, help } : option));
}

export const HELP_FLAGS = ['--help', '-h'];

export const listFlags = (spec: CommandSpec): string[] => [
  ...[...listOptions(spec.fields), ...listCommonOptions(spec)].map(({ flags }) => flags),
  ...HELP_FLAGS,
];

/** Translates texts and options of the help into the reader's language. */
export interface HelpWords {
  say: TranslateHelp;
  sayOption: TranslateHelp;
}

type CommandRunner = (
  spec: CommandSpec,
  raw: Raw,
  root: string | undefined,
  server: string | undefined,
) => Promise<void>;

/** Builds the parser. Declares only the called command, if any: declaring all of them takes longer than the call. */
export function buildProgram(
  called: string | undefined,
  specs: readonly CommandSpec[],
  words: HelpWords,
  run: CommandRunner,
): Commander {
  const program = new Commander('council')
    .description(
      'Seats AI agents and people around one Markdown file: blind answers, verified challenges, an archived decision.',
    )
    .version(version, '-V, --version', 'print the version')
    .addHelpCommand(
      new Commander('help')
        .argument('[command]')
        .description('help for a command; help all is this list')
        .helpGroup(findHelpGroup('help')),
    )
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => undefined, writeOut, writeErr: () => undefined })
    .exitOverride()
    .configureHelp({
      formatItem: formatNarrowItem,
      boxWrap: wrapBetweenWords,
      minWidthToWrap: 20,
      styleTitle: words.say,
      styleCommandDescription: words.say,
      styleSubcommandDescription: words.say,
      styleArgumentDescription: words.sayOption,
      styleOptionDescription: words.sayOption,
    })
    .addHelpText('after', () => foldAfterword(usual, words.say));
  const asked = findSpec(specs, called);
  for (const spec of asked ? [asked] : specs) {
    const command = program
      .command(spec.name)
      .summary(spec.summary)
      .helpGroup(findHelpGroup(spec.name))
      .description(spec.details ?? spec.summary)
      .exitOverride();
    if (spec.name !== called && called !== 'help') continue;
    const args = renderArgumentSyntax(spec.fields);
    if (args !== '') command.arguments(args);
    const takesFiles = spec.fields.topic !== undefined && spec.fields.files !== undefined;
    command.allowExcessArguments(takesFiles);
    for (const option of [...listOptions(spec.fields), ...listCommonOptions(spec)])
      command.addOption(asOption(option));
    command.addHelpText(
      'after',
      `\n${words.say('Examples:')}\n${spec.examples.map((line) => `  $ ${line}`).join('\n')}`,
    );
    // Commander passes the arguments, then the options, then the command itself.
    command.action((...given: (string | string[] | undefined)[]) => {
      const options: { root?: string; server?: string } = command.opts();
      const { root, server } = options;
      const raw = collectRawInput(spec.fields, given.slice(0, -2), { ...options });
      return run(spec, takesFiles ? sortArguments(spec.name, raw, command.args) : raw, root, server);
    });
  }
  return program;
}

/** Moves arguments that are files or folders behind the question to the files. Throws like commander if two others are left. */
function sortArguments(name: string, raw: Raw, words: readonly string[]): Raw {
  if (words.length < 2) return raw;
  const others = words.filter((word) => !existsSync(word));
  const [missing] = others.filter(looksLikeFile);
  // Beside a question, a name of a file can only mean that file.
  if (missing !== undefined && others.length === 2 && !others.every(looksLikeFile))
    throw new CouncilError('usage', `There is no file ${JSON.stringify(missing)}.`, {
      hint: 'Give the path of a file or folder behind the question. If it belongs to the question, put all of it in quotes.',
    });
  const [topic, second] = others;
  const message = `error: too many arguments for '${name}'. Expected 1 argument but got ${words.length}: ${words.join(', ')}.`;
  if (second !== undefined) throw new CommanderError(1, 'commander.excessArguments', message);
  const asks = topic ?? words[0];
  const files = words.filter((word) => word !== asks);
  return { ...raw, topic: asks, files: [...[raw.files ?? []].flat(), ...files] };
}

const looksLikeFile = (word: string): boolean => /^\S*[^\s.]\.\w{1,8}$|^\S*\/\S*$/.test(word);

/** French has a space before some punctuation marks, where no line may break. */
function wrapBetweenWords(this: Help, text: string, columns: number): string {
  const held = text.replace(/ (?=[:;?!»])/g, HELD);
  return usual.boxWrap.call(this, held, columns).replaceAll(HELD, ' ');
}

/** A placeholder character that occurs in no text. */
const HELD = '\uE000';

/** Minimum width of an explanation next to its term; in a narrower terminal it goes below. */
const LEAST_COLUMNS = 30;
const usual = new Help();

function formatNarrowItem(
  this: Help,
  ...[term, termWidth, description, helper]: Parameters<Help['formatItem']>
): string {
  const width = this.helpWidth ?? 80;
  if (description === '' || width - termWidth - 4 >= LEAST_COLUMNS)
    return usual.formatItem.call(this, term, termWidth, description, helper);
  return `  ${term}\n      ${helper.boxWrap(description, width - 6).replaceAll('\n', '\n      ')}`;
}

function asOption({ flags, help, repeat, joins, once, bare }: OptionSpec): Option {
  const option = new Option(flags, help);
  if (bare !== undefined) option.preset(bare);
  if (once)
    option.argParser((value: string, before: string | undefined) => {
      if (before === undefined) return value;
      throw new CouncilError(
        'usage',
        `${option.long} was given twice: ${JSON.stringify(before)} and ${JSON.stringify(value)}.`,
        {
          hint: `Give one ${option.long}. Other files that belong to a question: --file FILE, which may be repeated.`,
        },
      );
    });
  if (joins)
    option.argParser((value: string, before: string | undefined) =>
      before === undefined ? value : `${before},${value}`,
    );
  if (repeat) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

export const findSpec = (specs: readonly CommandSpec[], name: string | undefined): CommandSpec | undefined =>
  specs.find((spec) => spec.name === name);
