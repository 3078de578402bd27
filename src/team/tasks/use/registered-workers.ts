// Workers that joined while the project was at work: what they say of themselves, beside what their agent files say.
import type { Agent } from '../../../core/agents/agent.ts';
import type { Member } from '../registry-members.ts';
import { expire } from '../worker-registry.ts';
import type { Worker } from '../task-queue.ts';
import type { Task } from '../task.ts';
import { parseQueueLength } from '../wire-lines.ts';
import type { Tasking } from './ports.ts';

/** Registered workers; those silent for too long are dropped. */
export async function membersNow({
  registry,
  clock,
}: Pick<Tasking, 'registry' | 'clock'>): Promise<readonly Member[]> {
  return expire(await registry.read(), clock.now()).registry.members;
}

/** As which worker an agent has joined: under its own name, or without one under its id (`w3` for W3). */
export function findAgentMember(members: readonly Member[], agent: string): Member | undefined {
  const own = members.filter((one) => one.agent === agent || (one.agent ?? one.id.toLowerCase()) === agent);
  return own.find(({ status }) => status === 'active') ?? own[0];
}

/** The agent with what it said when it joined. It may not be handed on deeper than its file says. */
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

/** Why an agent that had joined is not to be had; null for all others. */
export function whyGone(members: readonly Member[], agent: string): string | null {
  return findAgentMember(members, agent)?.status === 'gone'
    ? 'has left, or fell silent: it has to join again'
    : null;
}

/** How busy a worker says that it is: its load, or its queue over its places. */
export function toldLoad(
  member: Member | undefined,
  { concurrency }: Pick<Agent, 'concurrency'>,
  queue: number | undefined,
): number {
  const told = member?.status === 'active' ? member : undefined;
  return Math.max((told?.load ?? 0) / 100, (told?.queue ?? queue ?? 0) / concurrency);
}

/** Registered workers without an agent file of that name, so they cannot be started here. */
export function unstartable(members: readonly Member[], agents: Tasking['agents']): Worker[] {
  return members
    .filter(({ agent, id, status }) => status === 'active' && !agents.find(agent ?? id.toLowerCase()))
    .map((member) => ({
      id: member.agent ?? member.id,
      wire: member.id,
      capabilities: member.capabilities,
      running: 0,
      concurrency: 1,
      told: toldLoad(member, { concurrency: 1 }, undefined),
      lastUsed: null,
      unavailable: `has joined, but no agent file says how to start it: council agents add ${member.agent ?? member.id.toLowerCase()} -- PROGRAM`,
    }));
}

/** What the workers said of themselves. */
interface MemberReports {
  queues: Map<string, number>;
  members: readonly Member[];
}

/** A busy worker says how many tasks wait for it (`queue=n`): it counts as so loaded until it has worked again. */
export async function noteQueue(
  { tasking, staff }: { tasking: Pick<Tasking, 'registry'>; staff: MemberReports },
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
