import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Agent } from '../../../src/core/agents/agent.ts';
import type { Clock } from '../../../src/core/base/clock.ts';
import { dismissExpired } from '../../../src/team/tasks/use/create-tasks.ts';
import { layOutProject } from '../../../src/core/store/local/project.ts';
import type { Member, Registry } from '../../../src/team/tasks/registry-members.ts';

it('removes the rest of a temporary agent where a process died between its file and what it had said', async () => {
  const root = mkdtempSync(join(tmpdir(), 'council-temporary-'));
  mkdirSync(join(root, 'agents'));
  const path = join(root, 'agents/brief.md');
  writeFileSync(path, '---\nname: brief\n---\n');
  utimesSync(path, new Date(0), new Date(0));
  const agent = { id: 'brief', source: 'project', lifecycle: 'temporary', ttl: 1000, path } as Agent;
  const member = { lifecycle: 'temporary', until: 1000 } as Member;
  const staying = [
    { lifecycle: 'temporary', until: null } as Member,
    { lifecycle: 'permanent', until: 1000 } as Member,
  ];
  let kept: Registry = { members: [member, ...staying], messages: 7 };
  let isKilled = true;
  const said: string[] = [];
  const tasking = (over: Agent[]): Parameters<typeof dismissExpired>[0] => ({
    over,
    project: layOutProject(root),
    note: (line) => void said.push(line),
    clock: { now: () => 2000 } as Clock,
    registry: {
      read: () => Promise.resolve(kept),
      change(step) {
        if (isKilled) return Promise.reject(new Error('killed'));
        const after = step(kept);
        kept = after.registry;
        return Promise.resolve(after.result);
      },
    },
  });

  await expect(dismissExpired(tasking([agent]))).rejects.toThrow('killed');
  expect([existsSync(path), kept.members.length]).toEqual([false, 3]);

  // The next process finds no such file any more, and no agent to dismiss.
  isKilled = false;
  await dismissExpired(tasking([]));
  expect(kept).toEqual({ members: staying, messages: 7 });
  // Two at once, of which the other one was faster, is as well as one.
  await dismissExpired(tasking([agent]));
  expect(said.filter((line) => line.startsWith('brief was temporary'))).toHaveLength(1);
});
