// A session while it is played: the state shared by all parts of the player, its channel, and its message
// numbers.
import type { Queue } from '../task-queue.ts';
import type { Session, Tasks } from '../store.ts';
import type { Task, ExchangeLine } from '../task.ts';
import type { TaskPorts } from './ports.ts';
import type { WorkerLoad } from './workers.ts';
import type { MessageService } from '../../messages/message-service.ts';
import { getPairValue, parseDataPairs } from '../../messages/codecs/data-pairs.ts';
import { readMessages, TASK_LINE } from '../../messages/channel.ts';
import { createBudgetQuestion } from '../answer-question.ts';
import { nameTaskChannel } from '../task.ts';
import { ORCHESTRATOR, USER, encodeTaskLine, ENDS } from '../wire-lines.ts';
import type { MessageNumber } from '../wire-lines.ts';

export interface SessionPlay {
  tasking: TaskPorts;
  session(): Session;
  numbers: NumberAllocator;
  channel: TaskChannel;
  queue: Queue;
  staff: WorkerLoad;
  signal: AbortSignal;
  /** Tasks whose worker is running, but waits for a part that it has handed on: they take no slot. */
  waiting: Set<string>;
  /** Aborted to end only the launch of this task. */
  getStop(task: Task): AbortSignal;
  stop(task: string): void;
  findAgent(wire: string): string | undefined;
  findWorker(capability: string): string | undefined;
  /** Plays another session to its end, alongside this one. */
  playOther(session: string): Promise<void>;
}

interface TaskChannel {
  /** Adds new lines one by one. Failures are only reported: the task keeps its lines. */
  add(task: Task, lines: readonly ExchangeLine[], findAgent: (wire: string) => string | undefined): void;
  /** Adds lines that a dead process had not added. */
  complete(
    task: Task,
    lines: readonly ExchangeLine[],
    findAgent: (wire: string) => string | undefined,
  ): Promise<void>;
  /** Resolves when all lines are written. */
  waitForAll(): Promise<void>;
}

/** Posts the lines of tasks into their channels, one by one. */
export function createTaskChannel(office: MessageService): TaskChannel {
  let last: Promise<void> = Promise.resolve();
  const post = async (
    task: Task,
    line: ExchangeLine,
    findAgent: (wire: string) => string | undefined,
  ): Promise<void> => {
    const name = (wire: string): string =>
      wire === USER
        ? 'human'
        : wire === ORCHESTRATOR
          ? 'orchestrator'
          : (findAgent(wire) ?? wire.toLowerCase());
    const isRefused = line.to === USER && line.error === 'E17' && createBudgetQuestion(task) !== undefined;
    const isAsked = (line.kind === 'disambiguate' && line.from === ORCHESTRATOR) || isRefused;
    // The orchestrator passes on a worker's question to a person, who should see it only once.
    const isHandedUp = line.kind === 'disambiguate' && !isAsked;
    const draft = {
      channel: nameTaskChannel(task),
      from: name(line.from),
      to: isHandedUp ? name(ORCHESTRATOR) : name(line.to),
      // Questions to people must be seen; the rest is a record that needs no acknowledgement.
      kind: isAsked ? 'disambiguate' : 'event',
      body: renderTaskMessageBody(task, line),
      task: line.task,
      extra: { [TASK_LINE]: encodeTaskLine(line) },
    };
    // Relayed lines were checked before. The task keeps the line, so the next run restores it after
    // a power failure; questions are written durably, because people look for them here.
    await office.post(draft, { isRelayed: true, durable: isAsked });
  };
  const add: TaskChannel['add'] = (task, lines, findAgent) => {
    for (const line of lines)
      last = last
        .then(() => post(task, line, findAgent))
        .catch((error: unknown) =>
          office.warn(`${task.id}: a message could not be stored: ${String(error)}`),
        );
  };
  return {
    add,
    async complete(task, lines, findAgent) {
      if (lines.length === 0) return;
      const there = await readMessages(office.log, nameTaskChannel(task), { limit: Infinity }, office.warn);
      const known = new Set(there.map(({ extra }) => extra?.[TASK_LINE]));
      add(
        task,
        lines.filter((line) => !known.has(encodeTaskLine(line))),
        findAgent,
      );
    },
    waitForAll: () => last,
  };
}

/** Renders the text for people: the question itself, the failure with its reason, or DATA. */
function renderTaskMessageBody(task: Task, { kind, to, body, error }: ExchangeLine): string {
  const { id, session } = task;
  const question = task.question ?? (error === 'E17' ? createBudgetQuestion(task)?.question : undefined);
  if (to === USER && kind === 'error' && !question)
    return `${session}/${id} failed (${error}): ${getPairValue(parseDataPairs(body), 'desc') ?? body}\nTo try again: council task retry ${session}/${id}`;
  if ((kind !== 'disambiguate' && to !== USER) || !question) return body;
  const options = question.options.map((one, at) => `${at + 1}. ${one}`).join('\n');
  return `${question.text}\n${options}\nAnswer with: council task answer ${session}/${id} 1`;
}

const BLOCK = 16;

export interface NumberAllocator {
  /** Makes this many numbers available to `next`, until the next await. */
  prepare(count: number): Promise<void>;
  next(): MessageNumber;
  /** Returns unused numbers, unless another process has taken numbers since. */
  end(): Promise<void>;
}

/** Assigns the message numbers of a session, reserving blocks of them in its document. */
export function createMessageNumbering(tasks: Tasks, session: string): NumberAllocator {
  const free: { at: number; context: string }[] = [];
  /** Reserves a block; false if the numbers are used up and no `fresh` session is given. */
  async function take(most: number, fresh?: string): Promise<boolean> {
    let taken: { last: number; context: string } | undefined;
    await tasks.changeSession(session, (before) => {
      taken = undefined;
      if (!before) return undefined;
      const isFull = before.messages + most > ENDS.message;
      if (isFull && fresh === undefined) return undefined;
      taken = isFull
        ? { last: most, context: fresh! }
        : { last: before.messages + most, context: before.context ?? session };
      return { ...before, messages: taken.last, context: taken.context };
    });
    const { last, context } = taken ?? { last: 0, context: session };
    for (let at = last - most + 1; taken && at <= last; at++) free.push({ at, context });
    return taken !== undefined;
  }
  return {
    async prepare(count) {
      const missing = count - free.length;
      if (missing <= 0) return;
      const most = Math.max(BLOCK, missing);
      if ((await take(most)) || !(await tasks.session(session))) return;
      // Numbers are never reused: further messages get another session id.
      const next = await tasks.changeNumbers((numbers) => ({ ...numbers, session: numbers.session + 1 }));
      await take(most, `S${next.session}`);
    },
    next() {
      const number = free.shift();
      if (number === undefined) throw new Error('Numbers of messages are taken before they are prepared.');
      return { id: `M${number.at}`, context: number.context };
    },
    async end() {
      const [first, last] = [free[0], free.at(-1)];
      if (!first || !last || last.at - first.at !== free.length - 1) return;
      // Emptied first, so that they cannot be taken meanwhile.
      const back = free.splice(0);
      await tasks.changeSession(session, (before) =>
        before && before.messages === last.at && (before.context ?? session) === last.context
          ? { ...before, messages: before.messages - back.length }
          : undefined,
      );
    },
  };
}
