// What a server needs to lease launches to a worker elsewhere: its own ports, with the worker in place of this process.
import { parseAgent } from '../../core/agents/agent.ts';
import { agentRegistry } from '../../core/agents/registry.ts';
import { renderAgent } from '../../core/agents/render-agent.ts';
import { RUNNERS } from '../../core/agents/runner-kind.ts';
import { RISKS } from '../../core/base/config-values.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isId } from '../../core/base/ids.ts';
import type { HeartbeatPorts } from '../../core/heartbeat/ports.ts';
import { nameHeartbeatPlace } from '../../core/store/heartbeats.ts';
import type { Heartbeat } from '../../core/store/heartbeats.ts';
import type { App } from '../../core/app/app.ts';
import type { LeaseInput, RenewInput } from '../input/remote-worker.ts';
import { agentHealth, heartbeatPorts, loadConfig, openWorkspace } from '../../core/app/workspace.ts';
import { getCallerTokenId } from './lent-launches.ts';

type Worker = LeaseInput | RenewInput;

/** The ports of this project, as the worker may use them. */
export async function openWorkerPorts(app: App, worker: Worker): Promise<HeartbeatPorts> {
  const workspace = openWorkspace(app);
  const config = await loadConfig(app, workspace, {});
  const heart = {
    id: worker.id,
    begin: () => Promise.resolve(),
    inTouch: () => new AbortController().signal,
    end: () => Promise.resolve(),
  };
  const ports = await heartbeatPorts(app, workspace, config, {
    heart,
    labels: [],
    launches: () => undefined,
  });
  const self = identifyWorker(app, worker);
  return {
    ...ports,
    self,
    agents: createDeclaredRegistry(worker),
    health: agentHealth(workspace, self.host),
  };
}

/**
 * Identifies the worker in leases. What it reports about its process is not trusted: its heartbeat
 * row tells whether it lives.
 */
export const identifyWorker = (app: App, { id, host, pid }: Worker) => ({
  ...{
    heartbeat: id,
    host: nameHeartbeatPlace({ host, token: getCallerTokenId(app) }),
    bootId: '',
    pid,
    startTime: '',
  },
});

/** Its row. Whom it has labels for it has looked at itself. */
export function buildHeartbeatRow(app: App, worker: Worker): Heartbeat {
  const { id, host, bootId = '', pid, startTime = '', labels = [], version, speaks } = worker;
  const agents = Object.fromEntries(
    worker.agents.map(parseDeclaredAgent).map(({ id: agent, hash }) => [agent, hash]),
  );
  return { id, host, bootId, pid, startTime, labels, agents, version, speaks, token: getCallerTokenId(app) };
}

/** An agent of a worker, as that says. */
export type Declared = ReturnType<typeof parseDeclaredAgent>;

export function parseDeclaredAgent(line: string) {
  const [id = '', runner = '', ms = '', hash = '', risky = 'low'] = line.split(' ');
  const kind = RUNNERS.find((one) => one === runner);
  const risk = RISKS.find((one) => one === risky);
  if (isId(id) && kind && risk && /^[1-9]\d{0,9}$/.test(ms) && /^[0-9a-f]{64}$/.test(hash))
    return { id, runner: kind, timeout: Number(ms), hash, risk };
  throw new CouncilError('usage', 'An agent of a worker is: ID RUNNER MILLISECONDS SHA256 RISK.', {
    hint: 'For example: henry claude 300000, 64 hexadecimal digits, and low.',
  });
}

/** The agents of a worker, as far as leasing goes: what they run is its own affair. */
function createDeclaredRegistry({ agents }: Pick<Worker, 'agents'>) {
  const files = agents.map(parseDeclaredAgent).map(({ id, runner, timeout }) => ({
    path: `${id}.md`,
    text: renderAgent({ id, runner, timeout, command: ['elsewhere'] }),
  }));
  // Read at once, so that what cannot be is refused.
  for (const { text, path } of files) parseAgent(text, path, 'project');
  return agentRegistry([{ source: 'project', files: () => files }]);
}
