import { expect, it, vi } from 'vitest';
import {
  makeOnFirstUse,
  memoizeByObject,
  createOwnerCache,
  memoizeLast,
  memoizeNewest,
  memoizeWhileSame,
} from '../../../src/core/base/memoize.ts';

it('makes a thing when it is first asked for, and once, also one that is nothing', () => {
  const make = vi.fn(() => undefined);
  const made = makeOnFirstUse(make);
  expect(make).not.toHaveBeenCalled();
  expect([made(), made()]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(1);
});

it('works once for the same thing in a row, and again for another one', () => {
  const work = vi.fn((names: string[]) => names.join('+'));
  const joined = memoizeLast(work, JSON.stringify);
  expect([joined(['a', 'b']), joined(['a', 'b']), joined(['a,b'])]).toEqual(['a+b', 'a+b', 'a,b']);
  expect(work).toHaveBeenCalledTimes(2);
  expect(joined(['a', 'b'])).toBe('a+b');
  expect(work).toHaveBeenCalledTimes(3);
});

it('makes each thing once while it is among the newest, and nothing of what fails', () => {
  const made: string[] = [];
  const recall = memoizeNewest<string>(2);
  const of = (key: string): string => recall(key, () => (made.push(key), `${key}!`));
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(of)).toEqual(['a!', 'b!', 'a!', 'c!', 'a!', 'b!']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  const fail = () => {
    throw new Error('not now');
  };
  expect(() => recall('d', fail)).toThrow('not now');
  expect(of('d')).toBe('d!');
});

it('forgets what was promised and failed', async () => {
  const recall = memoizeNewest<Promise<number>>(2);
  await expect(recall('a', async () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  expect(await recall('a', async () => 1)).toBe(1);
  expect(await recall('a', async () => 2)).toBe(1);
});

it('works again only where the input is told to be another one', () => {
  const work = vi.fn(({ name }: { name: string }) => `${name}!`);
  const shout = memoizeWhileSame((before, now) => before.name === now.name, work);
  expect([{ name: 'a' }, { name: 'a' }, { name: 'b' }, { name: 'a' }].map(shout)).toEqual([
    'a!',
    'a!',
    'b!',
    'a!',
  ]);
  expect(work).toHaveBeenCalledTimes(3);
});

it('works once for each object, and keeps apart what belongs to different owners', () => {
  const work = vi.fn(({ size }: { size: number }) => size * 2);
  const twice = memoizeByObject(work);
  const [one, like] = [{ size: 1 }, { size: 1 }];
  expect([one, like, one].map(twice)).toEqual([2, 2, 2]);
  expect(work).toHaveBeenCalledTimes(2);

  const made: string[] = [];
  const recall = createOwnerCache<number>(2);
  const of = (owner: object, key: string) => recall(owner, key, () => made.push(key));
  expect([of(one, 'a'), of(like, 'a'), of(one, 'a')]).toEqual([1, 2, 1]);
});
