import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { mayOverlap, createPathMatcher, requirePattern } from '../../../src/team/messages/path-patterns.ts';
import { countCases } from '../../helpers/long.ts';

const matches = (pattern: string, path: string): boolean => createPathMatcher(requirePattern(pattern))(path);
const overlap = (a: string, b: string): boolean => mayOverlap(requirePattern(a), requirePattern(b));

describe('a pattern', () => {
  it.each([
    ['src', 'src/app/deep/x.ts', true],
    ['./src//app/', 'src/app/x.ts', true],
    ['src/**', 'src/.env', true],
    ['src/*', 'src/app/x.ts', true],
    ['*.ts', 'src/x.ts', false],
    ['**/*.ts', 'x.ts', true],
    ['src/{app,cli/**}/x.ts', 'src/cli/deep/x.ts', true],
    ['src/x.ts', 'src/x.tsx', false],
    ['src/[ab].ts', 'src/b.ts', true],
    ['src/[!ab].ts', 'src/b.ts', false],
    ['app/(shop)/[id]/page.tsx', 'app/(shop)/[id]/page.tsx', true],
    ['a+b/@c/$d^.md', 'a+b/@c/$d^.md', true],
    ['say "hi".md', 'say "hi".md', true],
    ['README.md', 'readme.MD', true],
    ['caf\u00e9.md', 'cafe\u0301.md', true],
    ['src', 'src2/x.ts', false],
  ])('%s stands for %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it.each([
    ['', /empty/],
    [' \t', /empty|control/],
    ['/etc/passwd', /relative/],
    ['C:/x', /relative/],
    ['~/x', /relative/],
    ['src/../../x', /outside/],
    ['{..,src}/x', /outside/],
    ['.{.,x}/y', /outside/],
    ['src\\x', /backslash/],
    ['a\u001b[2Jb', /control/],
    ['a\u202eb', /control/],
    ['!src', /not meant/],
    ['.', /whole project/],
    ['v{1..9}', /range/],
    ['[[:alpha:]]', /by name/],
    ['{a,b}'.repeat(7), /more than 64/],
    ['x'.repeat(257), /more than 256/],
  ])('%j is refused', (pattern, why) => {
    expect(() => requirePattern(pattern)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(why) as string }),
    );
  });

  it('of many stars takes no time', () => {
    const [stars, path] = ['*a'.repeat(60), `${'a'.repeat(200)}b`];
    expect(matches(stars, path)).toBe(false);
    expect(overlap(stars, 'a*'.repeat(60))).toBe(true);
  });
});

describe('two patterns', () => {
  it.each([
    ['src/**', 'src/app/x.ts', true],
    ['src', 'src/app/*.ts', true],
    ['src/*.ts', 'src/*.test.*', true],
    ['src/*.ts', 'src/*.md', false],
    ['src/**/x.ts', 'src2/x.ts', false],
    ['**/x.ts', 'src/*/x.ts', true],
    ['*', 'docs/deep', true],
    ['**', 'anything/at/all', true],
    ['a/*/c', 'a/b', true],
    ['a/?', 'a/bc', false],
    ['{src,test}/**', 'docs/**', false],
    ['{src,docs}/**', 'docs/x', true],
    ['Src/x', 'src/X', true],
    ['app/[id]/a', 'app/[id]/a', true],
    ['src/ab', 'src/a', false],
  ])('%s and %s could stand for one file: %s', (a, b, expected) => {
    expect(overlap(a, b)).toBe(expected);
    expect(overlap(b, a)).toBe(expected);
  });

  const word = fc.constantFrom(
    'a',
    'b',
    'A',
    'ß',
    '.',
    '-',
    '(',
    '|',
    '+',
    '!',
    '@',
    '$',
    '"',
    ']',
    '😀',
    ',',
  );
  const wild = fc.constantFrom('*', '**', '**/', '/**', '?', '[ab]', '[!a]', '[a-c]', '[+-9]', '[id]', '[]');
  const braces = fc.constantFrom('{a,b}', '{a/,}', '{,/b}', '{a,**}', '{', '}');
  const slash = fc.constant('/');
  const pattern = fc.array(fc.oneof(word, word, slash, wild, braces), { minLength: 1, maxLength: 7 });
  const valid = pattern.map((parts) => {
    try {
      return requirePattern(parts.join(''));
    } catch {
      return 'a';
    }
  });
  const path = fc
    .array(fc.oneof(word, slash, fc.constantFrom('[', 'id', 'c', '*', '?', '{', '}')), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) =>
      parts
        .join('')
        .split('/')
        .filter((part) => !['', '.', '..'].includes(part))
        .join('/'),
    )
    .filter((text) => text !== '');

  it('that both stand for a generated path are never told apart', () => {
    let both = 0;
    fc.assert(
      fc.property(valid, valid, fc.array(path, { minLength: 20, maxLength: 40 }), (a, b, paths) => {
        const [inA, inB] = [createPathMatcher(a), createPathMatcher(b)];
        const common = [...paths, a, b].find((one) => inA(one) && inB(one));
        if (common === undefined) return;
        both++;
        expect({ a, b, common, overlap: mayOverlap(a, b) }).toMatchObject({ overlap: true });
      }),
      { numRuns: countCases(3000) },
    );
    expect(both).toBeGreaterThan(countCases(100));
  });

  it('that the library itself matches with a path are never told apart', () => {
    const plain = fc
      .array(fc.constantFrom('a', 'b', '/', '*', '**', '?'), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join('').replace(/\*{3,}/g, '*'))
      .filter((text) => !text.startsWith('/') && text.split('/').every((part) => part !== ''));
    fc.assert(
      fc.property(plain, plain, fc.array(path, { minLength: 20, maxLength: 40 }), (a, b, paths) => {
        const [inA, inB] = [picomatch(a, { dot: true }), picomatch(b, { dot: true })];
        for (const one of paths)
          if (inA(one) && inB(one)) expect({ a, b, one, is: overlap(a, b) }).toMatchObject({ is: true });
      }),
      { numRuns: countCases(2000) },
    );
  });
});
