// A change with its lines, and how it is parsed from a unified diff; lists the files that cannot be reviewed.

import type { ChangedFile, Hunk, Review, LeftOut } from './report.ts';
import { parsePatch } from 'diff';
import type { StructuredPatch } from 'diff';
import { CouncilError, describeThrown } from '../core/base/errors.ts';

/** A line of a hunk. `number` refers to the new file, for removed lines to the old one. */
export interface DiffLine {
  mark: ' ' | '+' | '-';
  number: number;
  text: string;
}

export interface DiffHunk extends Hunk {
  lines: DiffLine[];
}

export interface DiffFile extends Omit<ChangedFile, 'hunks'> {
  hunks: DiffHunk[];
}

/** The change to review, as a snapshot: the repository is not read again. */
export interface Change extends Pick<Review, 'base' | 'head' | 'title' | 'leftOut'> {
  files: DiffFile[];
  /** The description that people gave: passed to reviewers as data. */
  about?: string;
  /** Path of the archive of the review that this one continues. */
  since?: string;
}

/** Creates a hunk in which all lines of the text are new. */
export function createWholeHunk(text: string): DiffHunk {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return {
    oldStart: 0,
    oldLines: 0,
    newStart: 1,
    newLines: lines.length,
    lines: lines.map((line, at) => ({ mark: '+', number: at + 1, text: line })),
  };
}

/** A changed file as listed by `git diff --raw`. */
export interface NamedFile extends Pick<DiffFile, 'path' | 'oldPath' | 'change'> {
  isSubmodule: boolean;
}

type ReadChange = Pick<Change, 'files' | 'leftOut'>;

/**
 * Parses a diff. `names` lists its files in the same order, since the names that git writes in a diff cannot
 * always be read back; without it, names come from the diff itself. Throws `usage` if the text is not a diff.
 */
export function parseDiff(text: string, names?: readonly NamedFile[]): ReadChange {
  const patches = readPatches(text);
  if (names && names.length !== patches.length)
    throw new CouncilError('conflict', 'The files changed while they were read.', {
      hint: 'Run the same command again.',
    });
  // A text that is not a diff must not count as an empty one.
  if (!names && patches.length === 0 && text.trim() !== '')
    throw createDiffError('it names no file and has no hunk.');
  const read: ReadChange = { files: [], leftOut: [] };
  patches.forEach((patch, at) => {
    const named = names?.[at] ?? nameFile(patch);
    const reason = explainLeavingOut(patch, named);
    if (reason !== undefined) read.leftOut.push({ path: named.path, reason });
    else {
      const { isSubmodule: _, ...file } = named;
      read.files.push({ ...file, hunks: patch.hunks.map(toHunk) });
    }
  });
  return read;
}

function readPatches(text: string): StructuredPatch[] {
  try {
    return parsePatch(text).filter(
      ({ hunks, isGit, oldFileName }) => isGit || oldFileName || hunks.length > 0,
    );
  } catch (error) {
    throw createDiffError(`${describeThrown(error).trim()}.`, error);
  }
}

const createDiffError = (why: string, cause?: unknown): CouncilError =>
  new CouncilError('usage', `This is no diff that can be read: ${why}`, {
    hint: 'Give what git diff prints: git diff main..HEAD | council review --from-diff -',
    cause,
  });

function nameFile({
  oldFileName,
  newFileName,
  isCreate,
  isDelete,
  isRename,
  hunks,
}: StructuredPatch): NamedFile {
  const stripPrefix = (name = '', prefix: string): string =>
    name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const [before, after] = [stripPrefix(oldFileName, 'a/'), stripPrefix(newFileName, 'b/')];
  const isSubmodule = hunks.some(({ lines }) => lines.some((line) => /^[+-]Subproject commit /.test(line)));
  if (isDelete === true || newFileName === '/dev/null')
    return { path: before, change: 'deleted', isSubmodule };
  if (isCreate === true || oldFileName === '/dev/null') return { path: after, change: 'added', isSubmodule };
  if (isRename === true) return { path: after, oldPath: before, change: 'renamed', isSubmodule };
  return { path: after, change: 'modified', isSubmodule };
}

/** Returns why a file cannot be reviewed, or undefined if it can. */
function explainLeavingOut(
  patch: StructuredPatch,
  { isSubmodule, change }: NamedFile,
): LeftOut['reason'] | undefined {
  if (isSubmodule) return 'submodule';
  if (patch.hunks.length > 0) return undefined;
  if (patch.isBinary === true) return 'binary';
  if (change === 'renamed') return 'renamed';
  return patch.oldMode !== patch.newMode && change === 'modified' ? 'mode' : 'empty';
}

function toHunk({
  oldStart,
  oldLines,
  newStart,
  newLines,
  lines,
}: StructuredPatch['hunks'][number]): DiffHunk {
  let [before, after] = [oldStart, newStart];
  return {
    ...{ oldStart, oldLines, newStart, newLines },
    lines: lines.flatMap((line): DiffLine[] => {
      const mark = line[0] ?? ' ';
      // "\ No newline at end of file" belongs to neither side.
      if (mark !== '+' && mark !== '-' && mark !== ' ') return [];
      const number = mark === '-' ? before : after;
      if (mark !== '+') before++;
      if (mark !== '-') after++;
      return [{ mark, number, text: line.slice(1).replace(/\r$/, '').replaceAll('\0', '\uFFFD') }];
    }),
  };
}
