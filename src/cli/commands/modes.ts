import { oneLine } from '../../base/text.ts';
import { CouncilError } from '../../base/errors.ts';
import { findModes, modeLoader, readMode } from '../../app/modes.ts';
import type { LegacyCommand } from '../spec.ts';
import { openWorkspace } from '../../app/workspace.ts';
import { formatDuration } from '../../base/duration.ts';

export const modesCommand: LegacyCommand = async (cli, [name]) => {
  const workspace = openWorkspace(cli);
  if (name !== undefined) {
    const mode = modeLoader(workspace.project)(name);
    const file = findModes(workspace.project).find((m) => m.name === name);
    return { json: { ...mode, path: file?.path }, text: file?.text ?? '' };
  }
  const problems: { path: string; message: string }[] = [];
  const modes = findModes(workspace.project).flatMap((file) => {
    try {
      return [{ ...readMode(file), path: file.path }];
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      problems.push({ path: file.path, message: error.message });
      return [];
    }
  });
  for (const { path, message } of problems)
    cli.note(message.includes(path) ? message : `${path}: ${message}`);
  return {
    json: { modes: modes.map(({ prompts: _prompts, ...facts }) => facts), problems },
    text: modes
      .map(
        (m) =>
          `${m.name.padEnd(10)} ${m.phases.join(' > ')}, ${formatDuration(m.timeout)} a phase\n           ${oneLine(m.description, 1000)}`,
      )
      .join('\n'),
  };
};
