// Interprets imprecise command lines (options before the command, other names), and suggests what was meant.
import type { CommanderError } from 'commander';
import { quoteShellWord } from '../core/base/text.ts';
import { findAnswer, findOptionAnswer, isQuestion, resolveOptions } from '../core/cli/other-names.ts';
import { explainHere } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';
import { findSpec, listFlags } from './build-program.ts';

/** Returns the command that was probably meant, or undefined if that is unclear. */
export function suggestMeantCommand(
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
export function moveCommandFirst(argv: string[], isCommand: (name: string) => boolean): string[] {
  let at = 0;
  while (argv[at]?.startsWith('-')) {
    const isAlone = argv[at] === '--json' || argv[at]!.includes('=');
    const next = argv[at + 1] ?? '';
    at += isAlone || (argv[at] !== '--root' && (next.startsWith('-') || isCommand(next))) ? 1 : 2;
  }
  return at === 0 || at >= argv.length ? argv : [argv[at]!, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** Replaces alternative option names with those of the command. */
export function resolveOwnOptions(argv: string[], specs: readonly CommandSpec[]): string[] {
  const spec = findSpec(specs, argv[0]);
  return spec ? resolveOptions(argv, spec.fields, listFlags(spec)) : argv;
}
