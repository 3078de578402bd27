// The workers of a session: which agents they are, their wire ids, and their load.
import type { Agent } from '../../../core/agents/agent.ts';
import { findModelProvider } from '../../../core/agents/runner-kind.ts';
import { checkAdmission } from '../../../core/agents/circuit-breaker.ts';
import type { Health } from '../../../core/store/agent-health.ts';
import { listLaunchLimits, explainLaunchDelay } from '../rate-limits.ts';
import type { RecentLaunches, RateLimit } from '../rate-limits.ts';
import type { Member } from '../registry-members.ts';
import type { Worker } from '../task-queue.ts';
import type { Session } from '../store.ts';
import { ENDS, ORCHESTRATOR, parseQueueLength } from '../wire-lines.ts';
import { formatLabels } from '../../../core/app/missing-heartbeats.ts';
import type { TaskPorts } from './ports.ts';
import { expireMembers } from '../worker-registry.ts';
import type { Task } from '../task.ts';

/** True if an agent gets tasks without being named: programs, but not council's built-in reviewers. */
export const isWorker = ({ runner, role, source }: Agent): boolean =>
  runner !== 'human' && (role === 'worker' || (role === null && source !== 'built-in'));

/** Lists the agents that a task may go to, in the order of the registry. */
export const listWorkerAgents = ({ agents }: Pick<TaskPorts, 'agents'>): Agent[] =>
  agents.list().filter(isWorker);

/** Assigns each of these agents a wire id. Existing ids are kept, and joined workers keep theirs. */
const assignWireIds = (
  session: Session,
  ids: readonly string[],
  members: readonly Member[],
): Session | undefined => {
  const known = new Set(Object.values(session.workers));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return undefined;
  const workers = { ...session.workers };
  const rest = missing.filter((id) => {
    const member = findAgentMember(members, id);
    if (!member || Object.hasOwn(workers, member.id)) return true;
    workers[member.id] = id;
    return false;
  });
  let number = 1;
  for (const id of rest) {
    while (Object.hasOwn(workers, `W${number}`)) number++;
    if (number <= ENDS.worker) workers[`W${number}`] = id;
  }
  return { ...session, workers };
};

/** Gives every worker of the project its wire id. */
export async function assignProjectWireIds(
  tasking: Pick<TaskPorts, 'agents' | 'tasks' | 'registry' | 'clock'>,
  session: string,
): Promise<Session> {
  const ids = listWorkerAgents(tasking).map(({ id }) => id);
  const members = await readRegisteredMembers(tasking);
  const now = await tasking.tasks.changeSession(
    session,
    (before) => before && assignWireIds(before, ids, members),
  );
  return now!;
}

/** Returns an agent's wire id; agents with the role orchestrator share one. */
export const getWireId = ({ workers }: Session, agent: Agent | undefined, id: string): string =>
  agent?.role === 'orchestrator'
    ? ORCHESTRATOR
    : (Object.entries(workers).find(([, one]) => one === id)?.[0] ?? 'W99');

/** The current state of the workers while a session is played. */
export interface WorkerLoad {
  running: Map<string, number>;
  lastUsed: Map<string, number>;
  /** Number of tasks of other sessions per worker, and tasks that need not be read again for that. */
  elsewhere: Map<string, number>;
  done: Set<string>;
  /** Tasks already reported as waiting. */
  told: Set<string>;
  /** Recent launches, in all processes. */
  duty: RecentLaunches;
  /** Queue lengths reported by busy workers. */
  queues: Map<string, number>;
  members: readonly Member[];
}

/** Creates the state for a session that starts: only the joined workers are known. */
export const createWorkerLoad = (members: readonly Member[] = []): WorkerLoad => ({
  running: new Map(),
  lastUsed: new Map(),
  elsewhere: new Map(),
  done: new Set(),
  told: new Set(),
  duty: { last: {}, launches: {}, pauses: {} },
  queues: new Map(),
  members,
});

/** Counts the tasks that an agent works on, in all sessions. */
export const countRunningTasks = ({ running, elsewhere }: WorkerLoad, id: string): number =>
  (running.get(id) ?? 0) + (elsewhere.get(id) ?? 0);

/** Returns the last launch of an agent, in any process, in milliseconds since the epoch; null for never. */
const findLastUse = ({ lastUsed: here, duty }: WorkerLoad, id: string): number | null => {
  const last = Math.max(here.get(id) ?? 0, duty.last[id] ?? 0);
  return last === 0 ? null : last;
};

/** Returns the limits on how often an agent may be launched: its own, and its provider's. */
export const listAgentLimits = (agent: Agent, { config }: Pick<TaskPorts, 'config'>): RateLimit[] =>
  listLaunchLimits(
    { id: agent.id, rate: agent.rate, provider: findModelProvider(agent) },
    config.providerRates,
  );

export function listWorkers(
  tasking: TaskPorts,
  session: Session,
  {
    health,
    staff: now,
    passedOver,
  }: { health: Record<string, Health>; staff: WorkerLoad; passedOver: readonly string[] },
): Worker[] {
  const own = listWorkerAgents(tasking).map((agent) => ({
    id: agent.id,
    wire: getWireId(session, agent, agent.id),
    capabilities: asJoined(agent, now.members).capabilities,
    running: countRunningTasks(now, agent.id),
    concurrency: agent.concurrency,
    told: computeToldLoad(findAgentMember(now.members, agent.id), agent, now.queues.get(agent.id)),
    lastUsed: findLastUse(now, agent.id),
    unavailable: passedOver.includes(agent.id)
      ? 'was unavailable for this task'
      : explainUnavailability(tasking, agent, health[agent.id], now),
  }));
  return [...own, ...listUnstartableWorkers(now.members, tasking.agents)];
}

export const WAITS_FOR_TRUST = 'waits for trust: council trust';

/** Returns why an agent may not be launched now; null if it may. */
export function explainUnavailability(
  { clock, runs, mayRun, config, labels }: Pick<TaskPorts, 'clock' | 'runs' | 'mayRun' | 'config' | 'labels'>,
  agent: Agent,
  health: Health | undefined,
  { duty, members }: WorkerLoad,
): string | null {
  if (findAgentMember(members, agent.id)?.status === 'gone')
    return 'has left, or fell silent: it has to join again';
  const { 'runs-on': needed } = agent;
  if (!needed.every((label) => labels.includes(label)))
    return `waits: it needs a heartbeat with ${formatLabels(needed)}`;
  const what = runs(agent);
  if (what && !mayRun(what)) return WAITS_FOR_TRUST;
  const admitted = checkAdmission(health, clock.now());
  if (!admitted.go) return `paused: ${admitted.reason}`;
  return explainLaunchDelay(duty, listAgentLimits(agent, { config }), clock.now());
}

/** Returns the joined workers, after expiring those that were silent for too long. */
export async function readRegisteredMembers({
  registry,
  clock,
}: Pick<TaskPorts, 'registry' | 'clock'>): Promise<readonly Member[]> {
  return expireMembers(await registry.read(), clock.now()).registry.members;
}

/** Returns the worker that an agent has joined as: by its name, or without one by its id (`w3` for W3). */
export function findAgentMember(members: readonly Member[], agent: string): Member | undefined {
  const own = members.filter((one) => one.agent === agent || (one.agent ?? one.id.toLowerCase()) === agent);
  return own.find(({ status }) => status === 'active') ?? own[0];
}

/** Returns the agent with the data it gave on joining. It cannot raise the `max_depth` of its file. */
export function asJoined(agent: Agent, members: readonly Member[]): Agent {
  const member = findAgentMember(members, agent.id);
  if (member?.status !== 'active') return agent;
  const depths = [agent.max_depth, member.maxDepth].filter((depth) => depth !== null);
  return {
    ...agent,
    capabilities: member.capabilities.length > 0 ? member.capabilities : agent.capabilities,
    max_depth: depths.length === 0 ? null : Math.min(...depths),
  };
}

/** Returns a worker's reported load: its load, or its queue over its concurrency. */
function computeToldLoad(
  member: Member | undefined,
  { concurrency }: Pick<Agent, 'concurrency'>,
  queue: number | undefined,
): number {
  const told = member?.status === 'active' ? member : undefined;
  return Math.max((told?.load ?? 0) / 100, (told?.queue ?? queue ?? 0) / concurrency);
}

/** Registered workers without an agent file of that name, so they cannot be started here. */
function listUnstartableWorkers(members: readonly Member[], agents: TaskPorts['agents']): Worker[] {
  return members
    .filter(({ agent, id, status }) => status === 'active' && !agents.find(agent ?? id.toLowerCase()))
    .map((member) => ({
      id: member.agent ?? member.id,
      wire: member.id,
      capabilities: member.capabilities,
      running: 0,
      concurrency: 1,
      told: computeToldLoad(member, { concurrency: 1 }, undefined),
      lastUsed: null,
      unavailable: `has joined, but no agent file says how to start it: council agents add ${member.agent ?? member.id.toLowerCase()} -- PROGRAM`,
    }));
}

/** Records the queue length of a busy worker (`queue=n`), which counts as its load until its next launch. */
export async function recordQueueLength(
  { tasking, staff }: { tasking: Pick<TaskPorts, 'registry'>; staff: Pick<WorkerLoad, 'queues' | 'members'> },
  agent: Agent,
  { launches, exchange }: Task,
): Promise<void> {
  const last = launches.at(-1);
  const said = exchange.findLast(({ from, kind }) => from === last?.wire && kind === 'error');
  const queue = last?.error?.code === 'E31' && said ? parseQueueLength(said.body) : undefined;
  if (queue === undefined) staff.queues.delete(agent.id);
  else staff.queues.set(agent.id, queue);
  const joined = findAgentMember(staff.members, agent.id);
  if (queue === undefined || joined?.status !== 'active') return;
  await tasking.registry.change((registry) => ({
    registry: {
      ...registry,
      members: registry.members.map((one) => (one.id === joined.id ? { ...one, queue } : one)),
    },
    result: undefined,
  }));
}
