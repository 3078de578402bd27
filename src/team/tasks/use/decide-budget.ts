// What a person decides about a task that its budget is too small for: more, something simpler, or nothing.
import { answerQuestion, findChosenOption, BUDGET_CHOICES, budgetQuestion } from '../answer-question.ts';
import { taskChannel } from '../task-names.ts';
import type { Task } from '../task.ts';
import { begunAnew } from '../transitions.ts';
import { ORCHESTRATOR } from '../wire-lines.ts';
import type { App } from '../../../core/app/app.ts';
import { postOffice } from '../../messages/use/ports.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { acknowledgeQuestions } from './change.ts';
import { taskChannels, createMessageNumbering } from './channel.ts';
import { reopenSession } from './create.ts';
import { openTaskStore } from './ports.ts';

/** The task with the answer: begun anew, or given up for good. Throws `usage` for what is no option. */
export async function decideBudget(app: App, task: Task, answer: string): Promise<Task> {
  const asked = budgetQuestion(task);
  if (!asked) return task;
  const choice = BUDGET_CHOICES[findChosenOption(asked.question, answer).at];
  const workspace = openWorkspace(app);
  const tasks = openTaskStore(app, workspace);
  const now = workspace.keeping.clock.now();
  const numbers = createMessageNumbering(tasks, task.session);
  await numbers.prepare(1);
  const answering = { now, number: numbers.next, wire: ORCHESTRATOR };
  const { exchange } = answerQuestion({ ...task, question: asked.question }, answer, answering);
  const line = exchange.at(-1)!;
  await numbers.end();
  const after = await tasks.change(task.session, task.id, (one) => {
    if (!one || !budgetQuestion(one)) return undefined;
    const told = { ...one, exchange: [...one.exchange, line] };
    if (choice === 'abandon') return told;
    const how = choice === 'raise' ? { budget: asked.budget } : { simpler: true };
    return { ...begunAnew(told, now), ...how };
  });
  if (after?.exchange.at(-1)?.id !== line.id) return after ?? task;
  if (choice !== 'abandon') await reopenSession(tasks, task.session);
  const office = postOffice(app, workspace);
  const channel = taskChannels(office);
  channel.add(after, [line], () => undefined);
  await acknowledgeQuestions(office, taskChannel(task));
  await channel.settled();
  return after;
}
