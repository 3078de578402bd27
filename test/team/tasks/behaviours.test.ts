import { expect, it } from 'vitest';
import { answerQuestion } from '../../../src/team/tasks/answer-question.ts';
import { judge } from '../../../src/team/tasks/judge-launch.ts';
import { selectLaunchLine } from '../../../src/team/tasks/build-lines.ts';
import type { LaunchContext } from '../../../src/team/tasks/build-lines.ts';
import { buildTask } from '../../../src/team/tasks/task.ts';
import type { Task } from '../../../src/team/tasks/task.ts';
import { isOver, startLaunch } from '../../../src/team/tasks/transitions.ts';
import { encodeTaskLine } from '../../../src/team/tasks/wire-lines.ts';
import type { MessageNumber } from '../../../src/team/tasks/wire-lines.ts';
import { BEHAVIOURS, saidFor } from '../../helpers/worker-behaviours.ts';
import { OUTCOMES } from '../../helpers/worker-outcomes.ts';

const NOW = Date.parse('2026-01-11T16:33:15.000Z');
const AT = new Date(NOW).toISOString();
const lease = {
  ...{ host: 'h', bootId: '', pid: 2, startTime: '' },
  ...{ id: 'lease', until: AT, group: null },
};

/** Launches the worker until its task is over; every question is answered with the first option. */
function play(behaviour: string): Task {
  let count = 0;
  let number = 0;
  const next = (): MessageNumber => ({ id: `M${++number}` });
  let task: Task = buildTask({ id: 'T1', session: 'S1', text: 'x' }, AT);
  while (!isOver(task) && ++count < 10) {
    const { line, isNew } = selectLaunchLine(task, { wire: 'W1', returned: undefined }, NOW, next);
    if (isNew) task = { ...task, exchange: [...task.exchange, line] };
    task = startLaunch(task, { lease, worker: 'ada', wire: 'W1' }, NOW);
    const judging: LaunchContext = {
      ...{ now: NOW, number: next, wire: 'W1', answers: 'O1', request: line, patience: 60_000 },
      ...{
        limits: { depth: 3, children: 3 },
        tasks: ['T1'],
        workers: { W1: 'ada' },
        findWorker: () => undefined,
      },
    };
    const output = saidFor(behaviour, encodeTaskLine(line), count);
    task = judge(task, { output, failure: undefined, usage: null }, judging).task;
    if (task.question) task = answerQuestion(task, '1', { now: NOW, number: next, wire: 'W1' });
  }
  return task;
}

it('has an outcome for every behaviour', () => {
  expect(Object.keys(OUTCOMES).sort()).toEqual(Object.keys(BEHAVIOURS).sort());
});

it.each(Object.keys(BEHAVIOURS))(
  'a worker that behaves as %s has no success that it did not say',
  (behaviour) => {
    const { state, error, launches, exchange } = play(behaviour);
    expect(state === 'D' ? 'D' : error?.code).toBe(OUTCOMES[behaviour]);
    // It is asked once; only its own questions come beside.
    expect(launches.length).toBeLessThanOrEqual(3);
    // Updates that follow each other are one.
    expect(exchange.length).toBeLessThan(10);
  },
);
