import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/core/base/config.ts';
import { readFrontMatter } from '../../../src/core/base/front-matter.ts';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { aliasBomb } from '../../helpers/hostile-yaml.ts';
import { expectBounded, expectLinear } from '../../helpers/growth.ts';

const framed = (yaml: string) => `---\n${yaml}\n---\nbody`;
const refusal = (yaml: string): string => {
  try {
    readFrontMatter(framed(yaml), 'agents/x.md');
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
};
const K = 1024;

describe('limits of front matter', () => {
  it('fault 16: an alias bomb is stopped while it is read, by file and line', () => {
    expect(refusal(aliasBomb(10))).toMatch(
      /^agents\/x\.md: .*its aliases repeat more than 10000 values \(line 3\)\.$/,
    );
    expect(refusal(aliasBomb(400))).toMatch(/aliases repeat/);
    // A few repetitions are good YAML.
    expect(readFrontMatter(framed(aliasBomb(3)), 'x').data.a2).toHaveLength(9);
  });

  it('fault 16: an alias inside what it repeats is refused', () => {
    expect(refusal('a: &a [1, *a]')).toBe(
      'agents/x.md: the front matter cannot be read: an alias repeats what it stands in (line 2).',
    );
    expect(refusal('a: &a\n  b:\n    c: *a')).toMatch(/repeats what it stands in \(line 4\)/);
  });

  it('an alias of nothing is refused by its own name and line', () => {
    expect(refusal('a: &x 1\nb: *x\nc: *y')).toBe(
      'agents/x.md: the front matter cannot be read: unidentified alias "y" (line 4).',
    );
  });

  it('fault 16: merge keys are bounded as well', () => {
    const base = `a: &a {${Array.from({ length: 2000 }, (_, i) => `k${i}: 1`).join(', ')}}\n`;
    const merges = Array.from({ length: 900 }, (_, i) => `m${i}:\n  <<: *a`).join('\n');
    expect(refusal(base + merges)).toMatch(/aliases repeat|maxTotalMergeKeys/);
    expect(readFrontMatter(framed('a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3'), 'x').data.b).toEqual({
      x: 1,
      y: 3,
    });
  });

  it.each([
    ['flow sequences', '['.repeat(30 * K), 2],
    ['flow mappings', '{'.repeat(30 * K), 2],
    ['sequences', '- '.repeat(30 * K), 2],
    ['keys', '? '.repeat(30 * K), 2],
    ['mappings', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 34],
    ['a value', `a:\n  b: ${'['.repeat(40)}${']'.repeat(40)}`, 3],
  ])('fault 16: nesting of %s is refused by line', (_, yaml, line) => {
    expect(refusal(yaml)).toMatch(/nested too deeply \(more than 32 levels\) \(line \d+\)\.$/);
    expect(Number(/\(line (\d+)\)\.$/.exec(refusal(yaml))?.[1])).toBe(line);
  });

  it('fault 16: 64 KiB and 10,000 values are read, no more', () => {
    const list = (n: number) => `a: [${Array.from({ length: n }, () => 'b').join(',')}]`;
    expect(readFrontMatter(framed(list(9990)), 'x').data.a).toHaveLength(9990);
    expect(refusal(list(10_000))).toMatch(/it has more than 10000 values \(line 2\)/);
    expect(refusal(`a: ${'x'.repeat(64 * K)}`)).toBe(
      `agents/x.md: the front matter that opens on line 1 has ${64 * K + 4} bytes; at most ${64 * K} are read.`,
    );
    expect(readFrontMatter(framed(`a: ${'x'.repeat(64 * K - 4)}`), 'x').data.a).toHaveLength(64 * K - 4);
  });

  it('fault 16: a reason that quotes the file stays short', () => {
    expect(refusal(`a: *${'x'.repeat(60 * K)}`).length).toBeLessThan(400);
    expect(refusal(`a: !${'x'.repeat(60 * K)} 1`).length).toBeLessThan(400);
  });

  it('fault 16: broken lines are read one by one', async () => {
    const agent = (lines: number) => `---\nname: x\n${'description: a: b\n'.repeat(lines)}---\nhi\n`;
    // Each line is read by itself, and all say the same.
    expect(parseAgent(agent(3), 'agents/x.md', 'project').description).toBe('a: b');
    await expectLinear('broken lines', 900, (n) =>
      expect(parseAgent(agent(n), 'agents/x.md', 'project').description).toBe('a: b'),
    );
    expect(() => parseAgent(agent(20_000), 'agents/x.md', 'project')).toThrow(/360008 bytes/);
  });

  it('quotes a description in the front matter only', () => {
    const { description, persona } = parseAgent(
      '---\nname: x\ndescription: Use when: always\n---\ndescription: a: b\n',
      'agents/x.md',
      'project',
    );
    expect({ description, persona }).toEqual({
      description: 'Use when: always',
      persona: 'description: a: b',
    });
  });

  it('fault 16: a thousand unknown settings make eleven sentences', async () => {
    const keys = Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join('\n');
    const { warnings } = await readConfig({ text: framed(keys), path: 'COUNCIL.md', env: {}, flags: {} });
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe('COUNCIL.md: 990 more settings are not known and were ignored.');
  });

  it('fault 16: hostile blocks of 60 KB end', async () => {
    await expectBounded('hostile blocks', () => {
      for (const yaml of HOSTILE) {
        try {
          readFrontMatter(framed(yaml), 'agents/x.md');
        } catch (error) {
          expect((error as Error).message).toMatch(/^agents\/x\.md: the front matter /);
          expect((error as Error).message.length).toBeLessThan(400);
        }
      }
    });
  });

  it.each([
    ['values', 'a: [', 'b,'],
    ['anchors', 'a: ', '&a '],
    ['tabs', 'a:\n', '\t- \n'],
    ['keys', '', 'a: 1\n'],
    ['missing commas', 'a: [', '"a" '],
    ['blank lines', 'a: 1', '\n'],
  ])('fault 16: %s take time in proportion', async (name, head, part) => {
    await expectLinear(name, 8000, (n) => {
      try {
        readFrontMatter(framed(head + part.repeat(n)), 'x', { bytes: 1024 * K, values: 1024 * K });
      } catch (error) {
        expect((error as Error).message).toMatch(/^x: the front matter cannot be read/);
      }
    });
  });

  it('fault 16: keys that reach into a prototype are keys like others', () => {
    const { data } = readFrontMatter(
      framed(
        '__proto__: {lang: fr}\nconstructor: {prototype: {x: 1}}\nb: &b {__proto__: {y: 1}}\nc:\n  <<: *b',
      ),
      'x',
    );
    expect([data.lang, ({} as Record<string, unknown>).x, (data.c as { y?: unknown }).y]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });
});

const lines = (n: number, make: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => make(i)).join('\n');
const HOSTILE = [
  lines(9000, (i) => `k${i}: 1`),
  lines(3000, (i) => `k${i}: &x${i} 1`) + '\n' + lines(3000, (i) => `r${i}: *x${i}`),
  'a: 1\n'.repeat(12 * K),
  '? {a: 1}\n: 1\n'.repeat(4 * K),
  `a: &${'x'.repeat(60 * K)} 1`,
  '&a '.repeat(20 * K),
  '!a '.repeat(20 * K),
  '!'.repeat(60 * K),
  '*'.repeat(60 * K),
  '"'.repeat(60 * K),
  '"\n'.repeat(30 * K),
  `a: "${'x\n'.repeat(30 * K)}`,
  '\t'.repeat(60 * K),
  'a:\n' + '\t- \n'.repeat(12 * K),
  '\0'.repeat(60 * K),
  '\n'.repeat(60 * K),
  (' '.repeat(60) + '\n').repeat(K),
  '#\n'.repeat(30 * K),
  'a: |\n' + ' x\n'.repeat(20 * K),
  'a: >\n' + ' x\n\n'.repeat(15 * K),
  'a' + ':a'.repeat(30 * K),
  '[' + ','.repeat(60 * K) + ']',
  '[' + 'a: b,'.repeat(10 * K) + ']',
  ']'.repeat(60 * K),
  '%YAML\n'.repeat(10 * K),
  '...\n'.repeat(15 * K),
  'a: 0.' + '0'.repeat(60 * K) + 'e',
  'a: ' + '1_'.repeat(30 * K) + 'x',
  'a: ' + '1:1'.repeat(20 * K) + 'x',
];
