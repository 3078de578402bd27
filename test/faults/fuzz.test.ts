import { expect, it } from 'vitest';
import { playBuilt, playInProcess, SEED } from '../helpers/fuzz/play.ts';

/** `npm run test:faults -- --runs N` sets it; the built program plays one for forty of these. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2000);
const DAY = 86_400_000;

it(`${RUNS} damaged project folders: use cases in one process`, { timeout: DAY }, async () => {
  console.log(`FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`);
  const { cases, faults } = await playInProcess({ runs: RUNS });
  expect(faults).toEqual([]);
  console.log(`${cases} cases in one process`);
});

it(`${Math.ceil(RUNS / 40)} damaged project folders: the built program`, { timeout: DAY }, async () => {
  const { cases, faults } = await playBuilt({ runs: Math.ceil(RUNS / 40) });
  expect(faults).toEqual([]);
  console.log(`${cases} cases with the built program`);
});
