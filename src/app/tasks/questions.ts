// Questions about tasks: answered by a person, or by their first option when the time is over.
import { CouncilError } from '../../base/errors.ts';
import { answered, askedOf, unanswered } from '../../tasks/answer.ts';
import type { Task } from '../../tasks/task.ts';
import type { Playing } from './session.ts';

/** Goes on with the tasks whose question nobody has answered in time. */
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
 * The task with its answer; without one, as it is when nobody answers. Where somebody else was faster it is theirs, and nothing
 * of this answer is posted. Throws `failed` where nothing is asked, and `conflict` for an answer that came too late.
 */
export async function withAnswer(
  { tasking, numbers, channel, agentOf }: Answering,
  task: Task,
  answer: string | undefined,
): Promise<Task | undefined> {
  // What is refused takes no numbers: whoever plays may take others meanwhile, and these would be missing.
  if (answer !== undefined) askedOf(task, answer);
  await numbers.prepare(2);
  const answering = {
    now: tasking.clock.now(),
    number: numbers.next,
    wire: task.launches.at(-1)?.wire ?? 'O1',
  };
  const next = answer === undefined ? unanswered(task, answering) : answered(task, answer, answering);
  // Whoever plays goes on at once, with the numbers that are left.
  await numbers.end();
  let isGiven = false;
  const after = await tasking.tasks.change(task.session, task.id, (now) => {
    isGiven = JSON.stringify(now) === JSON.stringify(task);
    return isGiven ? next : undefined;
  });
  if (after && !isGiven && answer !== undefined) throw tooLate(after);
  if (!after || !isGiven) return after;
  const known = new Set(task.exchange.map(({ id }) => id));
  const added = next.exchange.filter(({ id }) => !known.has(id));
  channel.add(after, added, agentOf);
  return after;
}

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
