import { describe, expect, it } from 'vitest';
import { findAnswer, findOptionAnswer, understandCommand } from '../../../src/core/cli/other-names.ts';
import { nearest } from '../../../src/core/base/unknown-name.ts';
import { specs } from '../../../src/program/specs.ts';

const NAMES = specs.map(({ name }) => name);
const WORDS = ['archive', 'clean', 'reset', 'edit', 'verify', 'share', 'undo', 'config', 'login', 'models'];

describe('a word that names no command', () => {
  it.each(WORDS)('is answered with commands that there are: %s', (word) => {
    expect(NAMES).not.toContain(word);
    const named = [...findAnswer(word)!.matchAll(/: council ([a-z]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => ![...NAMES, 'version'].includes(name))).toEqual([]);
  });

  it.each([
    ['aks', 'ask'],
    ['shwo', 'show'],
    ['staus', 'status'],
    ['xyz', undefined],
  ])('is taken for the nearest one: %s', (word, meant) => {
    expect(nearest(word, NAMES)).toBe(meant);
  });
});

describe('what is typed', () => {
  const understand = (...typed: string[]): string =>
    understandCommand(typed, (name) => NAMES.includes(name)).join(' ');

  it.each([
    [['Build or buy?', '--me'], 'ask Build or buy? --me'],
    [['debate', 'Build or buy?'], 'run Build or buy?'],
    [['personas'], 'agents personas'],
    [['help', 'personas'], 'help agents'],
    [['stats', '--json'], 'cost --json'],
    [['resume'], 'ask --resume'],
    [['resume', 'billing', '--quiet'], 'ask --resume --name billing --quiet'],
    [['resume', '--help'], 'ask --resume --help'],
    [['status', '--help'], 'status --help'],
  ])('is run as the command that is meant: %j', (typed, meant) => {
    expect(understand(...typed)).toBe(meant);
  });

  it.each([
    [['status --json'], 'status --json'],
    [['list all of them'], 'list all of them'],
    [['config', '--help', '--json'], 'config --json'],
    [['xyz'], 'xyz'],
  ])('starts nothing where that is not sure: %j', (typed, meant) => {
    expect(understand(...typed)).toBe(meant);
  });
});

it('names the options that a letter may stand for', () => {
  expect(findOptionAnswer('f', ['--follow', '--format <format>', '--json'])).toBe(
    'Options are written out: --follow, --format <format>',
  );
  expect(findOptionAnswer('x', ['--follow'])).toBeUndefined();
});
