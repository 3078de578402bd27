import { expect, it, vi } from 'vitest';
import { memoryStore } from '../../src/core/store/memory/memory-store.ts';
import { createTaskStore } from '../../src/team/tasks/store.ts';
import { buildTask } from '../../src/team/tasks/task.ts';
import { delegateTools } from '../../src/team/tasks/use/delegate-tools.ts';
import type { SessionPlay } from '../../src/team/tasks/use/session.ts';

it('ends a task that was given away by a call that had ended before the task existed', async () => {
  const tasks = createTaskStore(memoryStore());
  const tasking = {
    tasks,
    clock: { now: () => 0 },
    config: { taskBudget: null },
    agents: { list: () => [] },
  };
  const playing = {
    tasking,
    playOther: (session: string) =>
      vi.waitFor(async () => expect((await tasks.read(session, 'T1'))?.endedAt).not.toBeNull()),
  } as unknown as SessionPlay;
  const task = buildTask({ id: 'T1', session: 'S1', text: 'Plan it' }, '2026-01-11T16:33:15.000Z');
  const context = { playing, task, limits: { depth: 3, children: 3 }, timeout: 1000 };
  const [delegate] = await delegateTools(context);
  const calling = delegate!.call({ instruction: 'Read it' }, AbortSignal.abort());
  await expect(calling).resolves.toMatchObject({
    id: 'T1',
    error: { text: expect.stringContaining('terminated') },
  });
});
