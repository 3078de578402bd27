import fs from 'node:fs';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import type { Project } from '../helpers/cli.ts';
import { CHANGES } from '../helpers/kill.ts';
import { must, seated } from '../helpers/scenarios.ts';
import { addAgent } from '../helpers/speakers.ts';
import {
  countCalls,
  drop,
  failing,
  inLanes,
  leftovers,
  model,
  numbers,
  saidIn,
  theArchive,
} from '../helpers/tries.ts';

const [POOR, FORM] = ['It runs here.', 'position: Use PostgreSQL\n'];

/** A program without Node that answers poorly, and well when it is asked once more. It notes what it was asked. */
function addPoor(project: Project, id: string): void {
  const script = [
    'asked="$(cat)"; [ -n "$asked" ] || exit 9',
    'case "$asked" in',
    `*"What is missing"*) echo again >> ../outside/asked; printf '%s\\n' '${FORM.trim()}';;`,
    `*) echo first >> ../outside/asked; printf '%s' '${POOR}';;`,
    'esac',
  ];
  fs.writeFileSync(join(project.outside, 'poor.sh'), script.join('\n'));
  addAgent(project, id, { runner: 'command', command: ['/bin/sh', '../outside/poor.sh'], repair: 1 });
}

const askedIn = (project: Project): string[] =>
  fs.readFileSync(join(project.outside, 'asked'), 'utf8').trim().split('\n');

describe('a tick that asks an agent once more', () => {
  it('and is killed at any call loses nothing, and asks nothing twice', async () => {
    const fresh = await model(async (project) => {
      addPoor(project, 'dan');
      await seated(project, ['ann', 'dan'], { ann: 'position: Use Redis' }, '--rule', 'majority');
    });
    const whole = fresh();
    const calls = await countCalls(whole, ['tick'], { kinds: CHANGES });
    drop(whole);
    const outcomes = new Set<string>();
    await inLanes(numbers(calls), 3, async (n) => {
      const at = `killed at call ${n} of ${calls}`;
      const project = fresh();
      const env = failing(project, { FAIL_AT: String(n), FAIL_KINDS: CHANGES });
      expect((await project.council(['tick'], { env })).signal, at).toBe('SIGKILL');
      await must(project, ['tick']);
      await must(project, ['tick', '--until-idle']);
      const { dan } = saidIn(theArchive(project, at), at);
      expect([POOR, `${POOR}\n\n${FORM}`], at).toContain(dan);
      outcomes.add(dan!);
      const asked = askedIn(project);
      expect(asked.filter((one) => one === 'again').length, at).toBeLessThanOrEqual(1);
      expect(asked.filter((one) => one === 'first').length, at).toBeLessThanOrEqual(2);
      expect(leftovers(project), at).toEqual([]);
      drop(project);
    });
    expect(outcomes.size).toBe(2);
  });
});
