// Answers a worker's questions: on its stdin while it works, by a person, or by default after the time limit.
import { setTimeout as wait } from 'node:timers/promises';
import type { LineConversation, SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import { judge } from '../judge-launch.ts';
import { selectLaunchLine, wasAskedAgain } from '../build-lines.ts';
import { readSaid } from '../parse-worker-output.ts';
import type { WorkerOutput } from '../parse-worker-output.ts';
import { changeHeldTask } from '../store.ts';
import type { ExchangeLine, Task } from '../task.ts';
import { isLeaseHeld, isOver, withBudgetBack, withLines } from '../transitions.ts';
import { buildMessageName, encodeTaskLine } from '../wire-lines.ts';
import type { SessionPlay } from './session.ts';
import { commit, buildJudgingContext, announceTaskChange } from './finish-launch.ts';
import type { LaunchedWorker } from './finish-launch.ts';
import { selectWorkerVersion } from './run-worker.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { answerQuestion, requireChosenOption, expireQuestion } from '../answer-question.ts';
import type { MessageNumber } from '../wire-lines.ts';

/** Polling interval for answers (ms). */
const ANSWER_LOOK_MS = 100;
/** Text this soon after a request to repeat is the answer; later text may be about the progress of its work. */
const REPLY_MS = 2000;

export interface WorkerConversation extends LineConversation {
  /** Ends the conversation. Returns the task, and the launch with the output since the last answer. Rethrows. */
  end(result: SpeakResult): Promise<{ task: Task; result: SpeakResult }>;
}

export function startConversation(
  playing: SessionPlay,
  begun: Task,
  launched: LaunchedWorker,
): WorkerConversation {
  const { wire, line, agent } = launched;
  const version = selectWorkerVersion(playing.staff.members, agent);
  let task = begun;
  let rest = '';
  /** Byte offsets: the end of the output so far, and the end of the part that was answered. */
  let heard = 0;
  let answered = 0;
  let answeredAt = 0;
  let isReply = false;
  let isEnded = false;
  let last: Promise<string | undefined | null> = Promise.resolve(undefined);

  async function hear(row: string | undefined, end: number): Promise<string | undefined | null> {
    const isSilent = row === undefined;
    if (!isSilent) {
      rest += `${row}\n`;
      isReply ||= playing.tasking.clock.now() - answeredAt < REPLY_MS;
    }
    heard = end;
    const read = (text: string): WorkerOutput =>
      readSaid(text, { task, wire, tasks: playing.session().tasks });
    const alone = row === undefined ? undefined : read(row);
    if (alone && !alone.last && !alone.problem) return undefined;
    const { lines, last: said, problem } = read(rest);
    // The row may be in reasoning, code or an example: the next rows will show.
    if (alone?.last && !said) return undefined;
    // Plain text is answered only when the worker waits silently, and not if it speaks in lines.
    if (isSilent && (rest.trim() === '' || (lines.length > 0 && !problem))) return undefined;
    if (isSilent && !isReply && wasAskedAgain(task, wire)) return undefined;
    if (said?.kind === 'response' || said?.kind === 'error') return null;
    const judging = await buildJudgingContext(playing, task, launched);
    judging.needsLine ||= isSilent;
    const ended = { output: rest, failure: undefined, usage: null };
    // A refusal is judged when the launch ends, with new message numbers.
    if (isOver(judge(task, ended, { ...judging, number: () => ({ id: 'M0' }) }).task)) return null;
    const verdict = judge(task, ended, judging);
    const next = { ...verdict.task, lease: task.lease, launches: task.launches };
    if (next.question) await playing.numbers.end();
    const kept = await commit(playing, task, { ...verdict, task: next });
    if (!kept || !isMine(kept)) return null;
    announceTaskChange(playing, task, kept, verdict);
    rest = '';
    answered = heard;
    task = kept;
    if (kept.waitsFor !== null) await playPart(kept.waitsFor);
    const reply = await answer();
    answeredAt = playing.tasking.clock.now();
    isReply = false;
    return reply;
  }

  /** Sends the line to the worker and saves it; null if this process no longer has the task. */
  async function tell(reply: ExchangeLine, change: (now: Task) => Task): Promise<string | null> {
    const after = await changeHeldTask(playing.tasking.tasks, begun, change);
    if (!after || !isMine(after)) return null;
    const isNew = !task.exchange.some((one) => buildMessageName(one) === buildMessageName(reply));
    task = after;
    if (isNew) playing.channel.add(after, [reply], playing.findAgent);
    return encodeTaskLine(reply, version);
  }

  const isMine = (now: Task): boolean => begun.lease !== null && isLeaseHeld(now, begun.lease.id);

  /** Plays the handed-on part; meanwhile this task takes no slot. */
  async function playPart(id: string): Promise<void> {
    const part = await playing.tasking.tasks.read(task.session, id);
    if (part) playing.queue.put(part);
    playing.waiting.add(task.id);
  }

  /** Waits for the answering line; null if this process no longer has the task. */
  async function answer(): Promise<string | null> {
    const { tasking, numbers } = playing;
    const part = await waitUntilSettled();
    playing.waiting.delete(task.id);
    if (isEnded || !isMine(task)) return null;
    await numbers.prepare(1);
    const asked = task.launches.with(-1, { ...task.launches.at(-1)!, outcome: part ? 'handed_on' : 'asked' });
    const { line: reply, isNew } = selectLaunchLine(
      { ...task, launches: asked },
      { wire, returned: part },
      tasking.clock.now(),
      numbers.next,
    );
    return tell(reply, (now) =>
      withLines({ ...withBudgetBack(now, part), waitsFor: null }, isNew ? [reply] : []),
    );
  }

  /** Waits until the question is answered or expired, or the part is done. Resolves to that part. */
  async function waitUntilSettled(): Promise<Task | undefined> {
    const { tasks, clock } = playing.tasking;
    for (; !isEnded; await wait(ANSWER_LOOK_MS)) {
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
    first: encodeTaskLine(line, version),
    answer: (row, end) => (last = last.then(() => hear(row, end))),
    async end(result) {
      isEnded = true;
      playing.waiting.delete(begun.id);
      await last;
      const now = (await playing.tasking.tasks.read(task.session, task.id)) ?? task;
      return { task: now, result: { ...result, ...selectUnansweredOutput(result, answered) } };
    },
  };
}

/** Returns the output after this many bytes; no output at all counts as a failure. */
function selectUnansweredOutput({ output, ok }: SpeakResult, answered: number): Partial<SpeakResult> {
  if (answered === 0) return {};
  const left = output.subarray(answered);
  const isSilent = ok && left.toString('utf8').trim() === '';
  return {
    output: left,
    ...(isSilent && {
      ok: false,
      failure: 'failed',
      reason: 'it ended without a word after the last answer',
    }),
  };
}

/** Continues tasks whose question has expired. */
export async function expireQuestions(playing: SessionPlay): Promise<void> {
  const { queue, tasking } = playing;
  const now = tasking.clock.now();
  for (const task of queue.all()) {
    const { question } = task;
    if (!question || question.until === null || Date.parse(question.until) > now) continue;
    const after = await withAnswer(playing, task, undefined);
    if (after) queue.put(after);
  }
}

/**
 * Returns the task with its answer, or with the default if there is none. If another process was faster,
 * its answer counts and this one is not posted. Throws `failed` if nothing is asked, `conflict` if
 * the answer is late.
 */
export async function withAnswer(
  { tasking, numbers, channel, findAgent }: QuestionContext,
  task: Task,
  answer: string | undefined,
): Promise<Task | undefined> {
  // Checked first, so that a refused answer takes no message numbers.
  if (answer !== undefined) requireChosenOption(task, answer);
  await numbers.prepare(2);
  const taken: MessageNumber[] = [];
  const now = tasking.clock.now();
  const wire = task.launches.at(-1)?.wire ?? 'O1';
  const answerTask = (asking: Task): Task => {
    let used = 0;
    const answering = { now, wire, number: () => (taken[used++] ??= numbers.next()) };
    return answer === undefined
      ? expireQuestion(asking, answering)
      : answerQuestion(asking, answer, answering);
  };
  answerTask(task);
  // The process that runs the task continues at once, with the remaining numbers.
  await numbers.end();
  let known: Set<string> | undefined;
  const after = await tasking.tasks.change(task.session, task.id, (newest) => {
    // The launch may have ended meanwhile: the question is still open.
    const isAsked = newest !== undefined && isSameQuestion(newest, task);
    known = isAsked ? new Set(newest.exchange.map(buildMessageName)) : undefined;
    return isAsked ? answerTask(newest) : undefined;
  });
  if (after && !known && answer !== undefined) throw createLateAnswerError(after);
  if (!after || !known) return after;
  const before = known;
  const added = after.exchange.filter((one) => !before.has(buildMessageName(one)));
  channel.add(after, added, findAgent);
  return after;
}

/** True if the same question is still open; every other question increases `clarifications`. */
const isSameQuestion = (newest: Task, task: Task): boolean =>
  newest.question !== null &&
  newest.question.text === task.question?.text &&
  newest.clarifications === task.clarifications &&
  newest.attempts === task.attempts;

function createLateAnswerError({ session, id, question }: Task): CouncilError {
  const name = `${session}/${id}`;
  return new CouncilError('conflict', `${name} has changed meanwhile: this answer was not given.`, {
    hint: question ? 'Run the same command again.' : `Who was faster: council task log ${name}`,
  });
}

interface QuestionContext extends Pick<SessionPlay, 'numbers' | 'channel' | 'findAgent'> {
  tasking: Pick<SessionPlay['tasking'], 'tasks' | 'clock'>;
}
