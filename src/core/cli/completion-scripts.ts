// Completion scripts for bash, zsh and fish, made from the same fields as the parser and the help.
import { offeredArguments, offeredOptions, listOptions } from './options.ts';
import type { Offered } from './options.ts';
import type { CommandSpec } from './spec.ts';

/** A command as a completion knows it. */
interface Completed extends Pick<CommandSpec, 'name' | 'summary'> {
  options: { option: string; help: string; offered: Offered | undefined }[];
  args: Offered[];
}

const COMMON: Completed['options'] = [
  { option: '--json', help: 'print one JSON document on stdout', offered: undefined },
  { option: '--root', help: 'the project folder', offered: 'files' },
  { option: '--help', help: 'help for the command', offered: undefined },
];
const SCRIPTS = { bash, zsh, fish };

/** The script for one shell. */
export function completionScript(shell: keyof typeof SCRIPTS, specs: CommandSpec[]): string {
  const commands = specs.map(({ name, summary, fields }) => {
    const help = listOptions(fields).map((option) => option.help);
    const options = offeredOptions(fields).map((one, at) => ({ ...one, help: help[at] ?? '' }));
    return { name, summary, options: [...options, ...COMMON], args: offeredArguments(fields) };
  });
  const names = commands.map(({ name }) => name);
  const helped = { name: 'help', summary: 'help for a command', options: [], args: [names] };
  return SCRIPTS[shell]([...commands, helped]);
}

/** What lists the things of a project as JSON, and the key of each one that is typed. */
const LISTS = {
  agents: ['agents list', 'id'],
  councils: ['status', 'name'],
  archives: ['list', 'id'],
  channels: ['channel list', 'name'],
  tasks: ['task list', 'id'],
  approvals: ['approvals list', 'id'],
} as const;
// Where a task may stand, so may the file of a plan: files are offered beside them.
const kinds = Object.keys(LISTS) as (keyof typeof LISTS)[];

/** Every place of a command with the words that are offered there: behind an option, or as the argument of that number. */
const places = (specs: Completed[]): { place: string; offered: Offered }[] =>
  specs.flatMap(({ name, options, args }) => [
    ...options.flatMap(({ option, offered }) => (offered ? { place: `${name} ${option}`, offered } : [])),
    ...args.map((offered, at) => ({ place: `${name} ${at + 2}`, offered })),
  ]);

/** The places where the same is offered, as one pattern. */
function patterns(specs: Completed[], isOption: boolean): [string, Offered][] {
  const found = new Map<string, { offered: Offered; pattern: string[] }>();
  for (const { place, offered } of places(specs)) {
    if (/ --/.test(place) !== isOption) continue;
    const key = String(offered);
    found.set(key, { offered, pattern: [...(found.get(key)?.pattern ?? []), `"${place}"`] });
  }
  return [...found.values()].map(({ offered, pattern }) => [pattern.join('|'), offered]);
}

const isList = (offered: Offered): offered is readonly string[] => typeof offered !== 'string';
const shellWords = (offered: Offered): string =>
  isList(offered) ? offered.join(' ') : `$(_council_${offered})`;

/** Functions that print what there is in the project, one a line. */
const renderListFunctions = (): string[] =>
  kinds.map((kind) => {
    const [command, key] = LISTS[kind];
    return `_council_${kind}() { council ${command} --json 2>/dev/null | sed -n 's/^      "${key}": "\\([A-Za-z0-9._-]*\\)",*$/\\1/p'; }`;
  });

function bash(specs: Completed[]): string {
  const after = patterns(specs, true).map(([pattern, offered]) =>
    // Nothing is offered: readline does it, with files.
    offered === 'files' ? `    ${pattern}) return ;;` : `    ${pattern}) words="${shellWords(offered)}" ;;`,
  );
  const at = patterns(specs, false).flatMap(([pattern, offered]) =>
    offered === 'files' ? [] : [`    ${pattern}) words="${shellWords(offered)}" ;;`],
  );
  return [
    ...renderListFunctions(),
    '_council() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  COMPREPLY=()',
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...after,
    '    *)',
    '  case "${COMP_WORDS[1]}" in',
    ...specs.map((s) => `    ${s.name}) words="${s.options.map(({ option }) => option).join(' ')}" ;;`),
    '  esac',
    // Options are offered where no argument is known, and once one is begun.
    '  [[ "$cur" == -* ]] || case "${COMP_WORDS[1]} $COMP_CWORD" in',
    ...at,
    '  esac ;;',
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${specs.map((s) => s.name).join(' ')} --help --version"; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _council council',
  ].join('\n');
}

function zsh(specs: Completed[]): string {
  const quoted = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const offer = (offered: Offered): string =>
    offered === 'files'
      ? '_files'
      : isList(offered)
        ? `compadd ${offered.join(' ')}`
        : `compadd $(_council_${offered})${offered === 'tasks' ? '; _files' : ''}`;
  return [
    '#compdef council',
    ...renderListFunctions(),
    '_council() {',
    '  local -a commands',
    `  commands=(${specs.map((s) => `'${s.name}:${quoted(s.summary)}'`).join(' ')})`,
    '  if (( CURRENT == 2 )); then _describe command commands; return; fi',
    '  case "$words[2] $words[CURRENT-1]" in',
    ...patterns(specs, true).map(([pattern, offered]) => `    ${pattern}) ${offer(offered)}; return ;;`),
    '  esac',
    '  case "$words[2] $((CURRENT - 1))" in',
    ...patterns(specs, false).map(([pattern, offered]) => `    ${pattern}) ${offer(offered)} ;;`),
    '  esac',
    '  case "$words[2]" in',
    ...specs.flatMap((s) =>
      s.options.length === 0
        ? []
        : [`    ${s.name}) compadd -- ${s.options.map(({ option }) => option).join(' ')} ;;`],
    ),
    '  esac',
    '}',
    // Loaded by name from a folder of functions, the file is the function itself, and is called for an answer.
    'if [[ "$funcstack[1]" == _council ]]; then _council "$@"; else compdef _council council; fi',
  ].join('\n');
}

function fish(specs: Completed[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const values = (offered: Offered): string =>
    isList(offered) ? `'${offered.join(' ')}'` : `'(_council_${offered})'`;
  const seen = (name: string): string => `complete -c council -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...kinds.map((kind) => {
      const [command, key] = LISTS[kind];
      return `function _council_${kind}; council ${command} --json 2>/dev/null | string replace -rf '^      "${key}": "([A-Za-z0-9._-]*)",?$' '$1'; end`;
    }),
    ...specs.flatMap((s) => [
      `complete -c council -n __fish_use_subcommand -a ${s.name} -d ${quoted(s.summary)}`,
      ...s.options.map(({ option, help, offered }) => {
        const value = offered === undefined ? '' : offered === 'files' ? ' -r' : ` -x -a ${values(offered)}`;
        return `${seen(s.name)} -l ${option.slice(2)}${value} -d ${quoted(help)}`;
      }),
      ...s.args.flatMap((offered) =>
        offered === 'files'
          ? []
          : [`${seen(s.name)}${offered === 'tasks' ? '' : ' -f'} -a ${values(offered)}`],
      ),
    ]),
  ].join('\n');
}
