// Very many passes in one process: what they cost, and whether memory stays flat.
import { join } from 'node:path';
import { costOne } from '../measure.ts';
import type { ProcessCost } from '../measure.ts';
import type { Project } from '../projects.ts';

/** So many passes in a process of their own, each with ports and settings of its own, as the heartbeat has them. */
export function ticks({ root, env }: Project, passes: number): ProcessCost & { facts: string } {
  const cost = costOne({
    command: process.execPath,
    args: [join(import.meta.dirname, 'play-ticks.ts'), String(passes)],
    cwd: root,
    env,
  });
  return { ...cost, facts: `${(cost.cpu / passes).toFixed(2)} ms each` };
}
