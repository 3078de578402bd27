import { expect, describe, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { CALLS, killEverywhere } from '../helpers/kill.ts';
import { addAgent } from '../helpers/speakers.ts';
import { must, SCENARIOS } from '../helpers/scenarios.ts';
import { countCalls, drop, failing, inLanes, leftovers, someCalls } from '../helpers/tries.ts';

describe('SIGKILL from inside, at some of all calls (--calls all: at each): open, write, fsync, link, rename, unlink, mkdir', () => {
  it.each(Object.entries(SCENARIOS))('of `%s`', (_, scenario) => killEverywhere(scenario, CALLS, someCalls));

  it('of `init`', async () => {
    const whole = await newProject({ init: false });
    const calls = await countCalls(whole, ['init', '--no-detect'], { kinds: CALLS });
    expect(calls).toBeGreaterThan(10);
    await inLanes(someCalls(calls), 3, async (n) => {
      const project = await newProject({ init: false });
      const env = failing(project, { FAIL_AT: String(n), FAIL_KINDS: CALLS });
      expect((await project.council(['init', '--no-detect'], { env })).signal).toBe('SIGKILL');
      await must(project, ['init', '--no-detect']);
      expect(project.read('COUNCIL.md'), `killed at call ${n} of ${calls}`).toEqual(whole.read('COUNCIL.md'));
      addAgent(project, 'ann');
      await must(project, ['start', 'It works']);
      expect(leftovers(project), `killed at call ${n} of ${calls}`).toEqual([]);
      drop(project);
    });
  });
});
