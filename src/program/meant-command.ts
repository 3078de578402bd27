// What was meant by a command line: options before the command and by other names, and what is said of one that is refused.
import type { CommanderError } from 'commander';
import { shellWord } from '../core/base/text.ts';
import { findAnswer, findOptionAnswer, isQuestion, understandOptions } from '../core/cli/other-names.ts';
import { explainHere } from '../core/cli/spec.ts';
import type { CommandSpec } from '../core/cli/spec.ts';
import { findSpec, listFlags } from './build-program.ts';

/** The command that was meant, where that can be told; undefined where it cannot. */
export function suggestMeantCommand(
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
  if (spec.fields.output)
    return `The file is named by: council ${called} ${argv[1]} --output ${shellWord(argv[2] ?? 'page.html')}`;
  if (called === 'list') return `Look for words with: council search ${shellWord(argv[1] ?? 'WORDS')}`;
  if (spec.fields.text?.kind === 'document')
    return `The text goes on standard input or with --file: council ${called} ${argv[1]} --file answer.md`;
  const isNamed = spec.fields.name !== undefined && spec.fields.name.argument !== true;
  return isNamed ? `Name a council with --name. See: council ${called} --help` : undefined;
}

/** The arguments with options that stand before the command, behind it; the word behind an option may be its value. */
export function commandFirst(argv: string[], isCommand: (name: string) => boolean): string[] {
  let at = 0;
  while (argv[at]?.startsWith('-')) {
    const isAlone = argv[at] === '--json' || argv[at]!.includes('=');
    const next = argv[at + 1] ?? '';
    at += isAlone || (argv[at] !== '--root' && (next.startsWith('-') || isCommand(next))) ? 1 : 2;
  }
  return at === 0 || at >= argv.length ? argv : [argv[at]!, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

/** The arguments with the options of their command by the names it has. */
export function understandOwnOptions(argv: string[], specs: readonly CommandSpec[]): string[] {
  const spec = findSpec(specs, argv[0]);
  return spec ? understandOptions(argv, spec.fields, listFlags(spec)) : argv;
}
