// One launch of a worker for a task: the lease, the request, the program, and what became of it.
import type { Agent } from '../../agents/agent.ts';
import type { SpeakResult } from '../../agents/runners/speak.ts';
import { iso } from '../../base/clock.ts';
import { atWork } from '../../heartbeat/launch/at-work.ts';
import { careOf } from '../../heartbeat/launch/circuit-breaker.ts';
import { estimate } from '../../tasks/prompt.ts';
import type { Enclosed } from '../../tasks/prompt.ts';
import { countLines } from '../../tasks/said.ts';
import { requestFor } from '../../tasks/request.ts';
import type { Returned } from '../../tasks/request.ts';
import type { Line, Task, TaskError } from '../../tasks/task.ts';
import {
  failed,
  holds,
  isOver,
  launched,
  launchEnded,
  withBudgetBack,
  withLines,
} from '../../tasks/transitions.ts';
import { lineOf, ORCHESTRATOR, USER } from '../../tasks/wire.ts';
import type { Conversation } from './conversation.ts';
import { enclosedWith } from './enclosed.ts';
import { permissionFor } from './permission.ts';
import { hasPlace, notePause, stepBack } from './places.ts';
import { recordLaunch } from './record.ts';
import type { Playing } from './session.ts';
import { settle } from './settle.ts';
import type { Launched } from './settle.ts';
import { speak } from './speak.ts';
import { enterSite, siteFor } from './site.ts';
import { waitingFor } from './tool-approvals.ts';
import { wireOf } from './workers.ts';

/** Beyond the time that a launch may take, before another machine takes it for dead. */
const MARGIN_MS = 60_000;

/** Has a worker do a task, as far as it comes. Resolves to the task as it stands then; undefined where somebody else has it. */
export async function launch(playing: Playing, task: Task, agent: Agent): Promise<Task | undefined> {
  const { tasking, session, numbers, channel, signal } = playing;
  const { clock, tasks } = tasking;
  const wire = wireOf(session(), agent, agent.id);
  const child = task.waitsFor === null ? undefined : await tasks.read(task.session, task.waitsFor);
  const ready = withBudgetBack(task, child);
  const find = (id: string): Promise<Task | undefined> => tasks.read(task.session, id);
  const enclosed = await enclosedWith(ready, child, tasking.project.root, find);
  const refusal = refusalOf(ready, enclosed);
  if (refusal) return refuse(playing, task, refusal);
  const given = enclosed as Enclosed[];
  const permission = await permissionFor(playing, ready, agent, given);
  if (permission !== 'allowed')
    return permission && 'refused' in permission ? refuse(playing, task, permission.refused) : permission;
  const care = careOf({ health: tasking.health, clock, agents: tasking.agents }, agent.id);
  const admitted = await care.admit(false);
  if (!admitted.go) return undefined;
  const begun = await siteFor(tasking, task);
  if ('refused' in begun) return refuse(playing, task, begun.refused);
  const returned = child && returnedOf(child);
  await numbers.prepare(1);
  const { line, isNew } = requestFor(ready, { wire, returned }, clock.now(), numbers.next);

  const id = tasking.random.uuid();
  const limit = Math.min(task.timeout ?? Infinity, agent.timeout);
  const lease = { ...tasking.self, id, until: iso(clock.now() + limit + MARGIN_MS), group: null };
  atWork.add(id);
  try {
    const mine = await tasks.change(task.session, task.id, (now) =>
      now && isSame(now, task)
        ? taken(
            { ...withBudgetBack(now, child), ...begun.start },
            { lease, worker: agent.id, wire },
            isNew ? [line] : [],
            clock.now(),
          )
        : undefined,
    );
    if (!mine || !holds(mine, id)) {
      await care.giveBack();
      return mine;
    }
    if (!(await hasPlace(playing, mine, agent))) {
      await care.giveBack();
      return await stepBack(tasking, mine, task);
    }
    if (isNew) channel.add(mine, [line], playing.agentOf);
    await recordLaunch(tasking, mine, agent);
    tasking.tell({ type: 'launched', task: mine, worker: agent.id });
    const site = await enterSite(tasking, mine);
    if ('refused' in site) {
      await care.giveBack();
      return await refuse(playing, mine, site.refused);
    }
    const asked = { agent, line, wire, enclosed: given, ...site };
    const talk = await talkFor(playing, mine, asked);
    const spoken = await speak(playing, mine, { ...asked, talk });
    const { task: held, result } = talk ? await talk.end(spoken) : { task: mine, result: spoken };
    await care.note({
      ...result,
      ok: result.ok || hasLine(result),
      safeReason: result.safeReason ?? result.reason,
      record: true,
    });
    await notePause(tasking, agent, result);
    if (signal.aborted) return await interrupted(playing, mine, result);
    const [approval] = result.loop?.waitsFor ?? [];
    if (approval !== undefined && result.failure === 'cancelled')
      return await waitingFor(playing, mine, approval, result);
    return await settle(playing, held, { result, wire, line, agent });
  } finally {
    atWork.delete(id);
  }
}

/** Only a program that hears lines is spoken with while it works. */
const talkFor = async (playing: Playing, task: Task, asked: Launched): Promise<Conversation | undefined> =>
  asked.agent.input === 'line' && asked.agent.runner === 'command'
    ? (await import('./conversation.ts')).conversation(playing, task, asked)
    : undefined;

const hasLine = ({ output }: SpeakResult): boolean => countLines(output.toString('utf8')) > 0;

/** Nobody has touched it since it was read. */
const isSame = (now: Task, read: Task): boolean =>
  !isOver(now) && now.lease === null && now.launches.length === read.launches.length && now.question === null;

const taken = (task: Task, how: Parameters<typeof launched>[1], lines: readonly Line[], now: number): Task =>
  withLines({ ...launched(task, how, now), waitsFor: null }, lines);

const returnedOf = ({ exchange, state, error }: Task): Returned => ({ exchange, state, error });

/** Why it is not even launched. */
function refusalOf(
  task: Task,
  enclosed: Enclosed[] | { error: TaskError },
): { error: TaskError; body: string } | undefined {
  if ('error' in enclosed) return { error: enclosed.error, body: `desc=${enclosed.error.text}` };
  const needed = estimate(task, enclosed);
  if (task.budget === null || needed <= task.budget) return undefined;
  const text = `its budget of ${task.budget} tokens is too small: it takes about ${needed}`;
  return {
    error: { code: 'E17', text },
    body: `desc=budget insufficient;needed=${needed};have=${task.budget}`,
  };
}

/** Ends a task that cannot begin; a person is told why. */
export async function refuse(
  { tasking, numbers, channel, agentOf }: Playing,
  task: Task,
  { error, body }: { error: TaskError; body: string },
): Promise<Task | undefined> {
  const now = tasking.clock.now();
  await numbers.prepare(1);
  const told = {
    id: numbers.next(),
    time: iso(now),
    from: ORCHESTRATOR,
    to: USER,
    kind: 'error',
    state: 'F',
    error: error.code,
    body,
  } as const;
  const line = lineOf(task, told);
  const after = await tasking.tasks.change(task.session, task.id, (current) =>
    current && !isOver(current) && (current.lease?.id ?? null) === (task.lease?.id ?? null)
      ? withLines(failed(launchEnded(current, { outcome: 'failed', error }, now), error, now), [line])
      : undefined,
  );
  if (after?.exchange.includes(line)) {
    channel.add(after, [line], agentOf);
    tasking.tell({ type: 'ended', task: after });
  }
  return after;
}

/** Whoever plays was told to stop: the launch counts for nothing. */
async function interrupted(
  { tasking }: Playing,
  task: Task,
  { usage }: SpeakResult,
): Promise<Task | undefined> {
  return tasking.tasks.change(task.session, task.id, (now) =>
    now && task.lease && holds(now, task.lease.id)
      ? launchEnded(now, { outcome: 'interrupted', usage }, tasking.clock.now())
      : undefined,
  );
}
