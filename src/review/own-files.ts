// Which changes council itself has written: the files and lines with which it prepares a project, as long as nobody has touched them.
import { join } from 'node:path';
import { parseAgent } from '../core/agents/agent.ts';
import { renderAgent } from '../core/agents/render-agent.ts';
import { PROGRAMS } from '../core/agents/runners/detect-programs.ts';
import { CouncilError } from '../core/base/errors.ts';
import { GIT_LINES } from '../core/store/local/git.ts';
import { councilTemplate, markdownFiles, packageDir } from '../core/store/local/project.ts';
import type { DiffFile } from './change.ts';

/** Whether council wrote all that is new in this file. A file with even one line more belongs to the user. */
export function isWrittenByCouncil({ path, change, hunks }: DiffFile): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter(({ mark }) => mark !== ' ');
  if (lines.some(({ mark }) => mark === '-')) return false;
  const [name = '', folder] = path.split('/').toReversed();
  if (Object.hasOwn(GIT_LINES, name)) return lines.every(({ text }) => GIT_LINES[name]!.includes(text));
  if (change !== 'added') return false;
  const text = lines.map((line) => `${line.text}\n`).join('');
  if (name === 'COUNCIL.md') return [undefined, 'en', 'fr'].some((lang) => councilTemplate(lang) === text);
  return folder === 'agents' && name.endsWith('.md') && isSeatOfProgram(text, path);
}

/** Whether an agent's file says no more than which program sits there, with which model and which persona of council's own. */
function isSeatOfProgram(text: string, path: string): boolean {
  try {
    const { id, title, emoji, description, model, runner, seat, persona } = parseAgent(text, path, 'project');
    const bare = {
      id,
      title,
      emoji,
      description,
      model,
      runner,
      persona,
      ...(seat !== undefined && { seat }),
    };
    return (
      PROGRAMS.some(({ preset }) => preset === runner) &&
      (persona === '' || listOwnPersonas().some((own) => own.trimEnd().endsWith(persona))) &&
      renderAgent(bare) === text
    );
  } catch (error) {
    if (error instanceof CouncilError) return false;
    throw error;
  }
}

const listOwnPersonas = (): string[] =>
  markdownFiles(join(packageDir(), 'templates', 'personas')).map((file) => file.text ?? '');
