import { expect, it } from 'vitest';
import { createMessageNumbering } from '../../src/team/tasks/use/session.ts';
import { memoryStore } from '../../src/core/store/memory/memory-store.ts';
import { createTaskStore } from '../../src/team/tasks/store.ts';
import { buildTask } from '../../src/team/tasks/task.ts';
import { buildTaskLine, encodeTaskLine } from '../../src/team/tasks/wire-lines.ts';

const AT = '2026-01-11T16:30:00.000Z';

async function sessionWith(messages: number) {
  const tasks = createTaskStore(memoryStore());
  await tasks.changeNumbers((numbers) => ({ ...numbers, session: 4, open: ['S4'] }));
  await tasks.changeSession('S4', () => ({ id: 'S4', plan: null, workers: {}, messages, tasks: [] }));
  return tasks;
}

it('gives no number of a message twice: before the last one a new session begins', async () => {
  const tasks = await sessionWith(9990);
  const numbers = createMessageNumbering(tasks, 'S4');
  await numbers.prepare(8);
  expect(numbers.next()).toEqual({ id: 'M1', context: 'S5' });
  // Others go on in the same new session, and no task is looked for in it.
  const others = createMessageNumbering(tasks, 'S4');
  await others.prepare(1);
  expect(others.next()).toEqual({ id: 'M17', context: 'S5' });
  expect(await tasks.numbers()).toMatchObject({ session: 5, open: ['S4'] });
  const task = buildTask({ id: 'T1', session: 'S4', text: 'x' }, AT);
  const saying = { from: 'O1', to: 'W1', kind: 'request', state: 'N', body: 'x', time: AT } as const;
  expect(encodeTaskLine(buildTaskLine(task, { ...saying, ...others.next() }))).toBe(
    'M18|O1>W1|R|T1|P1|N|-|0|S5|-|x',
  );
});

it('gives back what was not used, in the session where it was taken', async () => {
  const tasks = await sessionWith(9980);
  const before = createMessageNumbering(tasks, 'S4');
  await before.prepare(1);
  expect(before.next()).toEqual({ id: 'M9981', context: 'S4' });
  await before.end();
  expect((await tasks.session('S4'))?.messages).toBe(9981);
});
