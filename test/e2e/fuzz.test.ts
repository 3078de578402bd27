import { expect, it } from 'vitest';
import { playBuilt, playInProcess, SEED } from '../helpers/fuzz/play.ts';

// A look at what `npm run test:faults -- --runs 20000` does in a night.
it('damaged project folders hang, crash and lose nothing: use cases in one process', async () => {
  console.log(`FUZZ_SEED=${SEED}`);
  const { cases, faults } = await playInProcess({ runs: 400, forMs: 3_000 });
  expect(faults).toEqual([]);
  expect(cases).toBeGreaterThan(0);
}, 300_000);

it('damaged project folders hang, crash and lose nothing: the built program', async () => {
  const { cases, faults } = await playBuilt({ runs: 10, forMs: 3_000 });
  expect(faults).toEqual([]);
  expect(cases).toBeGreaterThan(0);
}, 300_000);
