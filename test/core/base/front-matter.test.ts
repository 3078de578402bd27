import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import {
  readFrontMatter,
  startsWithFrontMatter,
  writeFrontMatter,
} from '../../../src/core/base/front-matter.ts';
import { cutFrontMatter } from '../../../src/core/base/front-matter-block.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { countCases } from '../../helpers/long.ts';

const failing = (text: string) => {
  try {
    readFrontMatter(text, 'agents/henry.md');
  } catch (error) {
    return error as { code: string; message: string; hint: string };
  }
  throw new Error('nothing was refused');
};

describe('readFrontMatter', () => {
  it('cuts the YAML from the body, which stays untouched', () => {
    expect(readFrontMatter('---\nname: henry\ntags: [a, b]\n---\n\n# Hi\r\n---\n', 'x')).toEqual({
      data: { name: 'henry', tags: ['a', 'b'] },
      body: '\n# Hi\r\n---\n',
    });
  });

  it('reads CRLF, a BOM, spaces after the fences and a missing last line end', () => {
    expect(readFrontMatter('\uFEFF---  \r\nname: henry\r\n--- \r\nbody', 'x')).toEqual({
      data: { name: 'henry' },
      body: 'body',
    });
    expect(readFrontMatter('---\nname: henry\n---', 'x')).toEqual({ data: { name: 'henry' }, body: '' });
  });

  it('has no data where there is none', () => {
    for (const text of ['', '# Title\n---\na: 1\n---\n', '----\nx\n----\n', ' ---\na: 1\n---\n']) {
      expect(readFrontMatter(text, 'x')).toEqual({ data: {}, body: text });
    }
    expect(readFrontMatter('---\n---\nbody', 'x')).toEqual({ data: {}, body: 'body' });
    expect(readFrontMatter('---\n# mode: prd\n---\nbody', 'x')).toEqual({ data: {}, body: 'body' });
  });

  it('closes at a line of three hyphens only', () => {
    expect(readFrontMatter('---\na: |\n  x\n  --- y\nb: "----"\n---\nbody', 'x').data).toEqual({
      a: 'x\n--- y\n',
      b: '----',
    });
  });

  it.each(['js', 'javascript', 'JavaScript', 'JS', 'coffee', 'json', 'toml', 'yaml'])(
    'runs nothing and refuses ---%s',
    (language) => {
      const touched = globalThis as { touched?: boolean };
      const { code, message } = failing(`---${language}\n{ "a": (globalThis.touched = true) }\n---\n`);
      expect([code, message]).toEqual([
        'invalid_config',
        `agents/henry.md: front matter in "${language}" is not read.`,
      ]);
      expect(touched.touched).toBeUndefined();
    },
  );

  it('refuses YAML tags that would run something', () => {
    expect(failing('---\na: !!js/function "function () {}"\n---\n').message).toMatch(/unknown tag/);
  });

  it.each([
    ['---\na: [1\n---\n', /cannot be read: .* \(line \d\)/],
    ['---\na: 1\na: 2\n---\n', /duplicated mapping key \(line 3\)/],
    ['---\n- a\n---\n', /must be a mapping/],
    ['---\njust text\n---\n', /must be a mapping/],
    ['---\n2020-01-01\n---\n', /must be a mapping/],
    ['---\nname: henry\n\n# Body\n', /opens on line 1 is never closed/],
  ])('refuses %j by file and reason', (text, reason) => {
    const { code, message, hint } = failing(text);
    expect(code).toBe('invalid_config');
    expect(message).toMatch(/^agents\/henry\.md: the front matter /);
    expect(message).toMatch(reason);
    expect(hint).not.toBe('');
  });

  it('refuses nesting deeper than the stack', () => {
    expect(failing(`---\na: ${'['.repeat(60_000)}\n---\n`).message).toMatch(
      /cannot be read: it is nested too deeply/,
    );
  });

  it('does not let __proto__ become inherited settings', () => {
    const { data } = readFrontMatter('---\n__proto__: {lang: fr}\n---\n', 'x');
    expect(data.lang).toBeUndefined();
  });

  it('is linear in blank lines and in lines that only look like fences', async () => {
    const blank = (lines: number): string => `---\na: 1\n${'\n'.repeat(lines)}b: 2\n---\n`;
    expect(readFrontMatter(blank(1900), 'x').data).toEqual({ a: 1, b: 2 });
    await expectLinear('blank lines', 15_000, (n) =>
      expect(() => readFrontMatter(blank(2000 + n), 'x')).toThrow('more than 2000 lines'),
    );
    await expectLinear('fences', 50_000, (n) =>
      expect(cutFrontMatter('---\n' + '---x\n'.repeat(n))).toBeUndefined(),
    );
  });
});

describe('writeFrontMatter', () => {
  const values = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  );
  const bodies = fc.oneof(
    fc.string(),
    fc.constantFrom('---\nx: 1\n---\n', '---', '\n', '\r\n', '---js\n1\n---\n', '\n---\n'),
  );

  it('is undone by readFrontMatter', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-zA-Z ]{1,12}$/), values), bodies, (data, body) => {
        const text = writeFrontMatter(data, body);
        expect(startsWithFrontMatter(text)).toBe(true);
        expect(readFrontMatter(text, 'x')).toEqual({ data: { ...data }, body });
      }),
      { numRuns: countCases(500) },
    );
  });

  it('is undone for every tree of values, whatever lies on one line', () => {
    const marks = fc.string({
      unit: fc.constantFrom(...'ab: -#\n\t\'"[]{},&*!|>%@?<=017._~\r\u0085\u00a0\u2028🤖\\'),
      maxLength: 12,
    });
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      marks,
      fc.constantFrom('0777', '1:30', 'yes', '2026-11-22', '<<', 'a\n---\nb'),
    );
    const leaves = fc.oneof(texts, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
    const keys = texts.filter((key) => key !== '__proto__');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        leaves,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keys, tree, { maxKeys: 5 }), fc.constantFrom(-1, 1, 3), (data, flowLevel) => {
        expect(readFrontMatter(writeFrontMatter(data, 'body', flowLevel), 'x')).toEqual({
          data: { ...data },
          body: 'body',
        });
      }),
      { numRuns: countCases(500) },
    );
  });

  it('writes what lies deep on one line, long texts unfolded, and emoji as they are', () => {
    const deep = {
      claims: [{ by: 'ana', text: `${'word '.repeat(40)}end`, quotes: [{ at: 1 }], note: 'a\nb' }],
      emoji: '🦉',
    };
    expect(writeFrontMatter(deep, '', 2).split('\n')).toEqual([
      '---',
      'claims:',
      `  - {by: ana, text: ${'word '.repeat(40)}end, quotes: [{at: 1}], note: "a\\nb"}`,
      'emoji: 🦉',
      '---',
      '',
    ]);
  });

  it('does not read, and never runs, front matter inside the body', () => {
    const touched = globalThis as { touched?: boolean };
    const body = '---js\n{ a: (globalThis.touched = true) }\n---\nhello\n';
    expect(writeFrontMatter({ topic: 'x' }, body)).toBe(`---\ntopic: x\n---\n${body}`);
    expect(touched.touched).toBeUndefined();
  });
});

describe('cutFrontMatter', () => {
  it('gives the pieces and where they stand', () => {
    const text = '\uFEFF---\nposition: yes\n---\nbody';
    const block = cutFrontMatter(text)!;
    expect(block).toEqual({ yaml: 'position: yes\n', body: 'body', start: 5 });
    expect(text.startsWith(block.yaml, block.start)).toBe(true);
  });
});
