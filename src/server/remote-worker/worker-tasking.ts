// What a server needs to lend tasks to a worker elsewhere: its own ports, with the worker in place of this process.
import type { Agent } from '../../core/agents/agent.ts';
import type { AgentRegistry } from '../../core/agents/registry.ts';
import type { Runnable } from '../../core/agents/runnable-trust.ts';
import { RISKS } from '../../core/base/config-values.ts';
import type { Risk } from '../../core/base/config-values.ts';
import { hostIn } from '../../core/store/heartbeats.ts';
import type { App } from '../../core/app/app.ts';
import type { LeaseInput } from '../input/remote-worker.ts';
import { openTasking } from '../../team/tasks/use/ports.ts';
import type { Tasking } from '../../team/tasks/use/ports.ts';
import { agentHealth, openWorkspace } from '../../core/app/workspace.ts';
import { parseDeclaredAgent, identifyWorker } from './worker-ports.ts';
import type { Declared } from './worker-ports.ts';

/** As the worker may use them: who is chosen for a task, this project's files say; what then runs is the worker's affair. */
export async function openWorkerTasking(app: App, worker: LeaseInput): Promise<Tasking> {
  const theirs = new Map(worker.agents.map(parseDeclaredAgent).map((one) => [one.id, one]));
  const own = await openTasking(app, () => undefined, { labels: worker.labels });
  const self = identifyWorker(app, worker);
  return {
    ...own,
    agents: asTheirs(own.agents, theirs),
    health: agentHealth(openWorkspace(app), self.host),
    self,
    runs: (agent) => toRemoteRunnable(self.host, agent, theirs.get(agent.id)),
    // The worker only lists agents that it trusts.
    mayRun: ({ sha256 }) => sha256 !== UNKNOWN,
    isLent: true,
  };
}

/**
 * The agents of this project with the runner and timeout of the worker. A person stays a person.
 */
function asTheirs(registry: AgentRegistry, theirs: ReadonlyMap<string, Declared>): AgentRegistry {
  const merged = (agent: Agent): Agent => {
    const one = theirs.get(agent.id);
    if (!one || agent.runner === 'human') return agent;
    const { runner, timeout } = one;
    return { ...agent, runner, timeout, risk: higher(agent.risk, one.risk) };
  };
  return {
    ...registry,
    list: () => registry.list().map(merged),
    find: (id) => {
      const agent = registry.find(id);
      return agent && merged(agent);
    },
    require: (id) => merged(registry.require(id)),
  };
}

const higher = (a: Risk, b: Risk): Risk => (RISKS.indexOf(a) < RISKS.indexOf(b) ? b : a);

/** The hash of what a worker does not have. */
const UNKNOWN = '';

/** What is allowed to the worker of one token is allowed to no other one, whatever that calls its host. */
const toRemoteRunnable = (place: string, { id, path }: Agent, there: Declared | undefined): Runnable => ({
  key: `agent:${id}`,
  file: path,
  runs: `${id} of ${hostIn(place)}, for the token ${place.slice(hostIn(place).length + 1)}`,
  env: [],
  needs: 'word',
  sha256: there?.hash ?? UNKNOWN,
});
