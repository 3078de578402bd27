// Use case `modes`: lists the modes or shows one.
import { CouncilError, catchRefusal } from '../base/errors.ts';
import type { Mode } from '../council/state/mode.ts';
import { tellOfCopy } from '../store/census.ts';
import type { App, Result } from './app.ts';
import type { ModesInput } from './input/project.ts';
import { listCopiedModes, findModes, createModeLoader, readMode } from './modes.ts';
import { openWorkspaceHere } from './workspace.ts';

/** A mode without its prompts. */
export type ModeFacts = Omit<Mode, 'prompts'> & { path: string };

export type ModesDocument =
  | (Mode & { path: string | undefined })
  | { modes: ModeFacts[]; problems: { path: string; message: string }[] };

/** Lists the modes of this project, or shows one with the text of its file. Throws `unknown_mode`. */
export async function listModes(
  app: App,
  { mode: name }: ModesInput,
): Promise<Result<ModesDocument> & { text?: string }> {
  const { project } = openWorkspaceHere(app);
  const files = findModes(project);
  if (name !== undefined) {
    const file = files.find((one) => one.name === name);
    return { document: { ...createModeLoader(project)(name), path: file?.path }, text: file?.text ?? '' };
  }
  const problems: { path: string; message: string }[] = [];
  const found = files.flatMap((file): ModeFacts[] => {
    const mode = catchRefusal(() => readMode(file));
    if (mode instanceof CouncilError) {
      problems.push({ path: file.path, message: mode.message });
      return [];
    }
    const { prompts: _prompts, ...facts } = mode;
    return [{ ...facts, path: file.path }];
  });
  for (const { path, message } of problems)
    app.note(message.includes(path) ? message : `${path}: ${message}`);
  for (const copy of listCopiedModes(project)) app.note(tellOfCopy(copy));
  return { document: { modes: found, problems } };
}
