// The exchange about a task, as data: every line of version 5 with who said it.
import { referencesIn } from '../../messages/codecs/data.ts';
import { wireTask } from '../../tasks/task.ts';
import type { Task } from '../../tasks/task.ts';
import type { Tasks } from '../../tasks/store.ts';
import { inOrder, ORCHESTRATOR, USER, written } from '../../tasks/wire.ts';
import { tasksIn } from './find.ts';

export interface LogLine {
  /** As version 5 writes it. */
  line: string;
  id: string;
  /** The message that it goes back to; null for the first. */
  pid: string | null;
  tid: string;
  ctx: string;
  time: string;
  from: string;
  to: string;
  kind: string;
  text: string;
}
export interface LogDocument {
  lines: LogLine[];
}

/** The lines of a task and of what was handed on out of it, in the order of their numbers. */
export async function logOf(tasks: Tasks, { id, session }: Task): Promise<LogDocument> {
  const root = wireTask({ id });
  const family = (await tasksIn(tasks, session)).filter((one) => wireTask(one) === root);
  const workers = (await tasks.session(session))?.workers ?? {};
  const name = (wire: string): string =>
    wire === USER ? 'human' : wire === ORCHESTRATOR ? 'orchestrator' : (workers[wire] ?? wire);
  const lines = inOrder(family.flatMap(({ exchange }) => exchange));
  return {
    lines: lines.map((one, at) => {
      const named = /(?:^|;)pid=(M\d+)/.exec(one.body)?.[1];
      // What a line answers is the last one that was said to whoever speaks.
      const answered = lines.slice(0, at).findLast(({ to }) => to === one.from);
      const [message] = referencesIn(one.body).flatMap((ref) => (ref.to === 'message' ? [ref.id] : []));
      return {
        line: written(one),
        id: one.id,
        pid: named ?? message ?? answered?.id ?? lines[at - 1]?.id ?? null,
        tid: one.task,
        ctx: one.context,
        time: one.time,
        from: name(one.from),
        to: name(one.to),
        kind: one.kind,
        text: one.body,
      };
    }),
  };
}
