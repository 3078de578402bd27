// The exchange about tasks, as data: every line of version 5 with who said it.
import { parseReferences } from '../../messages/codecs/data-pairs.ts';
import { wireTask } from '../task-names.ts';
import type { ExchangeLine, Task } from '../task.ts';
import type { Tasks } from '../store.ts';
import { inOrder, ORCHESTRATOR, USER, encodeTaskLine } from '../wire-lines.ts';
import { readSessionTasks } from './find.ts';

export interface TaskLogLine {
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
export interface TaskLogDocument {
  lines: TaskLogLine[];
}

/** The lines of a task and of its parts, in the order of their numbers. With an agent only the lines from or to it. */
export async function readTaskLog(
  tasks: Tasks,
  { id, session }: Task,
  agent: string | undefined,
): Promise<TaskLogDocument> {
  const root = wireTask({ id });
  const family = (await readSessionTasks(tasks, session)).filter((one) => wireTask(one) === root);
  const name = await nameSpeakers(tasks, session);
  const lines = inOrder(family.flatMap(({ exchange }) => exchange));
  const shown = lines.map((one, at) => ({
    line: encodeTaskLine(one),
    id: one.id,
    pid: findAnswered(one, lines.slice(0, at)),
    tid: one.task,
    ctx: one.context,
    time: one.time,
    from: name(one.from),
    to: name(one.to),
    kind: one.kind,
    text: one.body,
  }));
  const own = family.flatMap(({ launches }) =>
    launches.flatMap(({ worker, wire }) => (worker === agent ? [wire] : [])),
  );
  const isOwn = ({ from, to }: ExchangeLine): boolean =>
    agent === undefined || own.includes(from) || own.includes(to);
  return { lines: shown.filter((_, at) => isOwn(lines[at]!)) };
}

/** Resolves wire ids of a session to names. */
export async function nameSpeakers(tasks: Tasks, session: string): Promise<(wire: string) => string> {
  const workers = (await tasks.session(session))?.workers ?? {};
  return (wire) =>
    wire === USER ? 'human' : wire === ORCHESTRATOR ? 'orchestrator' : (workers[wire] ?? wire);
}

/** The id of the message that a line answers: the one that it names, else the last one sent to its author. */
function findAnswered({ body, from }: ExchangeLine, before: readonly ExchangeLine[]): string | null {
  const named = /(?:^|;)pid=(M\d+)/.exec(body)?.[1];
  const [message] = parseReferences(body).flatMap((ref) => (ref.to === 'message' ? [ref.id] : []));
  const answered = before.findLast(({ to }) => to === from);
  return named ?? message ?? answered?.id ?? before.at(-1)?.id ?? null;
}
