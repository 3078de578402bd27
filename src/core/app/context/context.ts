// What is given with a question beside its text: files and a diff, read, measured and limited.
import { READ_LIMITS } from '../../base/limits.ts';
import type { App } from '../app.ts';
import type { StartInput } from '../input/council.ts';
import { LEFT_OUT } from './find-files.ts';
import type { LeftOut } from './find-files.ts';
import { shownName } from './context-item.ts';
import type { ContextItem } from './context-item.ts';
import { formatProjectPath, resolveFileScope } from './file-scope.ts';
import type { FileScope } from './file-scope.ts';
import { readFiles } from './read-files.ts';
import { requireRoom, sectionBytes } from './size-limit.ts';

/**
 * Reads what `--file` and `--diff` ask for, and says what was taken and what was left out; none when nothing was asked for.
 * Throws `usage`, `forbidden`, `not_a_file`, `invalid_text`, and `too_large` with what to leave out.
 */
export async function gatherContext(
  app: App,
  { files, diff }: Pick<StartInput, 'files' | 'diff'>,
): Promise<ContextItem[]> {
  if (files.length === 0 && diff === undefined) return [];
  const place = resolveFileScope(app);
  const items: ContextItem[] = [];
  if (files.length > 0) {
    const { findFiles } = await import('./find-files.ts');
    const { files: candidates, leftOut } = findFiles(files, place);
    const read = readFiles(candidates, place);
    items.push(...read.items);
    for (const line of [...read.notes, ...leftOutLines([...leftOut, ...read.leftOut], place)]) app.note(line);
  }
  if (diff !== undefined) {
    const { gitDiff } = await import('./git-diff.ts');
    items.push(...(await gitDiff(app, place, diff)));
  }
  requireRoom(items, sectionBytes(items));
  if (items.length > 0) app.note(summary(items));
  return items;
}

function summary(items: ContextItem[]): string {
  const parts = items.length === 1 ? '1 part' : `${items.length} parts`;
  const bytes = sectionBytes(items);
  const names = items.slice(0, 10).map(({ name }) => shownName(name));
  const more = items.length > names.length ? ` and ${items.length - names.length} more` : '';
  return `Given with the question: ${parts}, ${bytes} of at most ${READ_LIMITS.context} bytes: ${names.join(', ')}${more}.`;
}

/** One line for each reason, with the first names. */
function leftOutLines(leftOut: LeftOut[], place: FileScope): string[] {
  return Object.entries(LEFT_OUT).flatMap(([why, words]) => {
    const names = leftOut
      .filter((one) => one.why === why)
      .map(({ path }) => JSON.stringify(formatProjectPath(path, place)));
    if (names.length === 0) return [];
    const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
    return [`Left out (${words}): ${names.slice(0, 5).join(', ')}${more}.`];
  });
}
