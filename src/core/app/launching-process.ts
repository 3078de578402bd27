// A process that launches agents: its labels, and its heartbeat row.
import manifest from '../../../package.json' with { type: 'json' };
import type { AgentRegistry } from '../agents/registry.ts';
import { buildAgentRunnable } from '../agents/runnable-trust.ts';
import type { Runnable } from '../agents/runnable-trust.ts';
import { createHeartbeatRenewal, endControls } from '../heartbeat/launch/heartbeat-row.ts';
import type { HeartbeatRenewal } from '../heartbeat/launch/heartbeat-row.ts';
import { sha256OfParts } from '../base/ids.ts';
import { identifyThisProcess } from '../store/local/liveness.ts';
import type { App } from './app.ts';
import type { StoragePorts } from './storage/ports.ts';

/** A process that launches agents. */
export interface LaunchingProcess {
  heart: HeartbeatRenewal;
  labels: readonly string[];
  /** The agents that it may launch from now on, for its row. */
  launches(agents: AgentRegistry, mayRun: (what: Runnable) => boolean): void;
}

let made = 0;

/** Unique per process, but not random, so that documents that show a run do not change. */
export function createProcessUniqueId(): string {
  const { host, bootId, pid, startTime } = identifyThisProcess();
  return sha256OfParts([host, bootId, startTime, `${pid}`, `${made++}`]).slice(0, 32);
}

/** Writes nothing before its first launch, or before its heartbeat starts. */
export function createLaunchingProcess(
  app: Pick<App, 'note'>,
  { keeping }: { keeping: Pick<StoragePorts, 'heartbeats'> },
  labels: readonly string[] = [],
  onFailure?: (why: string) => void,
): LaunchingProcess {
  let agents = (): Record<string, string> => ({});
  const id = createProcessUniqueId();
  const { version } = manifest;
  const row = () => ({ id, ...identifyThisProcess(), labels, agents: agents(), version, speaks: SPEAKS });
  const heart = createHeartbeatRenewal(keeping.heartbeats(), id, { row, note: app.note, onFailure });
  return {
    heart: { ...heart, end: async () => (await endControls(), heart.end()) },
    labels,
    launches(registry, mayRun) {
      let known: Record<string, string> | undefined;
      // Once a pass: the row is renewed six times a minute, and each agent's file would be read for it.
      agents = () => (known ??= hashRunnableAgents(registry, mayRun));
    },
  };
}

/** The agents that a process may launch, by id: a hash of what they run. Council's own agents may run anywhere. */
export const hashRunnableAgents = (
  registry: AgentRegistry,
  mayRun: (what: Runnable) => boolean,
): Record<string, string> =>
  Object.fromEntries(
    registry.listOwn().flatMap((agent) => {
      const what = buildAgentRunnable(agent);
      return what && mayRun(what) ? [[agent.id, what.sha256]] : [];
    }),
  );

/** Increased when the protocol between heartbeat and server changes. Each supports its own version and the one before. */
export const SPEAKS = 2;

/** From this version on, a worker also does tasks. */
export const SPEAKS_OF_TASKS = 2;
