import { describe, expect, it } from 'vitest';
import picomatch from 'picomatch';
import { globOf } from '../../src/base/glob.ts';

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
  it('mean what the library means by them', () => {
    for (const pattern of [
      ...['*', '*.ts', '**', '**/*', '**/*.ts', '*/*', '?.ts', 'a?b', '[ab].*', '[a-c]*'],
      ...[
        'src/**/*.ts',
        'src/**',
        '{src,test}/**/*.ts',
        'src/*.{ts,tsx}',
        '**/src/*',
        '.*',
        '**/.a/*',
        'a*b',
        '*a*b',
      ],
      ...['a/**/b', '**/a/**/b', '**/b', 'x/**/a.ts', '*/**/*.ts', '{a,b/**}/*', '**/*.test.ts'],
    ]) {
      const glob = globOf(pattern)!;
      const below = (path: string): string | undefined => {
        if (glob.base === '.') return path;
        return path.startsWith(`${glob.base}/`) ? path.slice(glob.base.length + 1) : undefined;
      };
      const ours = PATHS.filter((path) => below(path) !== undefined && glob.matches(below(path)!));
      // To the library a folder is among what is below it.
      const theirs = PATHS.filter((path) => picomatch.isMatch(path, pattern)).filter(
        (path) => !(pattern === 'src/**' && path === 'src'),
      );
      expect([pattern, ours]).toEqual([pattern, theirs]);
    }
  });

  it('are what has a sign of one', () => {
    for (const plain of ['a.ts', 'src/a', '', 'a\\*b', '+(a)', '!x']) expect(globOf(plain)).toBeUndefined();
    expect(globOf('../x y/*.md')!.base).toBe('../x y');
    expect(globOf('./src/*.ts')!.base).toBe('./src');
    expect(globOf('/*.md')!.base).toBe('/');
    expect(globOf('/etc/host*')!.base).toBe('/etc');
    expect(globOf('*.md')!.base).toBe('.');
    expect(globOf('[a')!.matches('[a')).toBe(true);
    expect(['a', 'b', '.c'].map(globOf('[!a]*')!.matches)).toEqual([false, true, false]);
    expect(['a', 'b', '.c'].map(globOf('[^a]*')!.matches)).toEqual([false, true, false]);
    expect(globOf('[z-a]')!.matches('m')).toBe(false);
    expect(globOf('[]a]x')!.matches(']x')).toBe(true);
    expect(globOf('+(a*)b')!.matches('+(aaa)b')).toBe(true);
  });

  it('refuse what is longer than anybody writes by hand', () => {
    for (const long of [`*${'a'.repeat(256)}`, '{a,b}'.repeat(20), '{a,b}'.repeat(50), '{a,{b,'.repeat(40)])
      expect(() => {
        if (globOf(long)?.matches('x') === false) throw new Error('too long a pattern');
      }).toThrow('too long a pattern');
  });

  it('take no pattern for ever', () => {
    const names = Array.from(
      { length: 10_000 },
      (_, at) => `${'a'.repeat(195)}${String(at).padStart(5, '0')}`,
    );
    const deep = `${'a/'.repeat(98)}x`;
    for (const pattern of [
      `${'*a'.repeat(20)}*b`,
      '+(a*)+(a*)+(a*)+(a*)b',
      `*${'a'.repeat(100)}b*`,
      `${'*?'.repeat(100)}b`,
      `${'**/'.repeat(60)}b`,
      `${'**/*a*/'.repeat(30)}b`,
      `*${'a'.repeat(40)}{${'a,'.repeat(8)}a}b*`,
      `*{a,aa,aaa}{a,aa,aaa}b*`,
      `${'[a-z]'.repeat(50)}*b`,
    ]) {
      const glob = globOf(pattern)!;
      // Never more than so many steps: then it is refused.
      const found = (): number => names.filter((name) => glob.matches(name)).length;
      try {
        expect([pattern, found(), glob.matches(deep)]).toEqual([pattern, 0, false]);
      } catch (error) {
        expect(error).toMatchObject({ code: 'usage' });
      }
    }
  });
});
