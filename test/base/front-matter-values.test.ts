import { expect, it } from 'vitest';
import { readFrontMatter } from '../../src/base/front-matter.ts';

// Where YAML 1.1, YAML 1.2 and their libraries disagree. Files that people have today must keep meaning what they mean, whichever
// library reads them: `position: yes` is a word, `0777` is octal, a time without quotes is a date.
const READINGS: [written: string, read: unknown][] = [
  ['1:30', 90],
  ['1:30:00', 5400],
  ['-1:30', -90],
  ['190:20:30.15', 685230.15],
  ['0777', 511],
  ['0o17', '0o17'],
  ['08', '08'],
  ['00', 0],
  ['1_000', 1000],
  ['1_0.5', 10.5],
  ['1,000', '1,000'],
  ['0b11', 3],
  ['0b', '0b'],
  ['0x1F', 31],
  ['-0x1', -1],
  ['+1', 1],
  ['-0', 0],
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
  ['2026-11-22', new Date('2026-11-22T00:00:00Z')],
  ['2026-11-22T07:22:08.433Z', new Date('2026-11-22T07:22:08.433Z')],
  ['2026-11-22 07:22:08', new Date('2026-11-22T07:22:08Z')],
  ['2026-1-2', '2026-1-2'],
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

it.each(READINGS)('fault 16: front matter reads %j as it always has', (written, read) => {
  const { value } = readFrontMatter(`---\nvalue: ${written}\n---\n`, 'x').data;
  expect(value).toEqual(read);
});

it('fault 16: merge keys fill in what is not set', () => {
  const text = '---\na: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  y: 3\n  <<: [*a, *b]\n---\n';
  expect(readFrontMatter(text, 'x').data.c).toEqual({ x: 1, y: 3, z: 2 });
});
