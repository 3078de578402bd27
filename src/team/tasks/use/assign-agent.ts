// Assigns a task: to the agent that has to do it, or to the best one available.
import type { Agent } from '../../../core/agents/agent.ts';
import { choose, rankCandidates } from '../task-queue.ts';
import type { WorkerCandidate } from '../task-queue.ts';
import type { Session } from '../store.ts';
import type { Task } from '../task.ts';
import { findCalledCapability } from '../wire-lines.ts';
import {
  asJoined,
  readRegisteredMembers,
  countRunningTasks,
  createWorkerLoad,
  WAITS_FOR_TRUST,
  explainUnavailability,
  listWorkers,
} from './workers.ts';
import { failTaskAndTell } from './begin-launch.ts';
import type { TaskPorts } from './ports.ts';
import type { SessionPlay } from './session.ts';
import { endWithParent, makeSpawnedAgent } from './create-tasks.ts';
import { countTasksElsewhere } from './launch-permission.ts';

/** The agent for a task; none yet if all are busy (`later`), none ever if none fits (`over`). */
type AgentChoice = { kind: 'chosen'; agent: Agent } | { kind: 'later' } | { kind: 'over' };

/** Selects an agent for a task, or ends it. */
export async function selectTaskAgent(playing: SessionPlay, task: Task): Promise<AgentChoice> {
  const { tasking, staff: now, session } = playing;
  const health = await tasking.health.read();
  now.members = await readRegisteredMembers(tasking);
  now.duty = await tasking.duty.read();
  now.elsewhere = await countTasksElsewhere(tasking, task.session, now.done);
  const fixed = task.spawned?.by ?? findFixedAgent(task);
  if (fixed !== undefined) {
    // A temporary agent runs its parent's program, so trust, pauses and limits of the parent apply.
    const owner = tasking.agents.find(fixed);
    const agent = owner && makeSpawnedAgent(task, owner);
    if (!agent || agent.runner === 'human')
      return endUnassignableTask(playing, task, 'E41', `there is no worker ${fixed}`);
    if (await endWithParent(playing, task)) return { kind: 'over' };
    if (countRunningTasks(now, agent.id) >= agent.concurrency)
      return now.elsewhere.has(agent.id)
        ? postponeTask(playing, task, `${agent.id} is at work on tasks of other commands`)
        : { kind: 'later' };
    const why = explainUnavailability(tasking, owner, health[owner.id], now);
    if (why === null) return { kind: 'chosen', agent: asJoined(agent, now.members) };
    if (isPassing(why, tasking)) return postponeTask(playing, task, `${agent.id} ${why}`);
    if (why.startsWith('paused') && task.launches.length > 0) return { kind: 'later' };
    return endUnassignableTask(playing, task, 'E30', `${agent.id} ${why}`);
  }
  const candidates = rankCandidates(
    listWorkers(tasking, session(), { health, staff: now, passedOver: task.passedOver }),
    listTaskNeeds(task),
  );
  const chosen = choose(candidates);
  if (chosen) return { kind: 'chosen', agent: asJoined(tasking.agents.require(chosen.id), now.members) };
  return handleMissingWorker(playing, task, candidates);
}

/** Returns the agent that has to do it: the requested one, or the one that knows the history. */
function findFixedAgent(task: Task): string | undefined {
  if (task.to !== null) return task.to;
  const last = task.launches.at(-1);
  const goesOn = ['asked', 'handed_on', 'waited'].includes(last?.outcome ?? '');
  const isHandedOn = task.parent !== null && last === undefined;
  const isRetry = last?.outcome === 'failed' && task.attempts > 0;
  const isWanted = (goesOn || isHandedOn || isRetry) && task.worker !== null;
  return isWanted && !task.passedOver.includes(task.worker!) ? task.worker! : undefined;
}

/** Returns the capabilities that a task needs: those given, or the one its instruction names. */
export const listTaskNeeds = ({ needs, text }: Task): string[] => {
  const call = needs.length > 0 ? undefined : findCalledCapability(text);
  return call === undefined ? needs : [call];
};

/**
 * Reasons that pass within minutes, or when a person trusts the agent: in a copied folder nothing
 * is trusted at first. An agent that is paused on one machine may work on another.
 */
const isPassing = (why: string, { isLent = false }: Pick<TaskPorts, 'isLent'>): boolean =>
  /^(?:launched|waits: )/.test(why) || why === WAITS_FOR_TRUST || (isLent && why.startsWith('paused'));

/** Makes the task wait for a limit; informs a person once. */
function postponeTask({ tasking, staff }: SessionPlay, task: Task, why: string): AgentChoice {
  if (!staff.told.has(task.id)) tasking.tell({ type: 'waiting', task, why });
  staff.told.add(task.id);
  return { kind: 'later' };
}

const explainMissingWorker = (needs: string[]): string =>
  needs.length > 0 ? `no worker can do ${needs.join(', ')}` : 'there is no worker yet';

function handleMissingWorker(
  playing: SessionPlay,
  task: Task,
  candidates: WorkerCandidate[],
): Promise<AgentChoice> | AgentChoice {
  const fitting = candidates.filter(({ out }) => !out?.startsWith('lacks'));
  if (fitting.length === 0)
    return endUnassignableTask(playing, task, 'E19', explainMissingWorker(listTaskNeeds(task)));
  const why = fitting.map(({ worker, out }) => `${worker.id} ${out}`).join(', ');
  if (
    fitting.some(({ out, worker }) => out === 'has no free place' && !playing.staff.elsewhere.has(worker.id))
  )
    return { kind: 'later' };
  if (fitting.some(({ out }) => out === 'has no free place'))
    return postponeTask(playing, task, 'waits for workers that are at work on tasks of other commands');
  if (fitting.some(({ out }) => isPassing(out ?? '', playing.tasking)))
    return postponeTask(playing, task, why);
  return endUnassignableTask(playing, task, 'E30', why);
}

async function endUnassignableTask(
  playing: SessionPlay,
  task: Task,
  code: string,
  text: string,
): Promise<AgentChoice> {
  const after = await failTaskAndTell(playing, task, { error: { code, text }, body: `desc=${text}` });
  if (after) playing.queue.put(after);
  return { kind: 'over' };
}

/** Ranks the agents for a task, to explain the choice. */
export async function rankTaskCandidates(
  tasking: TaskPorts,
  session: Session,
  task: Task,
): Promise<WorkerCandidate[]> {
  const health = await tasking.health.read();
  const now = createWorkerLoad(await readRegisteredMembers(tasking));
  now.duty = await tasking.duty.read();
  now.elsewhere = await countTasksElsewhere(tasking, session.id, now.done);
  return rankCandidates(
    listWorkers(tasking, session, { health, staff: now, passedOver: task.passedOver }),
    listTaskNeeds(task),
  );
}
