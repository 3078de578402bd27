import { describe, expect, it } from 'vitest';
import { findAnswer, findOptionAnswer } from '../../../src/core/cli/other-names.ts';
import { nearest } from '../../../src/core/base/unknown-name.ts';
import { specs } from '../../../src/program/specs.ts';

const NAMES = specs.map(({ name }) => name);
const WORDS = ['archive', 'clean', 'reset', 'edit', 'verify', 'ui', 'undo', 'config', 'login', 'result'];

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

it('names the options that a letter may stand for', () => {
  expect(findOptionAnswer('f', ['--follow', '--format <format>', '--json'])).toBe(
    'Options are written out: --follow, --format <format>',
  );
  expect(findOptionAnswer('x', ['--follow'])).toBeUndefined();
});
