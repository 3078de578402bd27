// What who is at work does not do with tasks: what is for a person, and launching others.
import { CouncilError } from '../../base/errors.ts';
import { isFromAgent, isFromWork } from '../app.ts';
import type { App } from '../app.ts';
import type { TaskInput } from '../input/tasks.ts';

/** Who is at work neither answers for a person nor has their own task begun anew. */
const FOR_PERSONS: readonly TaskInput['action'][] = ['answer', 'retry', 'pause', 'resume'];
/** A worker never launches workers: it hands on, with a line. */
const LAUNCHES: readonly TaskInput['action'][] = ['run', 'plan', 'play'];

/** Throws `forbidden` in a launch, for an action that is not for agents. */
export function refuseAtWork({ env }: Pick<App, 'env'>, action: TaskInput['action']): void {
  if (FOR_PERSONS.includes(action) && isFromAgent(env))
    throw new CouncilError(
      'forbidden',
      'An agent answers no question of a task and retries none: a person does.',
      { hint: 'This is for whoever has the tasks done.' },
    );
  if (LAUNCHES.includes(action) && isFromWork(env))
    throw new CouncilError('forbidden', 'A worker launches no workers.', {
      hint: 'Hand the part on: end with a line of the type X to another worker, or to O1 with call=CAPABILITY.',
    });
}
