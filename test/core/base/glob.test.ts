import { describe, expect, it } from 'vitest';
import { parseGlob } from '../../../src/core/base/glob.ts';

const PATHS = [
  ...['a.ts', 'b.md', '.env', 'ab', 'aXb', 'a*b', 'a]b', 'src', 'é.ts'],
  ...[
    'src/a.ts',
    'src/b.tsx',
    'src/.hidden.ts',
    'src/x/y/z.ts',
    'src/.git/z.ts',
    'src/x/.a/z.ts',
    'x/src/a.ts',
  ],
  ...['test/a.test.ts', 'test/x/a.test.ts', 'aaab', 'abab', 'a/a/b', 'a/b/a/b', '.a/b', 'src/[id].ts'],
];

describe('globs', () => {
  it('stand for the paths below their base', () => {
    const meant = (pattern: string): string[] => {
      const { base, matches } = parseGlob(pattern)!;
      const start = base === '.' ? '' : `${base}/`;
      return PATHS.filter((path) => path.startsWith(start) && matches(path.slice(start.length)));
    };
    expect(meant('*.ts')).toEqual(['a.ts', 'é.ts']);
    expect(meant('src/**/*.ts')).toEqual(['src/a.ts', 'src/x/y/z.ts', 'src/[id].ts']);
    expect(meant('{src,test}/**/*.{tsx,test.ts}')).toEqual([
      'src/b.tsx',
      'test/a.test.ts',
      'test/x/a.test.ts',
    ]);
    expect(meant('.*')).toEqual(['.env']);
    expect(meant('a?b')).toEqual(['aXb', 'a*b', 'a]b']);
    expect(meant('a\\**')).toEqual(['a*b']);
    expect(meant('[ab].*')).toEqual(['a.ts', 'b.md']);
  });

  it('are what has a sign of one', () => {
    for (const plain of ['a.ts', 'src/a', '', 'a\\*b', '+(a)', '!x'])
      expect(parseGlob(plain)).toBeUndefined();
    expect(parseGlob('../x y/*.md')!.base).toBe('../x y');
    expect(parseGlob('./src/*.ts')!.base).toBe('./src');
    expect(parseGlob('/*.md')!.base).toBe('/');
    expect(parseGlob('/etc/host*')!.base).toBe('/etc');
    expect(parseGlob('*.md')!.base).toBe('.');
    expect(parseGlob('[a')!.matches('[a')).toBe(true);
    expect(['a', 'b'].map(parseGlob('[!a]*')!.matches)).toEqual([false, true]);
    expect(['a', 'b'].map(parseGlob('[^a]*')!.matches)).toEqual([false, true]);
    expect(parseGlob('[z-a]')!.matches('m')).toBe(false);
    expect(parseGlob('app/(shop)/*.tsx')!.matches('page.tsx')).toBe(true);
    expect(parseGlob('*/(shop)/a.tsx')!.matches('app/(shop)/a.tsx')).toBe(true);
    expect(parseGlob('+(a*)b')!.matches('+(aaa)b')).toBe(true);
  });

  it('refuse what is longer than anybody writes by hand', () => {
    for (const long of [`*${'a'.repeat(256)}`, `${'*a'.repeat(7)}b`, `${'**/'.repeat(60)}b`])
      expect(() => parseGlob(long)).toThrow('too long a pattern');
  });
});
