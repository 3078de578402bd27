// The lines that git needs in a project: what it must leave alone, and what it must not change.
import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { attempt } from './disk.ts';
import { readBytes } from './read.ts';

/** Folders that git must leave alone, relative to the root of a project. */
export const GIT_IGNORES = [
  ...['.versions', '.tmp', '.edits', '.quarantine', 'channels', 'presence'].map((name) => `shared/${name}`),
  'logs',
].map((path) => `memory/${path}/`);
/** What a project's files for git say of these folders, by the name of the file. */
export const GIT_LINES: Readonly<Record<string, readonly string[]>> = {
  '.gitattributes': ['memory/shared/*.md -text', 'conseils/*.md -text'],
  '.gitignore': GIT_IGNORES,
};

/** Adds the lines that are missing; says which files were extended, and what could not be done. Throws `io`. */
export function tellGit(root: string): { created: string[]; warnings: string[] } {
  const created: string[] = [];
  const warnings: string[] = [];
  for (const [name, lines] of Object.entries(GIT_LINES))
    try {
      if (addLines(join(root, name), lines)) created.push(name);
    } catch (error) {
      if (!(error instanceof CouncilError && error.code === 'not_a_file')) throw error;
      // A council can start without git; where git is used, the user must know.
      warnings.push(
        `${error.message} git does not follow links there either. Make it a file with: ${lines.join(', ')}`,
      );
    }
  return { created, warnings };
}

/** Appends the lines that a file does not have yet; false when it has them all. Follows no link, as git does not either. */
function addLines(path: string, lines: readonly string[]): boolean {
  const text = readBytes(path, { links: 'refuse' })?.toString() ?? '';
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return false;
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  append(path, `${start}${missing.join('\n')}\n`);
  return true;
}

/** By its descriptor: what has the name by then may be no file. */
function append(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  attempt('write', path, () => {
    const fd = fs.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      fs.writeSync(fd, text);
    } finally {
      fs.closeSync(fd);
    }
  });
}
