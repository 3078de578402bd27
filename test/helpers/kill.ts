import { expect } from 'vitest';
import type { Scenario } from './scenarios.ts';
import { expectRecovery } from './recovery.ts';
import { countCalls, drop, failing, inLanes, model, numbers } from './tries.ts';

/** Every counted call, those included that only read or wait for the disk. */
export const CALLS = 'open,write,fsync,link,rename,unlink,mkdir';
/** The calls between which the disk looks different. */
export const CHANGES = 'write,link,rename,unlink,mkdir';

/** Enumerates the calls of a command, kills a fresh run of it at those that are picked, and looks what comes of the council. */
export async function killEverywhere(scenario: Scenario, kinds: string, pick = numbers): Promise<void> {
  const { args, input } = scenario;
  const fresh = await model(scenario.prepare);
  const whole = fresh();
  const calls = await countCalls(whole, args, { input, kinds });
  expect(calls).toBeGreaterThan(10);
  drop(whole);
  await inLanes(pick(calls), 3, async (n) => {
    const at = `killed at call ${n} of ${calls}`;
    const project = fresh();
    const env = failing(project, { FAIL_AT: String(n), FAIL_KINDS: kinds });
    const { signal, stdout } = await project.council(args, { input, env });
    if (!scenario.varies) expect([signal, stdout], at).toEqual(['SIGKILL', '']);
    await expectRecovery(project, scenario, at);
    drop(project);
  });
}
