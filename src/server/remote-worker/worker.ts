// `heartbeat --server`: leases launches from a server, runs them here, and uploads the results.
import type { Agent } from '../../core/agents/agent.ts';
import { buildAgentRunnable } from '../../core/agents/runnable-trust.ts';
import { CouncilError, describeThrown } from '../../core/base/errors.ts';
import { waitUnlessAborted } from '../../core/heartbeat/launch/rest.ts';
import { createHeartbeatRenewal } from '../../core/heartbeat/launch/heartbeat-row.ts';
import { findProject } from '../../core/store/local/project.ts';
import type { Project } from '../../core/store/local/project.ts';
import { identifyThisProcess } from '../../core/store/local/liveness.ts';
import type { App } from '../../core/app/app.ts';
import type { HeartbeatInput } from '../../core/app/input/council.ts';
import { listenForInterruption } from '../../core/app/app.ts';
import { createProcessUniqueId } from '../../core/app/launching-process.ts';
import type { FollowUpQuestion } from './follow-up-question.ts';
import { parseLeaseReply, parseServerVersion } from './server-replies.ts';
import type { LeasedWork, LentLaunch, LentTask } from './server-replies.ts';
import {
  askInTime,
  createServerContact,
  isFinal,
  deliver,
  keepUntilTaken,
  describeKeptFile,
} from './server-contact.ts';
import { here, requireSpoken } from './worker-ports.ts';
import type { RemoteWorker, Payload, TaskAtWork } from './server-contact.ts';
import {
  uploadLaunchResult,
  launchLocally,
  getRepairLimit,
  toFailureFields,
  toUsageFields,
  runHere,
} from './run-launch.ts';
import { loadAgents } from '../../core/app/load-agents.ts';
import { createTrustChecks } from '../../core/app/trust.ts';
import fs from 'node:fs';
import type { LineConversation } from '../../core/agents/runners/turn-types.ts';
import { toOneLine } from '../../core/base/text.ts';
import { discard } from '../../core/store/local/disk.ts';
import { readSaid } from '../../team/tasks/parse-worker-output.ts';
import type { SpeakingWorker } from '../../team/tasks/parse-worker-output.ts';
import { createProgressListener, keepPrompt } from '../../team/tasks/use/run-worker.ts';
import type { LaunchReport } from './run-launch.ts';

/** Pause after a server did not answer. */
const AWAY_MS = 5000;
/** Timeout for `lease`: a pass over all councils takes no longer. Leases that did not arrive become free again. */
const PASS_MS = 60_000;
/** Default number of concurrent programs. */
const CONCURRENCY = 4;

/** Works for a server until it is interrupted. Throws permanent errors, such as an invalid token or version. */
export async function runRemoteWorker(app: App, server: string, input: HeartbeatInput): Promise<void> {
  const project = requireWorkerProject(app);
  const { root } = project;
  const { concurrency = CONCURRENCY, labels = [] } = input;
  const id = createProcessUniqueId();
  const offered = createAgentOffer(app, project, labels);
  const contact = createServerContact(app, server);
  const row = async () => ({
    id,
    ...identifyThisProcess(),
    ...(labels.length > 0 && { labels }),
    agents: (await offered()).map(formatDeclaredAgent),
    ...here,
  });
  const rows = createRemoteHeartbeats({ app, server, contact }, row);
  const heart = createHeartbeatRenewal(rows, id, {
    row: createEmptyHeartbeatRow(id),
    note: (line) => contact.noteLoss(line),
  });
  const finished = new AbortController();
  const signal = AbortSignal.any([listenForInterruption(app), finished.signal]);
  const atWork = { atWork: new Map(), tasks: new Map() };
  const worker: RemoteWorker = { app, server, project, root, signal, heart, contact, ...atWork };
  app.setResumeCommand('council heartbeat');
  try {
    await waitUntilConnected(worker);
    const mine = joinAgentIds(filterOwnAgents(await offered())) || 'no agent of its own';
    if (!signal.aborted) app.note(`Heartbeat of ${root} for ${server}, with ${mine}. Ctrl-C stops it.`);
    while (!signal.aborted) {
      const most = Math.max(0, heart.inTouch().aborted ? 0 : concurrency - worker.atWork.size);
      const leased = await requestLeases(worker, { row: await row(), most });
      const agents = await offered();
      for (const lease of leased?.over ?? []) worker.tasks.get(lease)?.stop.abort();
      for (const one of leased?.launches ?? []) begin(worker, one, agents);
      for (const one of leased?.tasks ?? [])
        keepAtWork(worker, one.lease, one.runner, doTask(worker, one, agents));
      await Promise.race([waitUnlessAborted(leased?.againMs ?? AWAY_MS, signal), ...worker.atWork.values()]);
    }
  } finally {
    // If the server rejects this worker, its launches are stopped and their output is kept.
    finished.abort();
    await Promise.all(worker.atWork.values());
    await heart.end();
  }
}

function requireWorkerProject(app: App): Project {
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root });
  if (project) return project;
  throw new CouncilError('no_project', `There is no council project in ${app.cwd} or above it.`, {
    hint: 'A worker runs the agents/ of a project of its own: council init, or name one with --root.',
  });
}

/** Formats an agent for the server: ID RUNNER MILLISECONDS SHA256 RISK. */
const formatDeclaredAgent = (agent: Agent): string =>
  [agent.id, agent.runner, agent.timeout, buildAgentRunnable(agent)?.sha256 ?? '', agent.risk].join(' ');

/** The heartbeat rows on the server: only its own. */
function createRemoteHeartbeats(
  { app, server, contact }: Pick<RemoteWorker, 'app' | 'server' | 'contact'>,
  row: () => Promise<Record<string, unknown>>,
) {
  const renew = async (more = {}): Promise<void> => {
    await askInTime({ app, server }, { name: 'renew', input: { ...(await row()), ...more }, ms: AWAY_MS });
  };
  const throwTold = (error: unknown): never => {
    contact.noteLoss(error);
    throw error;
  };
  return {
    renew: () => renew().catch(throwTold),
    list: () => Promise.resolve([]),
    remove: () => renew({ over: true }),
  };
}

/** Empty, since each call sends the data for the server's row. */
const createEmptyHeartbeatRow = (id: string) => () => ({
  id,
  ...identifyThisProcess(),
  labels: [],
  agents: {},
  ...here,
});

/** Waits for an unreachable server; a refusal is permanent. */
async function waitUntilConnected({ heart, contact, signal }: RemoteWorker): Promise<void> {
  while (!signal.aborted)
    try {
      await heart.begin();
      return contact.noteReturn();
    } catch (error) {
      if (isFinal(error)) throw error;
      await waitUnlessAborted(AWAY_MS, signal);
    }
}

/** Requests new launches and tasks for the free places. */
async function requestLeases(
  worker: RemoteWorker,
  { row, most }: { row: Record<string, unknown>; most: number },
): Promise<LeasedWork | undefined> {
  const { signal, contact, atWork, tasks } = worker;
  const held = new Set(atWork.keys());
  try {
    const working = [...tasks].map(([lease, { name, progress }]) => `${lease} ${name} ${progress}`.trimEnd());
    const input = { ...row, held: [...held], most, working };
    const document = await askInTime(worker, { name: 'lease', input, ms: PASS_MS, signal });
    requireSpoken(parseServerVersion(document));
    const leased = parseLeaseReply(document, { most, held });
    if (leased.refused.length === 0) contact.noteReturn();
    for (const line of leased.refused) contact.noteLoss(line);
    return leased;
  } catch (error) {
    if (!(error instanceof CouncilError) || isFinal(error)) throw error;
    if (!signal.aborted) contact.noteLoss(error);
    return undefined;
  }
}

/** Runs a launch and uploads its result, concurrently with others. */
function begin(worker: RemoteWorker, launch: LentLaunch, agents: readonly Agent[]): void {
  const { app } = worker;
  const { name: council, participant, attempt } = launch;
  app.progress({ type: 'launched', council, participant, attempt, of: 3 });
  keepAtWork(worker, launch.lease, participant, playLaunch(worker, launch, agents));
}

/** An error is reported, and does not affect other launches. */
function keepAtWork({ app, atWork }: RemoteWorker, lease: string, who: string, working: Promise<void>): void {
  const told = working
    .catch((error: unknown) => app.note(`${who}: ${describeThrown(error)}`))
    .finally(() => atWork.delete(lease));
  atWork.set(lease, told);
}

/** Asks its agent, with follow-up questions up to its limit. */
async function playLaunch(worker: RemoteWorker, launch: LentLaunch, agents: readonly Agent[]): Promise<void> {
  const times = getRepairLimit(launch, agents);
  let again: FollowUpQuestion | undefined;
  for (let part = 1; part === 1 || again; part++) {
    const result = await launchLocally(worker, launch, agents, again);
    again = await uploadLaunchResult(worker, launch, result, { part, asks: part <= times });
  }
}

// The agents that a worker offers to its server: trusted, and with matching labels.

/** Reads the files every time. Reports agents that are not offered once, with what would change that. */
function createAgentOffer(app: App, project: Project, labels: readonly string[]): () => Promise<Agent[]> {
  const { mayRun } = createTrustChecks(app, project.root);
  const told = new Set<string>();
  const tell = (those: readonly Agent[], sentence: string): void => {
    const line = sentence.replace('{names}', joinAgentIds(those));
    if (those.length > 0 && !told.has(line)) app.note(line);
    told.add(line);
  };
  return async () => {
    const able = (await loadAgents(app, { project })).list().filter((agent) => buildAgentRunnable(agent));
    const isTrusted = (agent: Agent): boolean => mayRun(buildAgentRunnable(agent)!);
    const isAtHome = (agent: Agent): boolean => agent['runs-on'].every((label) => labels.includes(label));
    tell(
      able.filter((agent) => !isTrusted(agent)),
      'Not offered to the server, since nobody has trusted it here: {names}. Look at it with: council trust',
    );
    tell(
      able.filter((agent) => isTrusted(agent) && !isAtHome(agent)),
      'Not offered to the server, since this heartbeat lacks its labels (--labels): {names}.',
    );
    return able.filter((agent) => isTrusted(agent) && isAtHome(agent));
  };
}

/** Agents written by the owner, not those built into council. */
const filterOwnAgents = (agents: readonly Agent[]): Agent[] =>
  agents.filter(({ source }) => source !== 'built-in');

const joinAgentIds = (agents: readonly Agent[]): string => agents.map(({ id }) => id).join(', ');

/** Runs a task and uploads its result. Progress is reported to the server meanwhile. */
export async function doTask(worker: RemoteWorker, lent: LentTask, agents: readonly Agent[]): Promise<void> {
  const { session, task, lease, runner, text } = lent;
  const atWork = { name: `${session}/${task}`, progress: '', stop: new AbortController() };
  worker.tasks.set(lease, atWork);
  worker.app.note(`${atWork.name}: ${runner} begins: ${toOneLine(text, 80)}`);
  try {
    await uploadTaskResult(worker, lent, await runTaskLocally(worker, lent, { agents, atWork }));
  } finally {
    worker.tasks.delete(lease);
  }
}

async function runTaskLocally(
  worker: RemoteWorker,
  lent: LentTask,
  { agents, atWork }: { agents: readonly Agent[]; atWork: TaskAtWork },
): Promise<LaunchReport> {
  const { session, task, wire, runner, prompt, system } = lent;
  const { app, project, root } = worker;
  // Its lines may name another session than the one in which it is stored.
  const named = /\|(S[a-z0-9]+)\|[^|]*\|[^|]*$/.exec(lent.line)?.[1] ?? session;
  const speaking = { task: { id: task, session: named, exchange: [] }, wire };
  // Agents with `input: line` read the full prompt from a file.
  const hearsLines = agents.some(
    ({ id, input, runner: kind }) => id === runner && input === 'line' && kind === 'command',
  );
  const kept = hearsLines ? keepPrompt(project, prompt) : undefined;
  const onOutput = createProgressListener(speaking, (text) => {
    atWork.progress = text;
    app.note(`${atWork.name}: ${text}`);
  });
  const running = runHere(worker, agents, {
    ...{ runner, ms: lent.leftMs, system, onOutput, stop: atWork.stop.signal },
    input: () => prompt,
    ...(hearsLines && { talk: () => createTaskTalk(lent.line, speaking) }),
    turn: { agent: runner, work: { kind: 'task', task, session, wire } },
    extraEnv: {
      COUNCIL_ROOT: root,
      COUNCIL_AGENT: runner,
      COUNCIL_WIRE_ID: wire,
      COUNCIL_TASK: task,
      COUNCIL_SESSION: session,
      ...(kept !== undefined && { COUNCIL_PROMPT: kept }),
    },
  });
  return running.finally(() => kept !== undefined && discard(kept));
}

/** The agent receives only its request: the server handles its question, and answers with the next launch. */
const createTaskTalk = (first: string, speaking: SpeakingWorker): LineConversation => ({
  first,
  answer(row = '') {
    const { last, problem } = readSaid(row, speaking);
    return Promise.resolve(last || problem ? null : undefined);
  },
});

async function uploadTaskResult(
  worker: RemoteWorker,
  { lease, session, task }: LentTask,
  result: LaunchReport,
): Promise<void> {
  const { app } = worker;
  const who = `${session}/${task}`;
  const kept = result.ok
    ? await keepUntilTaken(worker, { name: lease, who, output: result.output })
    : undefined;
  const payload = buildTaskPayload({ lease, task: who, ...toUsageFields(result) }, result);
  const taken = await deliver(worker, { who, payload, kept });
  if (!taken) return;
  if (taken.became === 'lost')
    return app.note(`${who}: nobody waits for this launch any more.${describeKeptFile(kept)}`);
  if (kept !== undefined) fs.rmSync(kept, { force: true });
  app.note(
    `${who}: ${'note' in taken && taken.note !== undefined ? toOneLine(taken.note, 300) : taken.became}`,
  );
}

/** An answer line counts even if the program failed. Texts of council never contain NUL. */
function buildTaskPayload(common: Record<string, unknown>, result: LaunchReport): Payload {
  const text = result.output.toString('utf8').replaceAll('\0', '\ufffd');
  if (result.ok) return { name: 'record', input: { ...common, text } };
  const brief = result.safeReason ?? 'it failed';
  const said = text === '' ? {} : { text };
  return {
    name: 'fail',
    input: { ...common, ...toFailureFields(result, result.reason ?? 'it failed'), brief, ...said },
  };
}
