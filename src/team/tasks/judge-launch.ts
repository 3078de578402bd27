// Computes the next state of a task after a launch, its new lines, and a task that is handed on.
import { getPairValue } from '../messages/codecs/data-pairs.ts';
import { formatIso } from '../../core/base/clock.ts';
import { listAnswerOptions } from '../messages/line-rules.ts';
import type { Message } from '../messages/message.ts';
import { LIMITS } from '../messages/policy.ts';
import { draftHandoff } from './handoff.ts';
import { readSaid } from './parse-worker-output.ts';
import type { WorkerOutput } from './parse-worker-output.ts';
import {
  askAgain,
  buildOrchestratorLine,
  closeLaunch,
  buildWorkerLine,
  wasAskedAgain,
  withLine,
} from './build-lines.ts';
import type { EndedLaunch, LaunchContext } from './build-lines.ts';
import { PAUSES, selectFailureStrategy, askTaskQuestion, completeTask, failTask } from './transitions.ts';
import type { FailedLaunch } from './transitions.ts';
import type { Task, TaskDraft, TaskError, TaskUsage } from './task.ts';
import { asData, asValue, ENDS, ORCHESTRATOR, USER } from './wire-lines.ts';

/** The task after a launch, including its new lines, and a task that is handed on. */
export interface LaunchVerdict {
  task: Task;
  child?: TaskDraft;
  /** Notes for a person about how the output was understood. */
  notes?: string[];
}

/** The context of the launch, and how it ended. */
interface Judging extends LaunchContext {
  ended: EndedLaunch;
}

/** Computes the next state of a task after a launch. Pure: time and numbers come in `judging`. */
export function judge(before: Task, ended: EndedLaunch, context: LaunchContext): LaunchVerdict {
  const judging = { ...context, ended };
  const said = readSaid(ended.output, { task: before, wire: judging.wire, tasks: judging.tasks });
  const task = withSaid(chargeUsage(before, ended.usage), said, judging);
  if (said.last) return onLine(task, said, judging);
  if (ended.failure) return onFailure(task, ended.failure, judging);
  if (said.problem) return onUnclear(task, said.problem, judging);
  if (!said.hasWords || judging.needsLine) return onUnclear(task, NO_END, judging);
  return onResult(task, said, said.text, judging);
}

const NO_END = { code: 'E10', text: 'nothing that it said ends its work' };

/** Uses nothing of an unclear answer: asks once more, and then the launch has failed. */
function onUnclear(task: Task, problem: TaskError, judging: Judging): LaunchVerdict {
  if (wasAskedAgain(task, judging.wire)) return onFailure(task, problem, judging);
  const asking = withLine(task, askAgain(task, problem, judging));
  return { task: closeLaunch(asking, { outcome: 'asked' }, judging) };
}

/** Keeps a result that does not fit into a line whole, and refers to it. */
function onResult(task: Task, said: WorkerOutput, body: string, judging: Judging): LaunchVerdict {
  const fits = body === '' || asData(body) !== undefined;
  const reference = `#REF:${judging.request.task}:S`;
  const data = fits ? body : `result=${reference}`;
  const line = buildWorkerLine(task, { ...said.last, kind: 'response', body: data }, judging, 'D');
  const long = `the DATA of its result has ${[...body].length} characters, ${ENDS.data} fit: kept whole as ${reference}`;
  return {
    task: completeTask(
      closeLaunch(withLine(task, line), { outcome: 'done' }, judging),
      said.text,
      judging.now,
    ),
    ...(said.last && !fits && { notes: [long] }),
  };
}

function chargeUsage(task: Task, usage: TaskUsage | null): Task {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return task.budget === null ? task : { ...task, budget: Math.max(0, task.budget - tokens) };
}

/** Adds the worker's updates before, or after, the line that ended the launch. */
function withSaid(
  task: Task,
  { lines, last }: WorkerOutput,
  judging: Judging,
  when: 'before' | 'after' = 'before',
): Task {
  const at = last ? lines.indexOf(last) : lines.length;
  const updates = (when === 'before' ? lines.slice(0, at) : lines.slice(at + 1)).filter(
    ({ kind }) => kind === 'update',
  );
  return updates.reduce((now, line) => withLine(now, buildWorkerLine(now, line, judging, 'R')), task);
}

function onLine(task: Task, said: WorkerOutput, judging: Judging): LaunchVerdict {
  const line = said.last!;
  switch (line.kind) {
    case 'response':
      return onResult(task, said, line.body ?? '', judging);
    case 'error': {
      const code = line.error ?? 'E99';
      const needed = code === 'E17' ? getPairValue(line.data, 'needed') : undefined;
      const desc = getPairValue(line.data, 'desc') ?? line.body ?? code;
      const text = needed === undefined ? desc : `${desc}: it takes about ${needed}`;
      return onFailure(task, { code, text }, judging, line);
    }
    case 'clarify':
      return onClarify(task, line, judging);
    case 'disambiguate':
      return onChoice(task, line, judging);
    default:
      return onHandoff(task, said, judging);
  }
}

function onClarify(task: Task, line: Message, judging: Judging): LaunchVerdict {
  const { now, wire } = judging;
  const text = getPairValue(line.data, 'question') ?? line.body ?? '';
  const suggests = getPairValue(line.data, 'suggest') === 'P2';
  if (text.trim() === '') return onUnclear(task, NO_QUESTION, judging);
  const told = withLine(task, buildWorkerLine(task, line, judging, 'R'));
  const next = closeLaunch(told, { outcome: 'asked' }, judging);
  if (suggests) {
    const answer = buildOrchestratorLine(
      { ...next, priority: 'low' },
      { to: wire, kind: 'clarify', state: 'R', body: 'answer=P2' },
      judging,
    );
    return { task: { ...withLine(next, answer), priority: 'low' } };
  }
  if (task.clarifications >= LIMITS.clarifications) return refuseMoreQuestions(next, judging);
  return {
    task: askTaskQuestion(
      next,
      createTaskQuestion(text, listOfferedOptions(line), 'orchestrator', judging, now),
    ),
  };
}

const NO_QUESTION = { code: 'E10', text: 'a question says what is asked: question=…' };
const NO_CHOICE = { code: 'E10', text: 'a choice names two to four options: opt1=…;opt2=…' };

/** Returns the options offered, of any number. */
const listOfferedOptions = ({ data }: Message): string[] =>
  listAnswerOptions(data)
    .map((one) => one.trim())
    .filter(Boolean);

function refuseMoreQuestions(task: Task, judging: Judging): LaunchVerdict {
  const error = { code: 'E18', text: 'it asked back more than twice' };
  const saying = {
    to: judging.wire,
    kind: 'error',
    state: 'F',
    error: 'E18',
    body: 'desc=max_clarify',
  } as const;
  return { task: failTask(withLine(task, buildOrchestratorLine(task, saying, judging)), error, judging.now) };
}

function onChoice(task: Task, line: Message, judging: Judging): LaunchVerdict {
  const { wire, now } = judging;
  const options = listOfferedOptions(line);
  if (options.length < LIMITS.options.least) return onUnclear(task, NO_CHOICE, judging);
  // The orchestrator passes a worker's choice on to the person.
  const told = wire === ORCHESTRATOR ? task : withLine(task, buildWorkerLine(task, line, judging, 'R'));
  const put = buildOrchestratorLine(
    told,
    { to: USER, kind: 'disambiguate', state: 'R', body: line.body ?? '' },
    judging,
  );
  const next = closeLaunch({ ...told, exchange: [...told.exchange, put] }, { outcome: 'asked' }, judging);
  if (task.clarifications >= LIMITS.clarifications) return refuseMoreQuestions(next, judging);
  const many = `it offers ${options.length} options, ${LIMITS.options.most} are allowed: all are shown`;
  return {
    task: askTaskQuestion(
      next,
      createTaskQuestion(describeChoice(line, options), options, 'human', judging, now),
    ),
    ...(options.length > LIMITS.options.most && { notes: [many] }),
  };
}

/** Returns the question in the worker's words; if it only named the options, those. */
const describeChoice = ({ data }: Message, options: readonly string[]): string =>
  ['question', '', 'desc'].map((key) => getPairValue(data, key)?.trim()).find(Boolean) ??
  `${options.join(' / ')}?`;

const createTaskQuestion = (
  text: string,
  options: string[],
  of: 'human' | 'orchestrator',
  { patience }: Judging,
  now: number,
): NonNullable<Task['question']> => ({ text, options, of, until: formatIso(now + patience), message: null });

function onHandoff(task: Task, said: WorkerOutput, judging: Judging): LaunchVerdict {
  const handed = draftHandoff(task, said, judging);
  if ('error' in handed) {
    const saying = {
      to: judging.wire,
      kind: 'error',
      state: 'F',
      error: handed.error.code,
      body: handed.data,
    } as const;
    const told = { ...task, exchange: [...task.exchange, handed.line] };
    const refused = withLine(told, buildOrchestratorLine(told, saying, judging));
    const { error } = handed;
    return {
      task: failTask(closeLaunch(refused, { outcome: 'failed', error }, judging), error, judging.now),
    };
  }
  const told = withSaid(handed.task, said, judging, 'after');
  const next = judging.wire === ORCHESTRATOR ? told : withNotice(told, said.last!, handed.to, judging);
  return { task: closeLaunch(next, { outcome: 'handed_on' }, judging), child: handed.child };
}

/** The worker should inform the orchestrator; if it did not, adds that. */
function withNotice(task: Task, asked: Message, target: string, judging: Judging): Task {
  const handed = `handoff=${target}`;
  if (task.exchange.some(({ kind, body }) => kind === 'update' && body.includes(handed))) return task;
  const reason = getPairValue(asked.data, 'reason');
  const body = reason === undefined ? handed : `${handed};reason=${asValue(reason)}`;
  return withLine(task, buildWorkerLine(task, { kind: 'update', body }, judging, 'R'));
}

function onFailure(task: Task, failure: FailedLaunch, judging: Judging, said?: Message): LaunchVerdict {
  const { code, text } = failure;
  const error = { code, text };
  const next = decideRetry(task, failure, judging);
  const state = next.final ? 'F' : 'R';
  // The orchestrator reports the failure for a worker that could not.
  const line = said
    ? buildWorkerLine(task, { ...said, kind: 'error', error: code }, judging, 'F')
    : buildOrchestratorLine(
        task,
        { to: judging.wire, kind: 'error', state, error: code, body: `desc=${asValue(text)}` },
        judging,
      );
  const told = closeLaunch(withLine(next.task, line), { outcome: 'failed', error }, judging);
  if (!next.final) return { task: told };
  if (selectFailureStrategy(failure) !== 'human') return { task: failTask(told, error, judging.now) };
  const up = { to: USER, kind: 'error', state: 'F', error: code, body: `desc=${asValue(text)}` } as const;
  const asked = buildOrchestratorLine(told, up, judging);
  return { task: failTask({ ...told, exchange: [...told.exchange, asked] }, error, judging.now) };
}

function decideRetry(task: Task, failure: FailedLaunch, { now }: Judging): { task: Task; final: boolean } {
  const strategy = selectFailureStrategy(failure);
  const isMine = task.to !== null;
  const mayRetry = strategy === 'retry' || (strategy === 'another' && isMine);
  if (mayRetry && task.attempts < LIMITS.retries) {
    const pause = Math.max(PAUSES[task.attempts] ?? 0, failure.waitMs ?? 0);
    return {
      task: { ...task, attempts: task.attempts + 1, notBefore: formatIso(now + pause) },
      final: false,
    };
  }
  const mayPass = (strategy === 'another' || (failure.passing ?? false)) && !isMine && task.worker !== null;
  if (!mayPass) return { task, final: true };
  return { task: { ...task, attempts: 0, passedOver: [...task.passedOver, task.worker!] }, final: false };
}
