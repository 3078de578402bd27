import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CouncilError } from '../../src/base/errors.ts';
import { readFrontMatter } from '../../src/base/front-matter.ts';

/** What js-yaml 3 read, under gray-matter, before the library `yaml` took its place. */
interface Reading {
  name: string;
  yaml: string;
  value?: unknown;
  refused?: string;
}

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'yaml', 'readings.json');
const READINGS = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Reading[];

/** Where the two differ: all of it is YAML that js-yaml took against the standard, or did not know. */
const REFUSED_NOW = [
  // Tabs as indentation: js-yaml read the lines below as settings of their own.
  ...['\ta: b', 'a:\n\tb: 1', 'a:\n\t- b', 'a:\n \tb: 1', 'a:\n  b: 1\n\tc: 2'],
  ...['value: [\n\ta]', 'value: {\n\ta: 1}'],
  // What goes on in the next line without being indented.
  ...[
    'value: "a\nb"',
    'value: "a\nb: c"',
    "value: 'a\nb'",
    'value: [a,\nb]',
    'value: [\na\n]',
    'value: [a\n, b]',
  ],
  ...['value: {a: 1,\nb: 2}', 'value: {\na: 1\n}', 'value: {a:\n1}'],
  // Nothing between two commas, nothing between two pieces, or two settings on one line.
  ...['value: {,}', 'value: [a, , b]', 'value: [,a]', 'value: "a"#c', 'value: [a,#c\n b]', 'a: &x[b]'],
  ...['value: ? a', 'a: "b" c: d'],
  // Keys of more than 1024 characters, a character that does not exist, and what nobody writes.
  ...[`${'x'.repeat(1030)}: 1`, `"${'x'.repeat(1030)}": 1`, 'value: "\\U00110000"'],
  ...['value: !!pairs [a: 1, a: 2]', 'b:\n  <<: [[{a: 1}]]', 'a: 1 # \u0007'],
];
const READ_NOW = [
  // Anchors of keys and of nothing, and keys that are not there.
  ...['a: &x\nb: *x', '&x a: 1\nb: *x', '&x a: *x', ': a', '? : a'],
  'value: a\u007fb',
  // Contents that js-yaml compared with their tag.
  ...[
    'value: !!null ""',
    'value: !!binary "aGVs bG8="',
    'value: !!binary',
    'value: !!binary a',
    'value: !!set {a: 1}',
  ],
  ...['value: !!omap [{a: 1, b: 2}]', 'value: !!omap [a: 1, a: 2]', 'value: !!omap [a]'],
  ...['b:\n  !!merge <<: {x: 1}', 'b:\n  !!str <<: {x: 1}'],
];
const OTHERWISE: Record<string, unknown> = {
  'value: !': { value: '' },
  'b:\n  ? <<\n  : {x: 1}': { b: { x: 1 } },
  '---a: 1': { '---a': 1 },
};

/** As the fixture writes what JSON cannot. */
function typed(value: unknown): unknown {
  if (value instanceof Date) return { $date: String(value.getTime()) };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('hex') };
  if (Object.is(value, -0)) return { $number: '-0' };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
  if (Array.isArray(value)) return value.map(typed);
  if (typeof value !== 'object' || value === null) return value;
  return { $map: Object.entries(value).map(([key, content]) => [key, typed(content)]) };
}

function read(yaml: string): Pick<Reading, 'value' | 'refused'> {
  try {
    return { value: typed(readFrontMatter(`---\n${yaml}\n---\n`, 'x').data) };
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'invalid_config') throw error;
    return { refused: error.message };
  }
}

describe('front matter is read as it always was', () => {
  it('has a fixture of each difference', () => {
    const known = new Set(READINGS.map(({ yaml }) => yaml));
    const listed = [...REFUSED_NOW, ...READ_NOW, ...Object.keys(OTHERWISE)];
    expect(listed.filter((yaml) => !known.has(yaml))).toEqual([]);
    expect(READINGS.length).toBeGreaterThan(600);
  });

  it.each(READINGS)('fault 16: $name', ({ yaml, value, refused }) => {
    const now = read(yaml);
    const other = OTHERWISE[yaml];
    if (other !== undefined) expect(now.value).toEqual(typed(other));
    else if (REFUSED_NOW.includes(yaml))
      expect([refused, now.refused]).toEqual([undefined, expect.any(String)]);
    else if (READ_NOW.includes(yaml)) expect([now.refused, refused]).toEqual([undefined, expect.any(String)]);
    // JSON keeps the order of keys, and that of a list of them.
    else if (refused === undefined) expect(now).toEqual({ value });
    else expect(now.refused).toMatch(/^x: the front matter (cannot be read|must be a mapping)/);
  });
});
