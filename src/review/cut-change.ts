// Cuts a change that is too large for one prompt into parts, by whole files and whole hunks.
import { renderFile } from './brief.ts';
import type { Change, DiffFile, DiffHunk } from './change.ts';

/** Bytes of a part as it stands in a prompt: about forty thousand tokens. */
export const PART_BYTES = 160 * 1024;

/**
 * The files of a change in parts of at most `limit` bytes each. A file that is larger is cut between its hunks, and a hunk that is
 * larger between its lines: nothing is left out.
 */
export function cutChange({ files }: Pick<Change, 'files'>, limit = PART_BYTES): DiffFile[][] {
  const parts: DiffFile[][] = [];
  let room = 0;
  for (const piece of files.flatMap((file) => cutFile(file, limit))) {
    const bytes = measureFile(piece);
    if (parts.length === 0 || bytes > room) {
      parts.push([]);
      room = limit;
    }
    room -= bytes;
    const part = parts.at(-1)!;
    const last = part.at(-1);
    // A file that became a link is two: one deleted, one added.
    if (last?.path === piece.path && last.change === piece.change) last.hunks.push(...piece.hunks);
    else part.push({ ...piece, hunks: [...piece.hunks] });
  }
  return parts;
}

const measureFile = (file: DiffFile): number => Buffer.byteLength(renderFile(file));

function cutFile(file: DiffFile, limit: number): DiffFile[] {
  if (measureFile(file) <= limit) return [file];
  return file.hunks.flatMap((hunk) => cutHunk(hunk, limit)).map((hunk) => ({ ...file, hunks: [hunk] }));
}

/** Two halves until each has room; a single line has no halves. */
function cutHunk(hunk: DiffHunk, limit: number): DiffHunk[] {
  const { lines } = hunk;
  const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 12, 0);
  if (bytes <= limit || lines.length < 2) return [hunk];
  const half = Math.ceil(lines.length / 2);
  const [first, second] = [lines.slice(0, half), lines.slice(half)];
  const ofOld = first.filter(({ mark }) => mark !== '+').length;
  const ofNew = first.filter(({ mark }) => mark !== '-').length;
  const before = { ...hunk, oldLines: ofOld, newLines: ofNew, lines: first };
  const after = {
    oldStart: hunk.oldStart + ofOld,
    oldLines: hunk.oldLines - ofOld,
    newStart: hunk.newStart + ofNew,
    newLines: hunk.newLines - ofNew,
    lines: second,
  };
  return [...cutHunk(before, limit), ...cutHunk(after, limit)];
}
