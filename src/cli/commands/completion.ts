// Command `completion`: shell completion scripts made from the command specs.
import type { CompletionInput } from '../../app/input/project.ts';
import { actionsOf, optionsOf } from '../options.ts';
import type { OptionSpec } from '../options.ts';
import type { Command, CommandSpec } from '../spec.ts';

/** A command as a completion knows it. */
interface Completed extends Pick<CommandSpec, 'name' | 'summary'> {
  actions: readonly string[];
  options: OptionSpec[];
}

const words = (options: OptionSpec[]): string[] => options.map(({ flags }) => flags.split(' ')[0]!);
const COMMON = ['--json', '--root', '--help'];
const SCRIPTS = { bash, zsh, fish };

/** Completion scripts are made from the same fields as the parser and the help. */
export const completionOf =
  (specs: CommandSpec[]): Command<CompletionInput> =>
  async (_cli, { shell }) => {
    const commands = specs.map(({ name, summary, fields }) => ({
      name,
      summary,
      actions: actionsOf(fields),
      options: optionsOf(fields),
    }));
    const script = SCRIPTS[shell](commands);
    return { json: { shell, script }, text: script };
  };

/** Every option that has known values, as "command --option" and the values. */
const valued = (specs: Completed[]): { place: string; values: readonly string[] }[] =>
  specs.flatMap(({ name, options }) =>
    options.flatMap(({ flags, values }) =>
      values ? [{ place: `${name} ${flags.split(' ')[0]}`, values }] : [],
    ),
  );

function bash(specs: Completed[]): string {
  const cases = specs.map(
    (s) => `    ${s.name}) words="${[...s.actions, ...words(s.options), ...COMMON].join(' ')}" ;;`,
  );
  return [
    '_council() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...valued(specs).map(({ place, values }) => `    "${place}") words="${values.join(' ')}" ;;`),
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${specs.map((s) => s.name).join(' ')} --help --version"; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _council council',
  ].join('\n');
}

function zsh(specs: Completed[]): string {
  const quoted = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  return [
    '#compdef council',
    '_council() {',
    '  local -a commands',
    `  commands=(${specs.map((s) => `'${s.name}:${quoted(s.summary)}'`).join(' ')})`,
    '  if (( CURRENT == 2 )); then _describe command commands; return; fi',
    '  case "$words[2] $words[CURRENT-1]" in',
    ...valued(specs).map(({ place, values }) => `    '${place}') compadd ${values.join(' ')}; return ;;`),
    '  esac',
    '  case "$words[2]" in',
    ...specs.map(
      (s) => `    ${s.name}) compadd ${[...s.actions, ...words(s.options), ...COMMON].join(' ')}; _files ;;`,
    ),
    '  esac',
    '}',
    'compdef _council council',
  ].join('\n');
}

function fish(specs: Completed[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return specs
    .flatMap((s) => [
      `complete -c council -n __fish_use_subcommand -a ${s.name} -d ${quoted(s.summary)}`,
      ...s.options.map(
        ({ flags, help, values }) =>
          `complete -c council -n '__fish_seen_subcommand_from ${s.name}' -l ${flags.split(' ')[0]!.slice(2)}${values ? ` -x -a '${values.join(' ')}'` : ''} -d ${quoted(help)}`,
      ),
      ...(s.actions.length > 0
        ? [`complete -c council -n '__fish_seen_subcommand_from ${s.name}' -a '${s.actions.join(' ')}'`]
        : []),
    ])
    .join('\n');
}
