import { expect, it } from 'vitest';
import { createUpdateListener } from '../../src/team/tasks/use/run-worker.ts';
import type { TaskNews } from '../../src/team/tasks/use/news.ts';
import { buildTask } from '../../src/team/tasks/task.ts';
import type { Task } from '../../src/team/tasks/task.ts';

const AT = '2026-01-11T16:33:15.000Z';
const lease = { host: 'h', bootId: '', pid: 2, startTime: '', id: 'lease', until: AT, group: null };

it('tells an update once, however the bytes arrive', async () => {
  let kept: Task = buildTask({ id: 'T1', session: 'S1', text: 'x', state: 'R', worker: 'ada', lease }, AT);
  const told: string[] = [];
  const writes: (string | null)[] = [];
  const tasks = {
    change: (_session: string, _id: string, step: (now: Task | undefined) => Task | undefined) => {
      kept = step(kept) ?? kept;
      writes.push(kept.progress);
      return Promise.resolve(kept);
    },
  };
  const hear = createUpdateListener(
    {
      tasks: tasks as unknown as Parameters<typeof createUpdateListener>[0]['tasks'],
      tell: (news: TaskNews) => void (news.type === 'progress' && told.push(news.text)),
      note: () => undefined,
    },
    kept,
    'W1',
  );
  const line = (data: string) => `M2|W1>O1|U|T1|P1|R|-|0|S1|-|${data}\n`;
  const bytes = Buffer.from(
    `begun\n${line('progress=été')}${line('progress=été')}M1|U|a table\n${line('half | way')}${line('done soon')}`,
  );
  // Byte by byte: no character is cut in two.
  for (const byte of bytes) hear(1, Buffer.from([byte]));
  hear(0);
  hear(bytes.length, Buffer.from(line('done soon').repeat(100)));
  expect(told).toEqual(['été', 'half/way', 'done soon']);
  await expect.poll(() => writes.at(-1)).toBe('done soon');
});
