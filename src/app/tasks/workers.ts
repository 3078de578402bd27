// The workers of a session: which agents they are, by which id the wire knows them, and how busy they are.
import type { Agent } from '../../agents/agent.ts';
import { admission } from '../../agents/health.ts';
import { runnableOf } from '../../agents/runnable.ts';
import type { Health } from '../../store/agent-health.ts';
import type { Worker } from '../../tasks/select.ts';
import type { Session, Tasks } from '../../tasks/store.ts';
import { ENDS, ORCHESTRATOR } from '../../tasks/wire.ts';
import type { Tasking } from './ports.ts';

/** Who may be given tasks without being named: programs, not the reviewers that council brings along. */
export const isWorker = ({ runner, role, source }: Agent): boolean =>
  runner !== 'human' && (role === 'worker' || (role === null && source !== 'built-in'));

/** The agents that a task may go to, in the order of the registry. */
export const workersIn = ({ agents }: Pick<Tasking, 'agents'>): Agent[] => agents.list().filter(isWorker);

/** The session with a wire id for each of these agents; those that have one keep it. */
export const enlisted = (session: Session, ids: readonly string[]): Session | undefined => {
  const known = new Set(Object.values(session.workers));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return undefined;
  const used = Object.keys(session.workers).length;
  const added = missing.map((id, at) => [`W${used + at + 1}`, id] as const);
  const fitting = added.filter((_, at) => used + at < ENDS.worker);
  return { ...session, workers: { ...session.workers, ...Object.fromEntries(fitting) } };
};

/** Gives every worker of the project its id on the wire. */
export async function enlist(tasking: Pick<Tasking, 'agents' | 'tasks'>, session: string): Promise<Session> {
  const ids = workersIn(tasking).map(({ id }) => id);
  const now = await changed(tasking.tasks, session, ids);
  return now!;
}

const changed = (tasks: Tasks, session: string, ids: string[]): Promise<Session | undefined> =>
  tasks.changeSession(session, (before) => before && enlisted(before, ids));

/** An agent's id on the wire; an orchestrator speaks for the orchestrator. */
export const wireOf = ({ workers }: Session, agent: Agent | undefined, id: string): string =>
  agent?.role === 'orchestrator'
    ? ORCHESTRATOR
    : (Object.entries(workers).find(([, one]) => one === id)?.[0] ?? 'W99');

/** What is known of each worker right now, for all sessions that this process plays. */
export interface Staff {
  running: Map<string, number>;
  lastUsed: Map<string, number>;
  /** Launches of the last minute, in milliseconds. */
  launches: Map<string, number[]>;
}

export const staff = (): Staff => ({ running: new Map(), lastUsed: new Map(), launches: new Map() });

const MINUTE = 60_000;

/** The workers as the choice sees them. */
export function workersNow(
  tasking: Tasking,
  session: Session,
  {
    health,
    staff: now,
    passedOver,
  }: { health: Record<string, Health>; staff: Staff; passedOver: readonly string[] },
): Worker[] {
  return workersIn(tasking).map((agent) => ({
    id: agent.id,
    wire: wireOf(session, agent, agent.id),
    capabilities: agent.capabilities,
    running: now.running.get(agent.id) ?? 0,
    concurrency: agent.concurrency,
    lastUsed: now.lastUsed.get(agent.id) ?? null,
    unavailable: passedOver.includes(agent.id)
      ? 'was unavailable for this task'
      : whyUnavailable(tasking, agent, health[agent.id], now),
  }));
}

/** Why nobody may launch an agent now; null when it may be launched. */
export function whyUnavailable(
  { clock, mayRun }: Pick<Tasking, 'clock' | 'mayRun'>,
  agent: Agent,
  health: Health | undefined,
  { launches }: Staff,
): string | null {
  const what = runnableOf(agent);
  if (what && !mayRun(what)) return 'waits for trust';
  const admitted = admission(health, clock.now());
  if (!admitted.go) return `paused: ${admitted.reason}`;
  const recent = (launches.get(agent.id) ?? []).filter((at) => at > clock.now() - MINUTE);
  return agent.rate !== null && recent.length >= agent.rate
    ? `launched ${recent.length} times in this minute`
    : null;
}
