// Parses the command line, runs one of the commands it is given and prints its result.
import { Command as Commander, CommanderError, Help, Option } from 'commander';
import { shellWord } from '../core/base/text.ts';
import { CouncilError, EXIT_CODES } from '../core/base/errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { checkText } from '../core/app/input/check-text.ts';
import type { Raw } from '../core/app/input/fields.ts';
import type { CallName } from '../server/remote/calls.ts';
import { requirePermission } from '../core/app/permissions.ts';
import { FEATURES } from '../features.ts';
import { findHelpGroup, foldAfterword, renderFirstScreen } from '../core/cli/help.ts';
import {
  readRefusal,
  findAnswer,
  findOptionAnswer,
  isQuestion,
  understandAction,
  understandCommand,
  understandOptions,
} from '../core/cli/other-names.ts';
import { processCli } from '../core/cli/io.ts';
import { isFedByShell } from '../core/cli/stdin.ts';
import { printError, printOutcome, tellError } from '../core/cli/print.ts';
import { fitCli, foldForTerminal, isTerminal, writeOut } from '../core/cli/stdout.ts';
import { actsHere, ELSEWHERE, explainHere, notHere } from '../core/cli/performed.ts';
import { renderArgumentSyntax, listOptions, collectRawInput } from '../core/cli/options.ts';
import type { OptionSpec } from '../core/cli/options.ts';
import { takeFileArguments } from '../core/cli/read-text.ts';
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

/** Parses the arguments, runs one command of `specs`, prints what it hands back. Returns the exit code. */
export async function runCommand(given: string[], specs: readonly CommandSpec[]): Promise<number> {
  const isCommand = (name: string): boolean => findSpec(specs, name) !== undefined;
  // What is piped in without a word is a question.
  const typed = given.length === 0 && isFedByShell() ? ['ask'] : commandFirst(given, isCommand);
  const argv = understandOwnOptions(understandCommand(typed, isCommand), specs);
  // Errors go out in the form that was asked for, also when the arguments themselves are wrong.
  const json = argv.includes('--json') && !argv.slice(0, argv.indexOf('--json')).includes('--');
  let exitCode = 0;
  // Node would print what was thrown as it is.
  process.on('uncaughtException', (error) => process.exit(printError(error, json)));
  if (typed.length === 0 || (typed.length === 1 && FIRST_SCREEN.includes(typed[0]!))) {
    const columns = (isTerminal() && process.stdout.columns) || 80;
    writeOut(
      await foldForTerminal(
        renderFirstScreen(
          specs.map(({ name }) => name),
          columns,
        ),
      ),
    );
    return typed.length === 0 ? EXIT_CODES.usage : 0;
  }
  const program = buildProgram(argv[0], specs, async (spec, raw, root, server) => {
    if (root !== undefined) checkText('The option --root', root, { line: false, file: 'cmdline' });
    const cli = await fitCli(processCli({ json, root, features: FEATURES }));
    if (ELSEWHERE.includes(spec.name)) cli.serverUrl = server ?? (cli.env.COUNCIL_SERVER || undefined);
    const here = actsHere(spec.name, cli.env.COUNCIL_SERVER);
    if (here !== undefined) cli.note(here);
    const permitted = requirePermission(
      cli,
      spec,
      takeFileArguments(cli, spec.fields, understandAction(spec.fields, raw)),
    );
    cli.turn = permitted.turn;
    const { serverUrl } = cli;
    // Set for those commands only that are calls.
    if (serverUrl !== undefined)
      cli.server = async () =>
        (await import('../server/commands/elsewhere.ts')).asksServer(
          cli,
          serverUrl,
          spec.name as CallName,
          spec.fields,
          permitted.raw,
        );
    const outcome = await spec.run(cli, permitted.raw).catch(async (error: unknown) => {
      if (here !== undefined && error instanceof CouncilError && error.code === 'no_project')
        throw notHere(spec.name, error);
      if (
        cli.server &&
        cli.serverUrl !== undefined &&
        (error instanceof TypeError || error instanceof RangeError)
      )
        throw (await import('../server/remote/post-json.ts')).oddAnswer(cli.serverUrl, error);
      const isGone = error instanceof CouncilError && error.code === 'unknown_council';
      throw isGone && !cli.server
        ? await (await import('../core/app/archive-hint.ts')).withArchive(cli, error, spec.name)
        : error;
    });
    exitCode = await printOutcome(outcome, json);
  });
  const failed = async (error: unknown): Promise<number> => {
    const { withInvitationHint } = await import('../server/commands/elsewhere.ts');
    const { readErrorLanguage } = await import('../core/app/language.ts');
    const said = withInvitationHint(error, argv, process.env.COUNCIL_TOKEN);
    return tellError(said, { json, lang: await readErrorLanguage(argv) });
  };
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      const message = readRefusal(error, argv[1]);
      const spec = findSpec(specs, argv[0]);
      const hint =
        suggestMeantCommand(error, argv, spec) ?? `See: council ${spec ? `${argv[0]} --help` : 'help'}`;
      const said = hint.startsWith('See') ? message : message.replace(/\n[^]*/, '');
      return await failed(new CouncilError('usage', said, { hint }));
    }
    return await failed(error);
  }
}

/** The command that was meant, where that can be told; undefined where it cannot. */
function suggestMeantCommand(
  { code, message }: CommanderError,
  argv: readonly string[],
  spec: CommandSpec | undefined,
): string | undefined {
  const [called = ''] = argv;
  if (!spec) {
    const question = argv.find(isQuestion);
    const answer = findAnswer(called === 'help' ? (argv[1] ?? '') : called);
    return question === undefined ? answer : `A question goes to ask: council ask ${shellWord(question)}`;
  }
  if (code === 'commander.unknownOption') {
    const [, option = ''] = /'-*([^'=]*)/.exec(message) ?? [];
    return option === 'server' ? explainHere(spec.name) : findOptionAnswer(option, listFlags(spec));
  }
  if (code === 'commander.missingArgument') return `For example: ${spec.examples[0]}`;
  if (code !== 'commander.excessArguments') return undefined;
  if (spec.fields.topic)
    return `Put the question in quotes, seats behind --agents and files behind --file: council ${called} "Build or buy?" --agents claude,codex --file offer.md`;
  if (called === 'list') return `Look for words with: council search ${shellWord(argv[1] ?? 'WORDS')}`;
  if (spec.fields.text?.kind === 'document')
    return `The text goes on standard input or with --file: council ${called} ${argv[1]} --file answer.md`;
  const isNamed = spec.fields.name !== undefined && spec.fields.name.argument !== true;
  return isNamed ? `Name a council with --name. See: council ${called} --help` : undefined;
}

const HELP_FLAGS = ['--help', '-h'];
/** What asks for the first screen of the help. */
const FIRST_SCREEN = ['help', ...HELP_FLAGS];

/** The arguments with options that stand before the command, behind it; the word behind an option may be its value. */
function commandFirst(argv: string[], isCommand: (name: string) => boolean): string[] {
  let at = 0;
  while (argv[at]?.startsWith('-')) {
    const isAlone = argv[at] === '--json' || argv[at]!.includes('=');
    const next = argv[at + 1] ?? '';
    at += isAlone || (argv[at] !== '--root' && (next.startsWith('-') || isCommand(next))) ? 1 : 2;
  }
  return at === 0 || at >= argv.length ? argv : [argv[at]!, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

function understandOwnOptions(argv: string[], specs: readonly CommandSpec[]): string[] {
  const spec = findSpec(specs, argv[0]);
  return spec ? understandOptions(argv, spec.fields, listFlags(spec)) : argv;
}

const listFlags = (spec: CommandSpec): string[] => [
  ...[...listOptions(spec.fields), ...listCommonOptions(spec)].map(({ flags }) => flags),
  ...HELP_FLAGS,
];

type Run = (
  spec: CommandSpec,
  raw: Raw,
  root: string | undefined,
  server: string | undefined,
) => Promise<void>;

/** The parser. Only the command that is called is declared, if there is one: declaring all of them costs more than the call. */
function buildProgram(called: string | undefined, specs: readonly CommandSpec[], run: Run): Commander {
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
    .configureHelp({ formatItem: narrowOrNot, minWidthToWrap: 20 })
    .addHelpText('after', () => foldAfterword(usual));
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
    for (const option of [...listOptions(spec.fields), ...listCommonOptions(spec)])
      command.addOption(asOption(option));
    command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  $ ${line}`).join('\n')}`);
    // Commander hands over the arguments, then the options, then the command itself.
    command.action((...given: (string | string[] | undefined)[]) => {
      const options: { root?: string; server?: string } = command.opts();
      const { root, server } = options;
      return run(spec, collectRawInput(spec.fields, given.slice(0, -2), { ...options }), root, server);
    });
  }
  return program;
}

/** Beside what it explains an explanation needs so many columns; with less it stands below. */
const LEAST_COLUMNS = 30;
const usual = new Help();

function narrowOrNot(
  this: Help,
  ...[term, termWidth, description, helper]: Parameters<Help['formatItem']>
): string {
  const width = this.helpWidth ?? 80;
  if (description === '' || width - termWidth - 4 >= LEAST_COLUMNS)
    return usual.formatItem.call(this, term, termWidth, description, helper);
  return `  ${term}\n      ${helper.boxWrap(description, width - 6).replaceAll('\n', '\n      ')}`;
}

function asOption({ flags, help, repeat, once, bare }: OptionSpec): Option {
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
  if (repeat) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

const findSpec = (specs: readonly CommandSpec[], name: string | undefined): CommandSpec | undefined =>
  specs.find((spec) => spec.name === name);
