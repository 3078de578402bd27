import { describe, expect, it } from 'vitest';
import { createMessageNumbering } from '../../src/team/tasks/use/session.ts';
import { withAnswer } from '../../src/team/tasks/use/conversation.ts';
import { memoryStore } from '../../src/core/store/memory/memory-store.ts';
import { createTaskStore } from '../../src/team/tasks/store.ts';
import { buildTask } from '../../src/team/tasks/task.ts';
import type { Task } from '../../src/team/tasks/task.ts';
import { askTaskQuestion, markTaskCancelled, startLaunch } from '../../src/team/tasks/transitions.ts';

const NOW = Date.parse('2026-01-11T16:30:00.000Z');
const AT = '2026-01-11T16:30:00.000Z';
const QUESTION = {
  text: 'Which?',
  options: ['a', 'b'],
  of: 'orchestrator',
  until: null,
  message: null,
} as const;

/** Answers `b` to a task that asks, and that changed after it was read. */
async function answeredAfter(change: (task: Task) => Task) {
  const tasks = createTaskStore(memoryStore());
  const session = { id: 'S1', plan: null, workers: { W1: 'ada' }, messages: 0, tasks: ['T1'] };
  await tasks.changeSession('S1', () => session);
  const lease = { id: 'l1', host: 'h', bootId: 'b', pid: 1, startTime: '1', until: AT, group: null };
  const begun = startLaunch(
    buildTask({ id: 'T1', session: 'S1', text: 'choose' }, AT),
    { lease, worker: 'ada', wire: 'W1' },
    NOW,
  );
  const asking = askTaskQuestion(begun, { ...QUESTION, options: [...QUESTION.options] });
  await tasks.change('S1', 'T1', () => change(asking));
  const said: string[] = [];
  const channel = {
    add: (_: Task, lines: readonly { id: string; body: string | null }[]) => {
      said.push(...lines.map(({ id, body }) => `${id} ${body}`));
    },
    complete: () => Promise.resolve(),
    waitForAll: () => Promise.resolve(),
  };
  const numbers = createMessageNumbering(tasks, 'S1');
  const tasking = { tasks, clock: { now: () => NOW, clocks: () => undefined } };
  const after = await withAnswer({ tasking, numbers, channel, findAgent: () => undefined }, asking, 'b');
  return { after, said, messages: (await tasks.session('S1'))?.messages };
}

describe('an answer', () => {
  it('counts though whoever asked has left since the question was read', async () => {
    const { after, said } = await answeredAfter((task) => ({ ...task, lease: null }));
    expect(after).toMatchObject({ question: null, clarifications: 1, lease: null });
    expect(said).toEqual(['M1 answer=b']);
    expect(after?.exchange.map(({ id }) => id)).toEqual(['M1']);
  });

  it.each<[string, (task: Task) => Task]>([
    [
      'another question',
      (task) => ({ ...task, question: { ...QUESTION, options: ['a', 'b'], text: 'Sure?' } }),
    ],
    ['the same question again', (task) => ({ ...task, clarifications: 1 })],
    ['a task that was cancelled', (task) => markTaskCancelled(task, 'not needed', NOW)],
  ])('is refused by %s', async (_, change) => {
    await expect(answeredAfter(change)).rejects.toMatchObject({ code: 'conflict' });
  });
});
