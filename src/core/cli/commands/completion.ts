// Command `completion`: the completions for the Tab key, and each shell's script that queries them.
import type { CompletionInput } from '../../app/input/project.ts';
import { installCompletion, detectUserShell, uninstallCompletion } from '../../app/shell-completion.ts';
import type { CompletionDocument } from '../../app/shell-completion.ts';
import type { Command, CommandSpec } from '../spec.ts';
import { listOptions, listOfferedArguments } from '../options.ts';
import type { OfferedValues } from '../options.ts';
import type { Cli } from '../io.ts';

export const createCompletionCommand =
  (specs: CommandSpec[]): Command<CompletionInput> =>
  async (cli, { action, shell: named, yes, line }) => {
    if (action !== 'install' && action !== 'uninstall') {
      const script = SCRIPTS[action];
      if (line === undefined) return { json: { shell: action, script }, text: script };
      const offered = await completeLine(cli, specs, line);
      const between = action === 'zsh' ? ':' : '\t';
      const lines = offered.map(({ word, help }) => (help === undefined ? word : `${word}${between}${help}`));
      return { json: { shell: action, offered }, text: lines.join('\n') };
    }
    const shell = named ?? detectUserShell(cli.env);
    if (action === 'uninstall') {
      const { document } = await uninstallCompletion(cli, shell);
      return { json: document, text: renderRemovedLines(document).join('\n') };
    }
    const { document } = await installCompletion(cli, { shell, yes, script: SCRIPTS[shell] });
    return { json: document, text: renderInstalledLines(document).join('\n') };
  };

const renderInstalledLines = ({ shell, file, changed, start }: CompletionDocument): string[] => [
  `${changed ? 'Written' : 'Already there'}: ${file}`,
  ...(start === null ? [] : startLines(start)),
  ...(start === null || start.present ? [`A new ${shell} completes council.`] : []),
];

const startLines = ({ file, lines, present, changed }: NonNullable<CompletionDocument['start']>): string[] =>
  present
    ? [`${changed ? 'Added to' : 'Already in'} ${file}`]
    : [`${file} is as it was. It needs these lines (--yes adds them):`, ...lines.map((line) => `  ${line}`)];

const renderRemovedLines = ({ file, changed, start }: CompletionDocument): string[] => [
  changed ? `Removed: ${file}` : `Not there: ${file}`,
  ...(start?.changed ? [`Taken out of ${start.file}`] : []),
];

/** Every shell passes the line up to the cursor to council, and offers the words it prints; if none, files. */
const SCRIPTS = {
  bash: String.raw`_council() {
  local IFS=$'\n' line="$(IFS=' '; echo "${'$'}{COMP_WORDS[*]:0:COMP_CWORD+1}")"
  COMPREPLY=($(council completion bash --line "$line" 2>/dev/null | cut -f1))
}
complete -o default -F _council council`,
  // If loaded by name from a function folder, the file is the function itself, and is called for completions.
  zsh: String.raw`#compdef council
_council() {
  local -a offered
  offered=(${'$'}{(f)"$(council completion zsh --line "$words[1,CURRENT]" 2>/dev/null)"})
  if (( $#offered )); then _describe council offered; else _files; fi
}
if [[ "$funcstack[1]" == _council ]]; then _council "$@"; else compdef _council council; fi`,
  fish: String.raw`function __council
  set -l offered (council completion fish --line (commandline -cp | string collect) 2>/dev/null)
  if set -q offered[1]; printf '%s\n' $offered; else; __fish_complete_path (commandline -ct); end
end
complete -c council -f -a '(__council)'`,
};

interface OfferedWord {
  word: string;
  help?: string;
}

const toWords = (words: readonly string[]): OfferedWord[] => words.map((word) => ({ word }));

const COMMON: OfferedWord[] = [
  { word: '--json', help: 'print one JSON document on stdout' },
  { word: '--root', help: 'the project folder' },
  { word: '--help', help: 'help for the command' },
];

/** Returns the completions of a line's last word; empty for a file or free text. */
async function completeLine(cli: Cli, specs: readonly CommandSpec[], line: string): Promise<OfferedWord[]> {
  const words = line.split(/\s+/);
  const typed = words.at(-1)!;
  const offered = await offerWords(cli, specs, words.slice(1, -1), typed);
  return offered.filter(({ word }) => word.startsWith(typed));
}

async function offerWords(
  cli: Cli,
  specs: readonly CommandSpec[],
  [name, ...before]: string[],
  typed: string,
): Promise<OfferedWord[]> {
  const commands = [
    ...specs.map((spec) => ({ word: spec.name, help: spec.summary })),
    { word: 'help', help: 'help for a command' },
  ];
  if (name === undefined) return typed.startsWith('-') ? toWords(['--help', '--version']) : commands;
  if (name === 'help') return commands;
  const spec = specs.find((one) => one.name === name);
  if (!spec) return [];
  const options = listOptions(spec.fields).map(({ flags, help, offered }) => ({
    word: flags.split(' ', 1)[0]!,
    help,
    offered,
  }));
  const findValues = (word: string | undefined): OfferedValues | undefined =>
    word === '--root' ? 'files' : options.find((option) => option.word === word)?.offered;
  const values = findValues(before.at(-1));
  if (values !== undefined) return listOffered(cli, specs, values);
  const position = before.filter(
    (word, at) => !word.startsWith('-') && findValues(before[at - 1]) === undefined,
  ).length;
  const argument = listOfferedArguments(spec.fields)[position];
  if (argument !== undefined && !typed.startsWith('-')) return listOffered(cli, specs, argument);
  return [...options.map(({ word, help }) => ({ word, help })), ...COMMON];
}

/** The command that lists the project's items, under their name in its document, and the key to complete. */
const LISTS = {
  agents: ['agents', 'id'],
  councils: ['status', 'name'],
  archives: ['list', 'id'],
  channels: ['channel', 'name'],
  tasks: ['task', 'id'],
  approvals: ['approvals', 'id'],
} as const;

async function listOffered(
  cli: Cli,
  specs: readonly CommandSpec[],
  offered: OfferedValues,
): Promise<OfferedWord[]> {
  if (offered === 'files') return [];
  if (typeof offered !== 'string') return toWords(offered);
  const [command, key] = LISTS[offered];
  const spec = specs.find(({ name }) => name === command)!;
  const { json } = await spec.run({ ...cli, json: true }, { action: 'list' });
  const things = (json as Record<string, Record<string, string>[]>)[offered] ?? [];
  // A shell may interpret other characters.
  return toWords(things.map((thing) => thing[key] ?? '').filter((word) => /^[A-Za-z0-9._-]+$/.test(word)));
}
