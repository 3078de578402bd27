import { expect, it, vi } from 'vitest';
import { rememberingLast, rememberingNewest } from '../../src/base/remember.ts';

it('works once for the same thing in a row, and again for another one', () => {
  const work = vi.fn((names: string[]) => names.join('+'));
  const joined = rememberingLast(work, JSON.stringify);
  expect([joined(['a', 'b']), joined(['a', 'b']), joined(['a,b'])]).toEqual(['a+b', 'a+b', 'a,b']);
  expect(work).toHaveBeenCalledTimes(2);
  expect(joined(['a', 'b'])).toBe('a+b');
  expect(work).toHaveBeenCalledTimes(3);
});

it('makes each thing once while it is among the newest, and nothing of what fails', () => {
  const made: string[] = [];
  const recall = rememberingNewest<string>(2);
  const of = (key: string): string => recall(key, () => (made.push(key), `${key}!`));
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(of)).toEqual(['a!', 'b!', 'a!', 'c!', 'a!', 'b!']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  const fail = () => {
    throw new Error('not now');
  };
  expect(() => recall('d', fail)).toThrow('not now');
  expect(of('d')).toBe('d!');
});
