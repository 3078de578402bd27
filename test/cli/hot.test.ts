// The hot commands: the first file knows them by name, and they are the same ones as everywhere.
import { expect, it } from 'vitest';
import { HOT } from '../../src/cli/hot-names.ts';
import * as hot from '../../src/cli/specs-hot.ts';
import { specs } from '../../src/cli/specs.ts';

it('are named where nothing else is loaded', () => {
  expect(Object.keys(hot).sort()).toEqual(Object.keys(HOT).sort());
  for (const [name, spec] of Object.entries(hot)) expect(spec.name).toBe(name);
  for (const spec of Object.values(hot)) expect(specs).toContain(spec);
});
