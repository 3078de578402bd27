// The line that a worker is launched with: a request, or the answer that it waited for.
import { iso } from '../../core/base/clock.ts';
import { LIMITS } from '../messages/policy.ts';
import { asksAgain } from './build-lines.ts';
import type { ExchangeLine, Task } from './task.ts';
import { asValue, buildTaskLine, ORCHESTRATOR, requestData, USER, withPairs } from './wire-lines.ts';
import type { Numbered } from './wire-lines.ts';

/** What was handed on and came back, with its last line. */
export type Returned = Pick<Task, 'exchange' | 'state' | 'error'>;

/**
 * The line for the next launch of this worker: what was said to it and is not answered yet, what came back from whom it
 * handed on to, or a new request. `isNew`: it belongs at the end of the exchange.
 */
export function selectLaunchLine(
  task: Task,
  { wire, returned }: { wire: string; returned: Returned | undefined },
  now: number,
  number: () => Numbered,
): { line: ExchangeLine; isNew: boolean } {
  const back = task.waitsFor === null ? undefined : returned?.exchange.findLast(({ to }) => to === wire);
  if (back) return { line: back, isNew: false };
  if (task.waitsFor !== null && returned) {
    const code = returned.error?.code ?? 'E99';
    const body = `desc=${asValue(returned.error?.text ?? 'failed')}`;
    const saying = { from: ORCHESTRATOR, to: wire, kind: 'error', state: 'R', error: code, body } as const;
    return { line: buildTaskLine(task, { ...number(), time: iso(now), ...saying }), isNew: true };
  }
  const last = task.launches.at(-1)?.outcome;
  // After a launch that failed or was cut short there is a request of its own.
  const goesOn = last === undefined || last === 'asked' || last === 'handed_on' || last === 'waited';
  const lastOwn = task.exchange.findLastIndex(({ from }) => from === wire);
  const open = goesOn
    ? task.exchange.slice(lastOwn + 1).findLast((one) => isUnansweredLine(one, wire))
    : undefined;
  if (open) return { line: open, isNew: false };
  if (wire === ORCHESTRATOR) return { line: fromPerson(task, now), isNew: false };
  const body = withPairs(requestData(task), circumstances(task, wire));
  const line = buildTaskLine(task, {
    ...number(),
    time: iso(now),
    from: ORCHESTRATOR,
    to: wire,
    kind: 'request',
    state: 'N',
    body,
  });
  return { line, isNew: true };
}

/** What an orchestrator is launched with: the words of a person, which are no message of the session. */
const fromPerson = (task: Task, now: number): ExchangeLine =>
  buildTaskLine(task, {
    id: 'M0',
    time: iso(now),
    from: USER,
    to: ORCHESTRATOR,
    kind: 'request',
    state: 'N',
    body: requestData(task),
  });

const isUnansweredLine = (line: ExchangeLine, wire: string): boolean =>
  (line.to === wire && ['clarify', 'handoff', 'request'].includes(line.kind)) || asksAgain(line, wire);

/** Why it is asked once more, or in place of another. Who has it begun again as it was starts the count again. */
function circumstances(task: Task, wire: string): Record<string, string> {
  const { launches, attempts, retriedAt } = task;
  const last = launches.at(-1);
  if (last === undefined) return {};
  if (last.outcome === 'failed' && last.wire !== wire)
    return { fallback_from: last.wire, reason: asValue(last.error?.code ?? 'E30') };
  const before = task.exchange.findLast(({ to, kind }) => to === wire && kind === 'request');
  const isMended = before?.budget !== (task.budget ?? undefined);
  const isBegunAgain = retriedAt !== null && last.at < retriedAt && !isMended;
  if (!isBegunAgain && (last.outcome !== 'failed' || attempts === 0)) return {};
  return { retry: String(attempts), max: String(LIMITS.retries) };
}
