// News about tasks as data and text, and the exchange of a task with names.
import { wasAskedAgain } from '../build-lines.ts';
import type { Task, ExchangeLine } from '../task.ts';
import { sortLines, ORCHESTRATOR, USER, encodeTaskLine } from '../wire-lines.ts';
import { getPairValue, parseDataPairs, parseReferences } from '../../messages/codecs/data-pairs.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill, loadWords } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { getWireTaskId } from '../task.ts';
import type { Tasks } from '../store.ts';
import { readSessionTasks } from './find-tasks.ts';

export type TaskNews =
  | { type: 'launched'; task: Task; worker: string }
  | { type: 'progress'; task: Task; text: string }
  | { type: 'ended'; task: Task }
  | { type: 'waiting'; task: Task; why: string };

/** Returns one line for people; undefined for news that they do not need. */
export function formatNewsLine(news: TaskNews): string | undefined {
  const { task } = news;
  if (news.type === 'launched') {
    const before = task.launches.at(-2)?.outcome;
    const isAgain = before === 'failed' || before === 'cancelled';
    const again = before === undefined ? '' : isAgain ? ', once more' : ', going on';
    return `${task.id}: ${news.worker} begins${again}: ${toOneLine(task.text, 80)}`;
  }
  if (news.type === 'progress') return `${task.id}: ${news.text}`;
  if (news.type === 'waiting') return `${task.id}: ${news.why}`;
  return `${task.id}: ${describeStanding(task)}`;
}

/** Describes the state of a task; `among`: the tasks it may wait for, `missing`: labels without a heartbeat. */
export function describeStanding(
  task: Task,
  among: readonly Task[] = [],
  missing?: readonly string[],
  { taskStanding: w }: Pick<Words, 'taskStanding'> = loadWords('en'),
): string {
  const { state, worker, result, error, question, waitsFor, notBefore, lease, progress, approval } = task;
  const name = `${task.session}/${task.id}`;
  const lacks = missing && fill(w.noHeartbeat, { labels: missing.join(w.or) });
  if (state === 'D') {
    const count = [...(result ?? '')].length;
    const by = worker === null ? '' : fill(w.by, { worker });
    return fill(w.done, { by, count: count === 1 ? w.oneCharacter : fill(w.characters, { count }) });
  }
  if (state === 'X' && error?.code === 'E00' && error.text.startsWith('cancelled'))
    return toOneLine(error.text, 200);
  const why = error ? fill(w.why, { text: toOneLine(error.text, 200) }) : '';
  const code = error && (state === 'F' || error.code !== 'E00') ? fill(w.code, { code: error.code }) : '';
  if (state === 'X') return fill(w.cancelled, { code, why });
  if (state === 'F') return fill(w.failed, { code, why });
  if (task.paused) return fill(w.paused, { task: name });
  if (question)
    return fill(w.asks, {
      question: `${toOneLine(question.text, 120)}${formatQuestionOptions(task)}`,
      task: name,
    });
  if (approval !== null) return fill(w.approval, { id: approval });
  const wire = task.launches.at(-1)?.wire;
  if (state === 'R' && wire !== undefined && wasAskedAgain(task, wire))
    return fill(w.unclear, { worker: String(worker), text: extractUnclearText(task) });
  if (lease)
    return progress === null
      ? fill(w.works, { worker: String(worker) })
      : fill(w.worksOn, { worker: String(worker), progress });
  if (waitsFor !== null) return fill(w.handedOn, { id: waitsFor });
  if (notBefore !== null && error === null) return w.again;
  return state === 'N' ? describeTaskWait(task, among, lacks ?? w.turn, w) : (lacks ?? w.goesOn);
}

/** Describes the tasks that it waits for, with failed ones marked; `otherwise` if there are none. */
function describeTaskWait(
  { after, session }: Task,
  among: readonly Task[],
  otherwise: string,
  w: Words['taskStanding'],
): string {
  const open = among.filter((one) => one.session === session && after.includes(one.id) && one.state !== 'D');
  if (open.length === 0) return otherwise;
  const lost: Record<string, string> = { F: w.failedOne, X: w.cancelledOne };
  return fill(w.waits, { names: open.map(({ id, state }) => `${id}${lost[state] ?? ''}`).join(', ') });
}

const extractUnclearText = ({ exchange }: Task): string =>
  toOneLine(getPairValue(parseDataPairs(exchange.at(-1)?.body ?? ''), 'desc') ?? '', 160);

const formatQuestionOptions = ({ question }: Task): string =>
  question && question.options.length > 0
    ? ` (${question.options.map((one, at) => `${at + 1} ${toOneLine(one, 40)}`).join(', ')})`
    : '';

export type TaskLogDocument = Awaited<ReturnType<typeof readTaskLog>>;

/** Reads the lines of a task and its parts, by number. With an agent only the lines from or to it. */
export async function readTaskLog(tasks: Tasks, { id, session }: Task, agent: string | undefined) {
  const root = getWireTaskId({ id });
  const family = (await readSessionTasks(tasks, session)).filter((one) => getWireTaskId(one) === root);
  const name = await nameSpeakers(tasks, session);
  const lines = sortLines(family.flatMap(({ exchange }) => exchange));
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

export async function nameSpeakers(tasks: Tasks, session: string): Promise<(wire: string) => string> {
  const workers = (await tasks.session(session))?.workers ?? {};
  return (wire) =>
    wire === USER ? 'human' : wire === ORCHESTRATOR ? 'orchestrator' : (workers[wire] ?? wire);
}

/** Returns the id of the message that a line answers: the one it names, else the last one to its author. */
function findAnswered({ body, from }: ExchangeLine, before: readonly ExchangeLine[]): string | null {
  const named = /(?:^|;)pid=(M\d+)/.exec(body)?.[1];
  const [message] = parseReferences(body).flatMap((ref) => (ref.to === 'message' ? [ref.id] : []));
  const answered = before.findLast(({ to }) => to === from);
  return named ?? message ?? answered?.id ?? before.at(-1)?.id ?? null;
}
