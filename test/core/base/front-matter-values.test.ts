import { expect, it } from 'vitest';
import { readFrontMatter } from '../../../src/core/base/front-matter.ts';

// Where YAML 1.1 and YAML 1.2 disagree: council reads the core schema of 1.2.
const READINGS: [written: string, read: unknown][] = [
  ['1:30', '1:30'],
  ['0777', 777],
  ['0o17', 15],
  ['08', 8],
  ['00', 0],
  ['1_000', '1_000'],
  ['1,000', '1,000'],
  ['0b11', '0b11'],
  ['0x1F', 31],
  ['-0x1', '-0x1'],
  ['+1', 1],
  ['-0', -0],
  ['1e3', 1000],
  ['1e', '1e'],
  ['.5', 0.5],
  ['5.', 5],
  ['.inf', Infinity],
  ['-.INF', -Infinity],
  ['.nan', NaN],
  ['NaN', 'NaN'],
  ['46e1234567890123', Infinity],
  ['5ee4f9b4e28529e0', '5ee4f9b4e28529e0'],
  ['yes', 'yes'],
  ['no', 'no'],
  ['on', 'on'],
  ['off', 'off'],
  ['y', 'y'],
  ['N', 'N'],
  ['true', true],
  ['FALSE', false],
  ['tRUE', 'tRUE'],
  ['~', null],
  ['Null', null],
  ['', null],
  ['nil', 'nil'],
  ['2026-11-22', '2026-11-22'],
  ['2026-11-22T07:22:08.433Z', '2026-11-22T07:22:08.433Z'],
  ["'2026-11-22'", '2026-11-22'],
  ['<<', '<<'],
  ['=', '='],
  ['a # b', 'a'],
  ['a#b', 'a#b'],
  ['a:b', 'a:b'],
  ['!!str 12', '12'],
  ['{a:1}', { 'a:1': null }],
  ['{ "a":1 }', { a: 1 }],
  ['"\\u00e9\\x41\\U0001F916"', 'éA🤖'],
  ["'it''s'", "it's"],
  ['🤖', '🤖'],
];

it.each(READINGS)('fault 16: front matter reads %j as YAML 1.2 does', (written, read) => {
  const { value } = readFrontMatter(`---\nvalue: ${written}\n---\n`, 'x').data;
  expect(value).toEqual(read);
});

it('fault 16: merge keys fill in what is not set', () => {
  const text = '---\na: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  y: 3\n  <<: [*a, *b]\n---\n';
  expect(readFrontMatter(text, 'x').data.c).toEqual({ x: 1, y: 3, z: 2 });
});
