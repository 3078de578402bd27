import { CouncilError } from '../../base/errors.ts';
import type { Command, CommandSpec, OptionSpec } from '../spec.ts';

const words = (options: OptionSpec[]): string[] => options.map(({ flags }) => flags.split(' ')[0]!);
const COMMON = ['--json', '--root', '--help'];

/** Completion scripts are made from the same table as the parser and the help. */
export const completionOf =
  (specs: CommandSpec[]): Command =>
  async (_cli, [shell]) => {
    const script =
      shell === 'bash'
        ? bash(specs)
        : shell === 'zsh'
          ? zsh(specs)
          : shell === 'fish'
            ? fish(specs)
            : undefined;
    if (script === undefined)
      throw new CouncilError('usage', `There is no completion for ${JSON.stringify(shell)}.`, {
        hint: 'Shells: bash, zsh, fish.',
      });
    return { json: { shell, script }, text: script };
  };

/** Every option that has known values, as "command --option" and the values. */
const valued = (specs: CommandSpec[]): { place: string; values: readonly string[] }[] =>
  specs.flatMap(({ name, options }) =>
    options.flatMap(({ flags, values }) =>
      values ? [{ place: `${name} ${flags.split(' ')[0]}`, values }] : [],
    ),
  );

function bash(specs: CommandSpec[]): string {
  const cases = specs.map(
    (s) => `    ${s.name}) words="${[...(s.actions ?? []), ...words(s.options), ...COMMON].join(' ')}" ;;`,
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

function zsh(specs: CommandSpec[]): string {
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
      (s) =>
        `    ${s.name}) compadd ${[...(s.actions ?? []), ...words(s.options), ...COMMON].join(' ')}; _files ;;`,
    ),
    '  esac',
    '}',
    'compdef _council council',
  ].join('\n');
}

function fish(specs: CommandSpec[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return specs
    .flatMap((s) => [
      `complete -c council -n __fish_use_subcommand -a ${s.name} -d ${quoted(s.summary)}`,
      ...s.options.map(
        ({ flags, help, values }) =>
          `complete -c council -n '__fish_seen_subcommand_from ${s.name}' -l ${flags.split(' ')[0]!.slice(2)}${values ? ` -x -a '${values.join(' ')}'` : ''} -d ${quoted(help)}`,
      ),
      ...(s.actions
        ? [`complete -c council -n '__fish_seen_subcommand_from ${s.name}' -a '${s.actions.join(' ')}'`]
        : []),
    ])
    .join('\n');
}
