// A worker that is spoken with while it works: what it asks, or hands on, is answered in lines on its stdin.
import { setTimeout as wait } from 'node:timers/promises';
import type { LineTalk, SpeakResult } from '../../agents/runners/speak.ts';
import { judge } from '../../tasks/judge.ts';
import { requestFor } from '../../tasks/request.ts';
import { countLines, readSaid } from '../../tasks/said.ts';
import { orchestrated } from '../../tasks/say.ts';
import type { Judging } from '../../tasks/say.ts';
import type { Line, Task, TaskError } from '../../tasks/task.ts';
import { holds, isOver, withBudgetBack, withLines } from '../../tasks/transitions.ts';
import { asValue, written } from '../../tasks/wire.ts';
import { withAnswer } from './questions.ts';
import type { Playing } from './session.ts';
import { commit, judgingOf, tellOf } from './settle.ts';
import type { Launched } from './settle.ts';
import { versionFor } from './speak.ts';

/** How often it is looked at whether somebody has answered. */
const LOOK_MS = 100;
/** How often it may say what cannot be read. */
const MOST_FAULTS = 3;

export interface Conversation extends LineTalk {
  /** Nothing more is answered: how the task stands, and the launch with what was said since the last answer. Throws what answering threw. */
  end(result: SpeakResult): Promise<{ task: Task; result: SpeakResult }>;
}

/** For a task that was just launched. */
export function conversation(playing: Playing, begun: Task, launched: Launched): Conversation {
  const { wire, line, agent } = launched;
  const version = versionFor(playing.staff.members, agent);
  let task = begun;
  let rest = '';
  /** Lines that it has printed, and those of them that were answered. */
  let count = 0;
  let answered = 0;
  let isEnded = false;
  let faults = 0;
  let last: Promise<string | undefined | null> = Promise.resolve(undefined);

  async function hear(row: string): Promise<string | undefined | null> {
    rest += `${row}\n`;
    count++;
    if (countLines(row) === 0) return undefined;
    const judging = await judgingOf(playing, task, launched, rest);
    const { last: said, problem } = readSaid(row, { task, wire, answers: judging.answers });
    if (problem) return objection(problem, judging);
    if (!said) return undefined;
    if (said.kind === 'response' || said.kind === 'error') return null;
    const ended = { output: rest, failure: undefined, usage: null };
    // What is refused is judged when the launch ends, with numbers of its own.
    if (isOver(judge(task, ended, { ...judging, number: () => 'M0' }).task)) return null;
    const verdict = judge(task, ended, judging);
    const next = { ...verdict.task, lease: task.lease, launches: task.launches };
    if (next.question) await playing.numbers.end();
    const kept = await commit(playing, task, { ...verdict, task: next });
    if (!kept || !isMine(kept)) return null;
    tellOf(playing, task, kept, verdict);
    rest = '';
    answered = count;
    task = kept;
    if (kept.waitsFor !== null) await handOn(kept.waitsFor);
    return answer();
  }

  /** It is told at once what cannot be read, and may say it again; but not for ever. */
  async function objection({ code, text }: TaskError, judging: Judging): Promise<string | null> {
    if (++faults > MOST_FAULTS) return null;
    const saying = {
      to: wire,
      kind: 'error',
      state: 'R',
      error: code,
      body: `desc=${asValue(text)}`,
    } as const;
    const reply = orchestrated(task, saying, judging);
    return tell(reply, (now) => withLines(now, [reply]));
  }

  /** Said to the worker, and kept; null where the task is nobody's business here any more. */
  async function tell(reply: Line, change: (now: Task) => Task): Promise<string | null> {
    const after = await playing.tasking.tasks.change(task.session, task.id, (now) =>
      now && isMine(now) ? change(now) : undefined,
    );
    if (!after || !isMine(after)) return null;
    const isNew = !task.exchange.some(({ id }) => id === reply.id);
    task = after;
    if (isNew) playing.channel.add(after, [reply], playing.agentOf);
    return written(reply, version);
  }

  const isMine = (now: Task): boolean => begun.lease !== null && holds(now, begun.lease.id);

  /** Its part is played beside it; meanwhile its own place is free. */
  async function handOn(id: string): Promise<void> {
    const part = await playing.tasking.tasks.read(task.session, id);
    if (part) playing.queue.put(part);
    playing.waiting.add(task.id);
  }

  /** The line that answers, once there is one; null where the task is nobody's business here any more. */
  async function answer(): Promise<string | null> {
    const { tasking, numbers } = playing;
    const part = await settled();
    playing.waiting.delete(task.id);
    if (isEnded || !isMine(task)) return null;
    await numbers.prepare(1);
    const asked = task.launches.with(-1, { ...task.launches.at(-1)!, outcome: part ? 'handed_on' : 'asked' });
    const { line: reply, isNew } = requestFor(
      { ...task, launches: asked },
      { wire, returned: part },
      tasking.clock.now(),
      numbers.next,
    );
    return tell(reply, (now) =>
      withLines({ ...withBudgetBack(now, part), waitsFor: null }, isNew ? [reply] : []),
    );
  }

  /** Waits until nothing is open: a question is answered, or its time is over; a part is done. Resolves to that part. */
  async function settled(): Promise<Task | undefined> {
    const { tasks, clock } = playing.tasking;
    for (; !isEnded; await wait(LOOK_MS)) {
      task = (await tasks.read(task.session, task.id)) ?? task;
      if (!isMine(task)) return undefined;
      const { question, waitsFor } = task;
      const until = question?.until ?? null;
      const isDue = until !== null && Date.parse(until) <= clock.now();
      if (isDue) task = (await withAnswer(playing, task, undefined)) ?? task;
      else if (waitsFor !== null) {
        const part = await tasks.read(task.session, waitsFor);
        if (part && isOver(part)) return part;
      } else if (!question) return undefined;
    }
    return undefined;
  }

  return {
    first: written(line, version),
    answer: (row) => (last = last.then(() => hear(row))),
    async end(result) {
      isEnded = true;
      playing.waiting.delete(begun.id);
      await last;
      const now = (await playing.tasking.tasks.read(task.session, task.id)) ?? task;
      return { task: now, result: { ...result, ...sinceLine(result, answered) } };
    },
  };
}

/** What was printed after so many lines; nothing at all is no answer. */
function sinceLine({ output, ok }: SpeakResult, answered: number): Partial<SpeakResult> {
  if (answered === 0) return {};
  const left = output.toString('utf8').split('\n').slice(answered).join('\n');
  const isSilent = ok && left.trim() === '';
  return {
    output: Buffer.from(left),
    ...(isSilent && {
      ok: false,
      failure: 'failed',
      reason: 'it ended without a word after the last answer',
    }),
  };
}
