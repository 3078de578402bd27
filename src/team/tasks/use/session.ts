// One session while it is played: what all parts of that share, its channel, and the numbers of its messages.
import type { Queue } from '../task-queue.ts';
import type { Session, Tasks } from '../store.ts';
import type { Task, ExchangeLine } from '../task.ts';
import type { Tasking } from './ports.ts';
import type { Staff } from './workers.ts';
import type { Office } from '../../messages/message-service.ts';
import { parseDataPairs } from '../../messages/codecs/data-pairs.ts';
import { readMessages, TASK_LINE } from '../../messages/channel.ts';
import { budgetQuestion } from '../answer-question.ts';
import { taskChannel } from '../task.ts';
import { ORCHESTRATOR, USER, getPairValue, encodeTaskLine, ENDS } from '../wire-lines.ts';
import type { Numbered } from '../wire-lines.ts';

export interface Playing {
  tasking: Tasking;
  session(): Session;
  numbers: Numbering;
  channel: TaskChannel;
  queue: Queue;
  staff: Staff;
  signal: AbortSignal;
  /** Tasks whose worker is still there, and waits for a part that it has handed on: they take no place. */
  waiting: Set<string>;
  /** Aborted when the launch of this task alone is to end. */
  getStop(task: Task): AbortSignal;
  stop(task: string): void;
  findAgent(wire: string): string | undefined;
  findWorker(capability: string): string | undefined;
  /** Plays another session until all of it is over, beside this one. */
  playOther(session: string): Promise<void>;
}

interface TaskChannel {
  /** Adds lines that are new, one after the other; failures are told and stop nothing: the task keeps its lines. */
  add(task: Task, lines: readonly ExchangeLine[], findAgent: (wire: string) => string | undefined): void;
  /** Adds what a process that died had not added. */
  complete(
    task: Task,
    lines: readonly ExchangeLine[],
    findAgent: (wire: string) => string | undefined,
  ): Promise<void>;
  /** When everything is there. */
  waitForAll(): Promise<void>;
}

/** Posts the lines of tasks into channels, one after the other. */
export function taskChannels(office: Office): TaskChannel {
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
    const isRefused = line.to === USER && line.error === 'E17' && budgetQuestion(task) !== undefined;
    const isAsked = (line.kind === 'disambiguate' && line.from === ORCHESTRATOR) || isRefused;
    // What a worker asks a person is handed on by the orchestrator: once is enough.
    const isHandedUp = line.kind === 'disambiguate' && !isAsked;
    const draft = {
      channel: taskChannel(task),
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
      const there = await readMessages(office.log, taskChannel(task), { limit: Infinity }, office.warn);
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

/** What a person reads: the question itself, what has failed and why, or DATA. */
function renderTaskMessageBody(task: Task, { kind, to, body, error }: ExchangeLine): string {
  const { id, session } = task;
  const question = task.question ?? (error === 'E17' ? budgetQuestion(task)?.question : undefined);
  if (to === USER && kind === 'error' && !question)
    return `${session}/${id} failed (${error}): ${getPairValue(parseDataPairs(body), 'desc') ?? body}\nTo try again: council task retry ${session}/${id}`;
  if ((kind !== 'disambiguate' && to !== USER) || !question) return body;
  const options = question.options.map((one, at) => `${at + 1}. ${one}`).join('\n');
  return `${question.text}\n${options}\nAnswer with: council task answer ${session}/${id} 1`;
}

const BLOCK = 16;

export interface Numbering {
  /** Makes sure that so many can be had, as long as nothing is waited for. */
  prepare(count: number): Promise<void>;
  next(): Numbered;
  /** Returns unused numbers, unless another process has taken numbers since. */
  end(): Promise<void>;
}

/** Gives the messages of a session their numbers, taken from its document some at a time. */
export function createMessageNumbering(tasks: Tasks, session: string): Numbering {
  const free: { at: number; context: string }[] = [];
  /** Takes as many, or none where the wire has no more for this session and `fresh` is not its next one. */
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
      // No number is given twice: what is said from now on belongs to a session of its own.
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
