import { describe, expect, it } from 'vitest';
import { buildTask } from '../../src/team/tasks/task.ts';
import { completeTask, startLaunch, withLines } from '../../src/team/tasks/transitions.ts';
import type { Tasks } from '../../src/team/tasks/store.ts';

const AT = '2026-02-08T20:00:00.000Z';
const NOW = Date.parse(AT);
const LEASE = {
  id: 'l1',
  host: 'here',
  bootId: 'b',
  pid: 7,
  startTime: '1',
  until: AT,
  group: null,
};

/** What every store of tasks must do. `make` gives an empty one. */
export function tasksContract(name: string, make: () => Tasks): void {
  describe(`${name}: what every store of tasks does`, () => {
    it('knows nothing at first', async () => {
      const tasks = make();
      expect(await tasks.numbers()).toEqual({ session: 0, task: 0, open: [] });
      expect(await tasks.session('S1')).toBeUndefined();
      expect(await tasks.read('S1', 'T1')).toBeUndefined();
    });

    it('gives a task back as it was kept, with every character', async () => {
      const tasks = make();
      const text = 'Lis « données » — œuvre\u2028\n<!-- --> {"__proto__": 1} 😀';
      const task = withLines(buildTask({ id: 'T1', session: 'S1', text, needs: ['code_read'] }, AT), [
        {
          id: 'M1',
          time: AT,
          from: 'O1',
          to: 'W1',
          kind: 'request',
          task: 'T1',
          priority: 'critical',
          state: 'N',
          depth: 0,
          context: 'S1',
          budget: 500,
          body: 'call=x',
        },
      ]);
      await tasks.change('S1', 'T1', () => task);
      expect(await tasks.read('S1', 'T1')).toEqual(task);
    });

    it('keeps tasks that were handed on apart from those that were not', async () => {
      const tasks = make();
      for (const id of ['T1', 'T1.1', 'T11'])
        await tasks.change('S1', id, () => buildTask({ id, session: 'S1', text: id }, AT));
      expect((await tasks.read('S1', 'T1.1'))?.text).toBe('T1.1');
      expect((await tasks.read('S1', 'T11'))?.text).toBe('T11');
      expect(await tasks.read('S11', 'T1')).toBeUndefined();
    });

    it('lets one of several at once take a task', async () => {
      const tasks = make();
      await tasks.change('S1', 'T1', () => buildTask({ id: 'T1', session: 'S1', text: 'x' }, AT));
      const take = async (id: string): Promise<boolean> => {
        const now = await tasks.change('S1', 'T1', (task) =>
          task && !task.lease
            ? startLaunch(task, { lease: { ...LEASE, id }, worker: 'ada', wire: 'W1' }, NOW)
            : undefined,
        );
        return now?.lease?.id === id;
      };
      const took = await Promise.all(['a', 'b', 'c', 'd'].map(take));
      expect(took.filter(Boolean)).toHaveLength(1);
      expect((await tasks.read('S1', 'T1'))?.launches).toHaveLength(1);
    });

    it('never changes what is over, and says why', async () => {
      const tasks = make();
      const running = startLaunch(
        buildTask({ id: 'T1', session: 'S1', text: 'x' }, AT),
        { lease: LEASE, worker: 'ada', wire: 'W1' },
        NOW,
      );
      await tasks.change('S1', 'T1', () => completeTask(running, 'result', NOW));
      const again = tasks.change(
        'S1',
        'T1',
        (task) => task && completeTask({ ...task, state: 'X' }, 'other', NOW),
      );
      await expect(again).rejects.toThrow(/E15/);
      expect((await tasks.read('S1', 'T1'))?.result).toBe('result');
    });

    it('gives each number once', async () => {
      const tasks = make();
      const next = async (): Promise<number> =>
        (await tasks.changeNumbers((numbers) => ({ ...numbers, task: numbers.task + 1 }))).task;
      expect((await Promise.all([next(), next(), next()])).toSorted()).toEqual([1, 2, 3]);
    });

    it('keeps a session', async () => {
      const tasks = make();
      const session = {
        id: 'S1',
        plan: 'PLAN.md',
        workers: { W1: 'ada' },
        messages: 3,
        tasks: ['T1'],
      };
      await tasks.changeSession('S1', (before) => (before ? undefined : session));
      expect(await tasks.changeSession('S1', () => undefined)).toEqual(session);
      expect(await tasks.session('S1')).toEqual(session);
    });
  });
}
