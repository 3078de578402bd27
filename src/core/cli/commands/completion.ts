// Command `completion`.
import type { CompletionInput } from '../../app/input/project.ts';
import { installCompletion, detectUserShell, uninstallCompletion } from '../../app/shell-completion.ts';
import type { CompletionDocument } from '../../app/shell-completion.ts';
import { completeLine, SCRIPTS } from '../complete-line.ts';
import type { Command, CommandSpec } from '../spec.ts';

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
      return { json: document, text: removedLines(document).join('\n') };
    }
    const { document } = await installCompletion(cli, { shell, yes, script: SCRIPTS[shell] });
    return { json: document, text: installedLines(document).join('\n') };
  };

const installedLines = ({ shell, file, changed, start }: CompletionDocument): string[] => [
  `${changed ? 'Written' : 'Already there'}: ${file}`,
  ...(start === null ? [] : startLines(start)),
  ...(start === null || start.present ? [`A new ${shell} completes council.`] : []),
];

const startLines = ({ file, lines, present, changed }: NonNullable<CompletionDocument['start']>): string[] =>
  present
    ? [`${changed ? 'Added to' : 'Already in'} ${file}`]
    : [`${file} is as it was. It needs these lines (--yes adds them):`, ...lines.map((line) => `  ${line}`)];

const removedLines = ({ file, changed, start }: CompletionDocument): string[] => [
  changed ? `Removed: ${file}` : `Not there: ${file}`,
  ...(start?.changed ? [`Taken out of ${start.file}`] : []),
];
