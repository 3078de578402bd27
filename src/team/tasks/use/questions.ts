// Questions about tasks: answered by a person, or by their first option when the time is over.
import { CouncilError } from '../../../core/base/errors.ts';
import { answerQuestion, requireChosenOption, expireQuestion } from '../answer-question.ts';
import type { Task } from '../task.ts';
import { buildMessageName } from '../wire-lines.ts';
import type { Numbered } from '../wire-lines.ts';
import type { Playing } from './session.ts';

/** Continues tasks whose question has expired. */
export async function questionsDue(playing: Playing): Promise<void> {
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
 * The task with its answer, or with the default if there is none. If another process was faster,
 * its answer stands and this one is not posted. Throws `failed` if nothing is asked, `conflict` if
 * the answer is late.
 */
export async function withAnswer(
  { tasking, numbers, channel, agentOf }: Answering,
  task: Task,
  answer: string | undefined,
): Promise<Task | undefined> {
  // Checked first, so that a refused answer takes no message numbers.
  if (answer !== undefined) requireChosenOption(task, answer);
  await numbers.prepare(2);
  const taken: Numbered[] = [];
  const now = tasking.clock.now();
  const wire = task.launches.at(-1)?.wire ?? 'O1';
  const answerTo = (asking: Task): Task => {
    let used = 0;
    const answering = { now, wire, number: () => (taken[used++] ??= numbers.next()) };
    return answer === undefined
      ? expireQuestion(asking, answering)
      : answerQuestion(asking, answer, answering);
  };
  answerTo(task);
  // The process that runs the task goes on at once, with the remaining numbers.
  await numbers.end();
  let known: Set<string> | undefined;
  const after = await tasking.tasks.change(task.session, task.id, (newest) => {
    // Who asked may have left meanwhile: the question still stands.
    const isAsked = newest !== undefined && asksTheSame(newest, task);
    known = isAsked ? new Set(newest.exchange.map(buildMessageName)) : undefined;
    return isAsked ? answerTo(newest) : undefined;
  });
  if (after && !known && answer !== undefined) throw tooLate(after);
  if (!after || !known) return after;
  const before = known;
  const added = after.exchange.filter((one) => !before.has(buildMessageName(one)));
  channel.add(after, added, agentOf);
  return after;
}

/** Whether the very question is open still; another one counts one clarification more. */
const asksTheSame = (newest: Task, task: Task): boolean =>
  newest.question !== null &&
  newest.question.text === task.question?.text &&
  newest.clarifications === task.clarifications &&
  newest.attempts === task.attempts;

function tooLate({ session, id, question }: Task): CouncilError {
  const name = `${session}/${id}`;
  return new CouncilError('conflict', `${name} has changed meanwhile: this answer was not given.`, {
    hint: question ? 'Run the same command again.' : `Who was faster: council task log ${name}`,
  });
}

/** What answering takes of playing. */
interface Answering extends Pick<Playing, 'numbers' | 'channel' | 'agentOf'> {
  tasking: Pick<Playing['tasking'], 'tasks' | 'clock'>;
}
