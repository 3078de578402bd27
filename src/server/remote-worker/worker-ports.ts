// What a server needs to lease launches to a remote worker: ports, ownership checks, and protocol versions.
import { SPEAKS } from '../../core/app/launching-process.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { parseAgent } from '../../core/agents/agent.ts';
import { agentRegistry } from '../../core/agents/registry.ts';
import { renderAgent } from '../../core/agents/render-agent.ts';
import { RUNNERS } from '../../core/agents/runner-kind.ts';
import { RISKS } from '../../core/base/config-values.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isId } from '../../core/base/ids.ts';
import type { HeartbeatPorts } from '../../core/heartbeat/ports.ts';
import { nameHeartbeatPlace } from '../../core/store/heartbeats.ts';
import type { Heartbeat, Heartbeats } from '../../core/store/heartbeats.ts';
import type { App } from '../../core/app/app.ts';
import type { LeaseInput, RenewInput } from '../input.ts';
import {
  openProjectHealth,
  createHeartbeatPorts,
  loadConfig,
  openWorkspace,
} from '../../core/app/workspace.ts';
import { parseJsonSafely } from '../../core/base/text.ts';
import type { PrivateTexts } from '../../core/store/small-files.ts';
import { listAlive } from '../../core/heartbeat/launch/heartbeat-row.ts';

type WorkerInput = LeaseInput | RenewInput;

export async function openWorkerPorts(app: App, worker: WorkerInput): Promise<HeartbeatPorts> {
  const workspace = openWorkspace(app);
  const config = await loadConfig(app, workspace, {});
  const heart = {
    id: worker.id,
    begin: () => Promise.resolve(),
    renew: () => undefined,
    inTouch: () => new AbortController().signal,
    end: () => Promise.resolve(),
  };
  const ports = await createHeartbeatPorts(app, workspace, config, {
    heart,
    labels: [],
    launches: () => undefined,
  });
  const self = identifyWorker(app, worker);
  return {
    ...ports,
    self,
    agents: createDeclaredRegistry(worker),
    health: openProjectHealth(workspace, self.host),
  };
}

/** Identifies the worker in leases. Its process data are not trusted: its heartbeat row shows whether it is alive. */
export const identifyWorker = (app: App, { id, host, pid }: WorkerInput) => ({
  ...{
    heartbeat: id,
    host: nameHeartbeatPlace({ host, token: getCallerTokenId(app) }),
    bootId: '',
    pid,
    startTime: '',
  },
});

/** Returns its row. The worker itself has checked the labels of its agents. */
export function buildHeartbeatRow(app: App, worker: WorkerInput): Heartbeat {
  const { id, host, bootId = '', pid, startTime = '', labels = [], version, speaks } = worker;
  const agents = Object.fromEntries(
    worker.agents.map(parseDeclaredAgent).map(({ id: agent, hash }) => [agent, hash]),
  );
  return { id, host, bootId, pid, startTime, labels, agents, version, speaks, token: getCallerTokenId(app) };
}

/** An agent as declared by a worker. */
export type DeclaredAgent = ReturnType<typeof parseDeclaredAgent>;

/** Parses `ID RUNNER MILLISECONDS SHA256 RISK`; the default risk is low. Throws `usage`. */
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

/** Creates a registry of the worker's agents for leasing; what they run does not concern the server. */
function createDeclaredRegistry({ agents }: Pick<WorkerInput, 'agents'>) {
  const files = agents.map(parseDeclaredAgent).map(({ id, runner, timeout }) => ({
    path: `${id}.md`,
    text: renderAgent({ id, runner, timeout, command: ['elsewhere'] }),
  }));
  // Parsed at once, so that invalid ones are refused.
  for (const { text, path } of files) parseAgent(text, path, 'project');
  return agentRegistry([{ source: 'project', files: () => files }]);
}

/** The recipient of a leased launch. */
interface LentLaunchRecord {
  /** The id of the worker's token. */
  token: string;
  participant: string;
  tour: number;
}

const formatLentNoteName = (lease: string): string => `lent-${lease}.json`;

/**
 * Written before the worker gets the lease, as no result is accepted without it. Not synced: after a power failure
 * the worker still has its text.
 */
export async function recordLentLaunch(
  files: Pick<PrivateTexts, 'write'>,
  { conversationId, lease }: { conversationId: string; lease: string },
  to: LentLaunchRecord,
): Promise<void> {
  await files.write(conversationId, formatLentNoteName(lease), Buffer.from(JSON.stringify(to)), {
    durable: false,
  });
}

/** Returns whether a launch was leased like that, even if its lease is someone else's now. */
export async function wasLent(
  files: Pick<PrivateTexts, 'read'>,
  { conversationId, lease }: { conversationId: string; lease: string },
  { token, participant, tour }: LentLaunchRecord,
): Promise<boolean> {
  const bytes = await files.read(conversationId, formatLentNoteName(lease));
  if (!bytes) return false;
  const to = parseJsonSafely(Buffer.from(bytes).toString('utf8')) as Partial<LentLaunchRecord>;
  return to.token === token && to.participant === participant && to.tour === tour;
}

export const getCallerTokenId = ({ caller }: Pick<App, 'caller'>): string => caller?.id ?? '';

/** Maximum bytes of a row, as every page and call may read all rows. Some hundred agents take half of it. */
const MOST_BYTES = 64 * 1024;

/** Maximum heartbeats per token, because creating one is free for the caller. */
const MOST_HEARTBEATS = 256;

/**
 * Throws `forbidden` if the row belongs to another token, `too_large` if it is too big, `conflict` if the token
 * has too many. A new row replaces dead ones of its token.
 */
export async function requireOwnRow(rows: Heartbeats, heartbeat: Heartbeat): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(heartbeat)) > MOST_BYTES)
    throw new CouncilError('too_large', 'This heartbeat has more agents and labels than a row holds.', {
      hint: `A row has ${MOST_BYTES / 1024} KiB at most: let several workers have some of the agents each.`,
    });
  const all = await rows.list();
  const row = all.find(({ id }) => id === heartbeat.id);
  if (row?.token === heartbeat.token) return;
  if (row)
    throw new CouncilError('forbidden', `The heartbeat ${heartbeat.id} is not one of this token.`, {
      hint: 'Start the worker anew: each has an id of its own.',
    });
  const theirs = all.filter(({ token }) => token === heartbeat.token);
  const living = listAlive(theirs);
  for (const one of theirs) if (!living.includes(one)) await rows.remove(one.id);
  if (living.length < MOST_HEARTBEATS) return;
  throw new CouncilError('conflict', `This token has ${MOST_HEARTBEATS} heartbeats already.`, {
    hint: 'Make another one for more machines: council token create --role worker',
  });
}

/** Version and protocol number of this council. */
export const here = { version: manifest.version, speaks: SPEAKS };

/** Throws `usage` if both are more than one release apart, naming the older one. */
export function requireSpoken(other: { version: string; speaks: number }): void {
  if (Math.abs(other.speaks - here.speaks) <= 1) return;
  const [older, newer] = other.speaks < here.speaks ? [other, here] : [here, other];
  throw new CouncilError(
    'usage',
    `Council ${older.version} and council ${newer.version} are more than one release apart: one side speaks ${older.speaks}, the other ${newer.speaks}.`,
    { hint: `Upgrade the side with council ${older.version}.`, details: { older: older.version } },
  );
}
