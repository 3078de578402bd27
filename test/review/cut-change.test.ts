import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderFile, cutChange, PART_BYTES } from '../../src/review/brief.ts';
import { createWholeHunk } from '../../src/review/change.ts';
import type { DiffFile, DiffHunk } from '../../src/review/change.ts';
import { assignParts } from '../../src/review/review-change.ts';

const text = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `const value${at} = compute(${at});`).join('\n');
const fileOf = (path: string, ...hunks: DiffHunk[]): DiffFile => ({ path, change: 'modified', hunks });

const anyFiles = fc
  .array(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((files) =>
    files.map((hunks, at) => fileOf(`f${at}.ts`, ...hunks.map((lines) => createWholeHunk(text(lines))))),
  );
const shown = (files: readonly DiffFile[]): string[] =>
  files.flatMap(({ path, hunks }) =>
    hunks.flatMap(({ lines }) =>
      lines.map(({ mark, number, text: words }) => `${path} ${mark}${number} ${words}`),
    ),
  );

describe('a change that is cut into parts', () => {
  it('keeps every line with its number, in parts that have room', () => {
    fc.assert(
      fc.property(anyFiles, fc.integer({ min: 200, max: 4000 }), (files, limit) => {
        const parts = cutChange({ files }, limit);
        expect(parts.flatMap(shown)).toEqual(shown(files));
        for (const part of parts.filter((one) => one.length > 1 || one[0]!.hunks.length > 1))
          expect(
            part.reduce((sum, file) => sum + Buffer.byteLength(renderFile(file)), 0),
          ).toBeLessThanOrEqual(limit);
        for (const { hunks } of parts.flat())
          for (const { newStart, newLines, oldLines, lines } of hunks) {
            expect(lines.filter(({ mark }) => mark !== '-')).toHaveLength(newLines);
            expect(lines.filter(({ mark }) => mark !== '+')).toHaveLength(oldLines);
            expect(lines[0]?.number).toBe(newStart);
          }
      }),
    );
  });

  it('is not cut where it has room, and by whole files where it has not', () => {
    const small = [fileOf('a.ts', createWholeHunk(text(9))), fileOf('b.ts', createWholeHunk(text(9)))];
    expect(cutChange({ files: small })).toEqual([small]);
    const large = ['a.ts', 'b.ts', 'c.ts'].map((path) => fileOf(path, createWholeHunk(text(1700))));
    const parts = assignParts(
      { base: null, head: null, title: 'x', leftOut: [], files: large },
      { failOn: 'major', focus: 'security, tests' },
    );
    expect(
      parts.map(({ change, part, parts: all, focus }) => [
        change.files.map(({ path }) => path),
        part,
        all,
        focus,
      ]),
    ).toEqual([
      [['a.ts', 'b.ts'], 1, 2, ['security', 'tests']],
      [['c.ts'], 2, 2, ['security', 'tests']],
    ]);
    expect(Buffer.byteLength(large.map(renderFile).join(''))).toBeGreaterThan(PART_BYTES);
  });
});
