import { expect, it, vi } from 'vitest';
import { rememberingLast } from '../../src/base/remember.ts';

it('works once for the same thing in a row, and again for another one', () => {
  const work = vi.fn((names: string[]) => names.join('+'));
  const joined = rememberingLast(work, JSON.stringify);
  expect([joined(['a', 'b']), joined(['a', 'b']), joined(['a,b'])]).toEqual(['a+b', 'a+b', 'a,b']);
  expect(work).toHaveBeenCalledTimes(2);
  expect(joined(['a', 'b'])).toBe('a+b');
  expect(work).toHaveBeenCalledTimes(3);
});
