// The hot commands: the first file knows them by name, and they are the same ones as everywhere.
import { expect, it } from 'vitest';
import { HOT } from '../../src/cli/hot-names.ts';
import { hot } from '../../src/cli/specs-hot.ts';
import { specs } from '../../src/cli/specs.ts';

it('are named where nothing else is loaded', () => {
  expect(Object.keys(hot)).toEqual(HOT);
  expect(Object.values(hot).map(({ name }) => name)).toEqual(HOT);
  for (const spec of Object.values(hot)) expect(specs).toContain(spec);
});
