// Parses the command line, also an imprecise one, runs one of the given commands and prints its result.
import { CommanderError } from 'commander';
import { CouncilError, EXIT_CODES } from '../core/base/errors.ts';
import { checkText } from '../core/app/input/check-text.ts';
import type { CallName } from '../server/remote/calls.ts';
import { requirePermission } from '../core/app/permissions.ts';
import { FEATURES } from '../features.ts';
import { renderFirstScreen } from '../core/cli/help.ts';
import {
  readRefusal,
  resolveAction,
  resolveCommand,
  findAnswer,
  findOptionAnswer,
  isQuestion,
  resolveOptions,
} from '../core/cli/other-names.ts';
import { createProcessCli } from '../core/cli/io.ts';
import { hasPipedWithin, isFedByShell } from '../core/cli/stdin.ts';
import { printError, printOutcome, tellError } from '../core/cli/print.ts';
import { fitCli, foldForTerminal, isTerminal, writeOut } from '../core/cli/stdout.ts';
import { explainLocalAction, ELSEWHERE, createNotHereError, explainHere } from '../core/cli/spec.ts';
import { takeFileArguments } from '../core/cli/read-text.ts';
import type { CommandSpec } from '../core/cli/spec.ts';
import { buildProgram, findSpec, HELP_FLAGS, listFlags } from './build-program.ts';
import type { HelpWords } from './build-program.ts';
import { quoteShellWord } from '../core/base/text.ts';

/** Parses the arguments, runs one command of `specs`, and prints its outcome. Returns the exit code. */
export async function runCommand(given: string[], specs: readonly CommandSpec[]): Promise<number> {
  const isCommand = (name: string): boolean => findSpec(specs, name) !== undefined;
  // Piped input without arguments is a question.
  const isPipedAlone = given.length === 0 && isFedByShell() && (await hasPipedWithin(noteLine));
  const typed = isPipedAlone ? ['ask'] : moveCommandFirst(given, isCommand);
  const argv = resolveOwnOptions(resolveCommand(typed, isCommand), specs);
  // Errors are printed in the requested format even if the arguments are invalid.
  const json = argv.includes('--json') && !argv.slice(0, argv.indexOf('--json')).includes('--');
  let exitCode = 0;
  // Otherwise, Node would print the raw error.
  process.on('uncaughtException', (error) => process.exit(printError(error, json)));
  const words = await loadHelpWords(typed);
  if (typed.length === 0 || (typed.length === 1 && FIRST_SCREEN.includes(typed[0]!))) {
    const columns = (isTerminal() && process.stdout.columns) || 80;
    writeOut(
      await foldForTerminal(
        renderFirstScreen(
          specs.map(({ name }) => name),
          columns,
          words.say,
        ),
      ),
    );
    return typed.length === 0 ? EXIT_CODES.usage : 0;
  }
  const program = buildProgram(argv[0], specs, words, async (spec, raw, root, server) => {
    if (root !== undefined) checkText('The option --root', root, { line: false, file: 'cmdline' });
    const cli = await fitCli(createProcessCli({ json, root, features: FEATURES }));
    if (ELSEWHERE.includes(spec.name)) cli.serverUrl = server ?? (cli.env.COUNCIL_SERVER || undefined);
    const here = explainLocalAction(spec.name, cli.env.COUNCIL_SERVER);
    if (here !== undefined) cli.note(here);
    const permitted = requirePermission(
      cli,
      spec,
      takeFileArguments(cli, spec.fields, resolveAction(spec, raw)),
    );
    cli.turn = permitted.turn;
    const { serverUrl } = cli;
    // Set only for commands that a server can perform.
    if (serverUrl !== undefined)
      cli.server = async () =>
        (await import('../server/commands/elsewhere.ts')).performAtServer(
          cli,
          serverUrl,
          spec.name as CallName,
          spec.fields,
          permitted.raw,
        );
    const outcome = await spec.run(cli, permitted.raw).catch(async (error: unknown) => {
      if (here !== undefined && error instanceof CouncilError && error.code === 'no_project')
        throw createNotHereError(spec.name, error);
      if (
        cli.server &&
        cli.serverUrl !== undefined &&
        (error instanceof TypeError || error instanceof RangeError)
      )
        throw (await import('../server/remote/post-json.ts')).createOddAnswerError(cli.serverUrl, error);
      const isGone = error instanceof CouncilError && error.code === 'unknown_council';
      throw isGone && !cli.server
        ? await (await import('../core/app/find-deliberation.ts')).mentionArchive(cli, error, spec.name)
        : error;
    });
    exitCode = await printOutcome(outcome, json);
  });
  const reportFailure = async (error: unknown): Promise<number> => {
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
      return await reportFailure(new CouncilError('usage', said, { hint }));
    }
    return await reportFailure(error);
  }
}

const noteLine = (line: string): void => writeOut(`${line}\n`, 2);

/** Loads the French help words only if help is requested in French, so that other calls do not pay for it. */
async function loadHelpWords(argv: readonly string[]): Promise<HelpWords> {
  const isHelp = argv.length === 0 || argv.some((one) => FIRST_SCREEN.includes(one));
  const { readErrorLanguage } = await import('../core/app/language.ts');
  if (!isHelp || (await readErrorLanguage(argv)) !== 'fr') return { say: String, sayOption: String };
  const { toFrenchHelp, toFrenchOption } = await import('./help/french.ts');
  return { say: toFrenchHelp, sayOption: toFrenchOption };
}

/** Arguments that show the first screen of the help. */
const FIRST_SCREEN = ['help', ...HELP_FLAGS];

/** Returns the command that was probably meant, or undefined if that is unclear. */
function suggestMeantCommand(
  { code, message }: CommanderError,
  argv: readonly string[],
  spec: CommandSpec | undefined,
): string | undefined {
  const [called = ''] = argv;
  if (!spec) {
    const question = argv.find(isQuestion);
    const answer = findAnswer(called === 'help' ? (argv[1] ?? '') : called);
    return question === undefined
      ? answer
      : `A question goes to ask: council ask ${quoteShellWord(question)}`;
  }
  if (code === 'commander.unknownOption') {
    const [, option = ''] = /'-*([^'=]*)/.exec(message) ?? [];
    return option === 'server' ? explainHere(spec.name) : findOptionAnswer(option, listFlags(spec));
  }
  if (code === 'commander.missingArgument') return `For example: ${spec.examples[0]}`;
  if (code !== 'commander.excessArguments') return undefined;
  if (spec.fields.topic)
    return `Put the question in quotes, seats behind --agents and files behind --file: council ${called} "Build or buy?" --agents claude,codex --file offer.md`;
  if (spec.fields.output)
    return `The file is named by: council ${called} ${argv[1]} --output ${quoteShellWord(argv[2] ?? 'page.html')}`;
  if (called === 'list') return `Look for words with: council search ${quoteShellWord(argv[1] ?? 'WORDS')}`;
  if (spec.fields.text?.kind === 'document')
    return `The text goes on standard input or with --file: council ${called} ${argv[1]} --file answer.md`;
  const isNamed = spec.fields.name !== undefined && spec.fields.name.argument !== true;
  if (isNamed) return `Name a council with --name. See: council ${called} --help`;
  const takesWords = Object.values(spec.fields).some((field) => field.argument === true);
  return takesWords ? undefined : `For example: ${spec.examples[0]}`;
}

/** Moves options before the command behind it; the word after an option may be its value. */
function moveCommandFirst(argv: string[], isCommand: (name: string) => boolean): string[] {
  let at = 0;
  while (argv[at]?.startsWith('-')) {
    const isAlone = argv[at] === '--json' || argv[at]!.includes('=');
    const next = argv[at + 1] ?? '';
    at += isAlone || (argv[at] !== '--root' && (next.startsWith('-') || isCommand(next))) ? 1 : 2;
  }
  return at === 0 || at >= argv.length ? argv : [argv[at]!, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** Replaces alternative option names with those of the command. */
function resolveOwnOptions(argv: string[], specs: readonly CommandSpec[]): string[] {
  const spec = findSpec(specs, argv[0]);
  return spec ? resolveOptions(argv, spec.fields, listFlags(spec)) : argv;
}
