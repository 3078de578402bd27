import { describe, expect, it } from 'vitest';
import { findBlockedTasks, createTaskQueue } from '../../../src/team/tasks/task-queue.ts';
import { buildTask } from '../../../src/team/tasks/task.ts';
import type { Task } from '../../../src/team/tasks/task.ts';

const AT = '2026-02-08T20:00:00.000Z';
const task = (id: string, more: Partial<Task> = {}): Task =>
  buildTask({ id, session: 'S1', text: id, ...more }, AT);
const NOW = Date.parse(AT);

describe('the queue', () => {
  it('gives what depends on nothing first, by priority and then in the order of the plan', () => {
    const queue = createTaskQueue([
      task('T1', { after: ['T3'] }),
      task('T2', { priority: 'low' }),
      task('T3'),
      task('T4'),
      task('T5', { priority: 'critical' }),
    ]);
    const played: string[] = [];
    for (let next = queue.next(NOW); next; next = queue.next(NOW)) {
      played.push(next.id);
      queue.put({ ...next, state: 'D' });
    }
    expect(played).toEqual(['T5', 'T3', 'T1', 'T4', 'T2']);
  });

  it('gives nothing that waits for an answer, an approval, a part or a time, or that somebody works on', () => {
    const question = { text: '?', options: [], of: 'human', until: null, message: null } as const;
    const queue = createTaskQueue([
      task('T1', { state: 'R', question: { ...question, options: [] } }),
      task('T2', { approval: 'a1' }),
      task('T3', { waitsFor: 'T3.1', state: 'R' }),
      task('T3.1', { parent: 'T3', approval: 'a2' }),
      task('T4', { notBefore: '2026-02-08T20:00:01.000Z', state: 'R' }),
    ]);
    expect(queue.next(NOW)).toBeUndefined();
    expect(queue.nextTime()).toBe(NOW + 1000);
    expect(queue.next(NOW + 1000)?.id).toBe('T4');
    queue.put(task('T3.1', { parent: 'T3', state: 'F' }));
    expect(queue.next(NOW)?.id).toBe('T3');
  });

  it('names what can never be done', () => {
    const tasks = [
      task('T1', { state: 'F' }),
      task('T2', { after: ['T1'] }),
      task('T3', { after: ['T2'] }),
      task('T4', { after: ['T5'] }),
      task('T5'),
    ];
    expect([...findBlockedTasks(tasks)].sort()).toEqual([
      ['T2', 'T1'],
      ['T3', 'T1'],
    ]);
  });
});
