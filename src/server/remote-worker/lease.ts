// Use cases `lease` and `renew`: a remote worker asks for launches and tasks, and reports that it is alive.
import { awaited, getSeat } from '../../core/council/state/state.ts';
import type { Snapshot } from '../../core/council/use/council-access.ts';
import { atWork } from '../../core/heartbeat/launch/heartbeat-row.ts';
import { buildLaunchInput } from '../../core/heartbeat/launch/launch-input.ts';
import { lendLaunch } from './lend-launch.ts';
import type { LaunchLoan } from './lend-launch.ts';
import { getRunnerId } from '../../core/heartbeat/launch/result.ts';
import { runTick } from '../../core/heartbeat/tick.ts';
import type { HeartbeatPorts } from '../../core/heartbeat/ports.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { LeaseInput, RenewInput } from '../input.ts';
import { openWorkspace, openProjectHealth } from '../../core/app/workspace.ts';
import { hasOpenTasks } from '../../team/feature.ts';
import type { LentLaunch, LentTask } from './server-replies.ts';
import {
  recordLentLaunch,
  requireOwnRow,
  getCallerTokenId,
  openWorkerPorts,
  buildHeartbeatRow,
  here,
  requireSpoken,
  parseDeclaredAgent,
  identifyWorker,
} from './worker-ports.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isHeld } from '../../core/heartbeat/launch/recover.ts';
import { toOneLine } from '../../core/base/text.ts';
import { encodeTaskLine } from '../../team/tasks/wire-lines.ts';
import { isLeaseHeld, isOver } from '../../team/tasks/transitions.ts';
import { SPEAKS_OF_TASKS } from '../../core/app/launching-process.ts';
import { selectTaskAgent } from '../../team/tasks/use/assign-agent.ts';
import { beginLaunch } from '../../team/tasks/use/begin-launch.ts';
import type { BegunLaunch } from '../../team/tasks/use/begin-launch.ts';
import { closeSession, dismissExpired } from '../../team/tasks/use/create-tasks.ts';
import { readSessionTasks } from '../../team/tasks/use/find-tasks.ts';
import { withOpenSession, take } from '../../team/tasks/use/session-loop.ts';
import type { SessionPlay } from '../../team/tasks/use/session.ts';
import { applyDecisions } from '../../team/tasks/use/launch-permission.ts';
import { openTasking } from '../../team/tasks/use/ports.ts';
import type { TaskPorts } from '../../team/tasks/use/ports.ts';
import { buildTaskPrompt, takesPersonaSeparately } from '../../team/tasks/use/build-prompt.ts';
import { expireQuestions } from '../../team/tasks/use/conversation.ts';
import { selectWorkerVersion } from '../../team/tasks/use/run-worker.ts';
import { parseTaskName } from './record.ts';
import type { Agent } from '../../core/agents/agent.ts';
import type { AgentRegistry } from '../../core/agents/registry.ts';
import type { Runnable } from '../../core/agents/runnable-trust.ts';
import { RISKS } from '../../core/base/config-values.ts';
import type { Risk } from '../../core/base/config-values.ts';
import { parseHostOfPlace } from '../../core/store/heartbeats.ts';
import type { DeclaredAgent } from './worker-ports.ts';

export interface LeaseDocument {
  version: string;
  speaks: number;
  launches: LentLaunch[];
  /** For workers that do tasks. */
  tasks: LentTask[];
  /** The leases of the worker's tasks that are no longer valid. */
  over: string[];
  /** Milliseconds before the next request. */
  againMs: number;
}

const SOON_MS = 2000;
const LATER_MS = 10_000;

/** Passes over all councils like a tick, with launches for the calling worker, and renews its row. */
export async function lease(app: App, input: LeaseInput): Promise<Result<LeaseDocument>> {
  requireSpoken(input);
  const ports = await openWorkerPorts(overrideApp(app, { via: 'tick' }), input);
  const row = buildHeartbeatRow(app, input);
  await requireOwnRow(ports.heartbeats, row);
  await ports.heartbeats.renew(row);
  // Other leases in the name of this worker never reached it and are free again.
  for (const id of input.held) atWork.add(id);
  const launches: LentLaunch[] = [];
  const onProgress = app.progress;
  const ticks = await runTick(ports, {
    launch: false,
    listed: 0,
    concurrency: 1,
    startedAt: ports.clock.now(),
    signal: app.interruption(),
    onProgress,
    onLaunchable: async (snapshots) => {
      for (const one of listLaunchableSeats(snapshots)) {
        if (launches.length >= input.most) return;
        const lent = await lendLaunch(ports, one.state, one.participant, { onProgress });
        if (!lent) continue;
        // Binds the launch to the worker's token.
        await recordLentLaunch(
          ports.privateFiles,
          { conversationId: lent.state.conversationId, lease: lent.lease.id },
          { token: getCallerTokenId(app), participant: lent.participant, tour: lent.state.tour },
        );
        launches.push(await buildLentLaunch(ports, lent));
      }
    },
  });
  const { tasks, over, isOpen } = await lendOpenTasks(app, input, input.most - launches.length);
  const againMs = ticks.length > 0 || isOpen ? SOON_MS : LATER_MS;
  return { document: { ...here, launches, tasks, over, againMs } };
}

/** Loads nothing if there are no open tasks. */
async function lendOpenTasks(app: App, input: LeaseInput, most: number): Promise<LentTasks> {
  if (input.working.length === 0 && !(await hasOpenTasks(app, openWorkspace(app))))
    return { tasks: [], over: [], isOpen: false };
  return lendTasks(app, input, most);
}

const listLaunchableSeats = (snapshots: readonly Snapshot[]) =>
  snapshots.flatMap(({ council: { state } }) =>
    awaited(state)
      .filter((id) => getSeat(state, id).runner !== 'human')
      .map((participant) => ({ state, participant })),
  );

async function buildLentLaunch(ports: HeartbeatPorts, lent: LaunchLoan): Promise<LentLaunch> {
  const { state, participant, lease: held, timeoutAt } = lent;
  const { view, system } = await buildLaunchInput(ports, lent, {});
  return {
    lease: held.id,
    name: state.name,
    conversationId: state.conversationId,
    tour: state.tour,
    phase: state.currentPhase,
    participant,
    runner: getRunnerId(lent),
    attempt: held.attempt,
    leftMs: timeoutAt - ports.clock.now(),
    prompt: view.prompt,
    view,
    system,
    repair: ports.repair,
  };
}

/** Reports that a worker is alive, or that it ends. */
export async function renew(app: App, input: RenewInput) {
  requireSpoken(input);
  const rows = openWorkspace(app).keeping.heartbeats();
  const row = buildHeartbeatRow(app, input);
  await requireOwnRow(rows, row);
  await (input.over ? rows.remove(input.id) : rows.renew(row));
  return { document: here } satisfies Result;
}

export interface LentTasks {
  tasks: LentTask[];
  /** Leases that are no longer valid: the task is over, paused, or leased to another worker. */
  over: string[];
  /** Whether there are unfinished tasks. */
  isOpen: boolean;
}

const LONGEST_PROGRESS = 200;

/** Leases as many tasks as the worker takes. Rejects like reading tasks, but after processing all other sessions. */
export async function lendTasks(app: App, input: LeaseInput, most: number): Promise<LentTasks> {
  const lent: LentTasks = { tasks: [], over: [], isOpen: false };
  if (input.speaks < SPEAKS_OF_TASKS) return lent;
  const tasking = await openWorkerTasking(app, input);
  lent.over = await recordTaskProgress(tasking, getCallerTokenId(app), input.working);
  const { open } = await tasking.tasks.numbers();
  lent.isOpen = open.length > 0;
  if (most <= 0) return lent;
  await dismissExpired(tasking);
  const faults: CouncilError[] = [];
  const options = { signal: app.interruption() };
  for (const session of open) {
    if (options.signal.aborted || lent.tasks.length >= most) break;
    try {
      if (!(await tasking.tasks.session(session))) await closeSession(tasking.tasks, session);
      else if (await isDue(tasking, session))
        await withOpenSession(tasking, session, options, async (playing) => {
          await expireQuestions(playing);
          await applyDecisions(playing);
          await fill(playing, { lent: lent.tasks, most, token: getCallerTokenId(app) });
        });
    } catch (error) {
      // An unreadable session must not block the others.
      if (!(error instanceof CouncilError)) throw error;
      faults.push(error);
    }
  }
  for (const { message } of faults) app.note(message);
  return lent;
}

/** Records the worker's progress; resolves to its leases that are no longer valid. */
async function recordTaskProgress(
  { tasks }: TaskPorts,
  token: string,
  working: readonly string[],
): Promise<string[]> {
  const over: string[] = [];
  for (const one of working) {
    const [, lease = one, name = '', said = ''] = /^(\S+) (\S+)(?: ([\s\S]*))?$/.exec(one) ?? [];
    const at = parseTaskName(name);
    const task = at && (await tasks.read(at.session, at.id));
    const isTheirs = task && isLeaseHeld(task, lease) && task.lease?.lent?.token === token;
    if (!isTheirs || task.paused) over.push(lease);
    else if (said !== '')
      await tasks.change(at.session, at.id, (now) => {
        const progress = toOneLine(said, LONGEST_PROGRESS);
        return now && isLeaseHeld(now, lease) && now.progress !== progress ? { ...now, progress } : undefined;
      });
  }
  return over;
}

/** Cheap check before a session is opened: every worker polls every two seconds, mostly without anything to do. */
async function isDue(tasking: TaskPorts, session: string): Promise<boolean> {
  const { tasks, clock } = tasking;
  const now = clock.now();
  const all = await readSessionTasks(tasks, session);
  for (const { lease, question, paused, ...task } of all) {
    if (isOver(task) || paused) continue;
    const isAsked = question !== null && (question.until === null || Date.parse(question.until) > now);
    if (!isAsked && (lease === null || !(await isHeld(tasking, lease)))) return true;
  }
  return all.every(isOver);
}

interface LentBatch {
  lent: LentTask[];
  most: number;
  token: string;
}

/** Leases what this worker can do now. Each task is tried once, as the worker asks again soon. */
async function fill(playing: SessionPlay, { lent, most, token }: LentBatch): Promise<void> {
  const { queue, tasking, staff: now } = playing;
  const count = (id: string, by: number): void => void now.running.set(id, (now.running.get(id) ?? 0) + by);
  for (const { lease, worker } of queue.all()) if (lease && worker !== null) count(worker, 1);
  const seen = new Set<string>();
  while (lent.length < most && !playing.signal.aborted) {
    // A worktree belongs to the project's own repository, on its own machine.
    const task = queue.next(tasking.clock.now(), ({ id, isolate }) => isolate === 'none' && !seen.has(id));
    if (!task) return;
    seen.add(task.id);
    const choice = await selectTaskAgent(playing, task);
    if (choice.kind !== 'chosen') continue;
    const { agent } = choice;
    count(agent.id, 1);
    now.lastUsed.set(agent.id, tasking.clock.now());
    const timeout = Math.min(task.timeout ?? Infinity, agent.timeout);
    const begun = await beginLaunch(playing, task, agent, (line) => ({ token, line, timeout }));
    if (begun.kind === 'skipped') {
      count(agent.id, -1);
      const after = begun.task ?? (await tasking.tasks.read(task.session, task.id));
      if (after) await take(playing, after);
      continue;
    }
    queue.put(begun.launch.task);
    lent.push(buildLentTask(playing, begun.launch, timeout));
  }
}

function buildLentTask(playing: SessionPlay, launch: BegunLaunch, timeout: number): LentTask {
  const { task, agent, line, wire, enclosures } = launch;
  const version = selectWorkerVersion(playing.staff.members, agent);
  return {
    lease: task.lease?.id ?? '',
    session: task.session,
    task: task.id,
    runner: agent.id,
    wire,
    leftMs: timeout,
    text: toOneLine(task.text, 80),
    prompt: buildTaskPrompt(playing, task, { agent, line, wire, version, enclosures }),
    line: encodeTaskLine(line, version),
    system: takesPersonaSeparately(agent) ? agent.persona : '',
  };
}

// What a server needs to lease tasks to a remote worker: its own ports, with the worker in place of this
// process.

/** Opens the tasks for a worker: this project's files determine who is chosen, the worker what is run. */
async function openWorkerTasking(app: App, worker: LeaseInput): Promise<TaskPorts> {
  const theirs = new Map(worker.agents.map(parseDeclaredAgent).map((one) => [one.id, one]));
  const own = await openTasking(app, () => undefined, { labels: worker.labels });
  const self = identifyWorker(app, worker);
  return {
    ...own,
    agents: asTheirs(own.agents, theirs),
    health: openProjectHealth(openWorkspace(app), self.host),
    self,
    runs: (agent) => toRemoteRunnable(self.host, agent, theirs.get(agent.id)),
    // The worker only lists agents that it trusts.
    mayRun: ({ sha256 }) => sha256 !== UNKNOWN,
    isLent: true,
  };
}

/** The agents of this project with the worker's runner and timeout. A person stays a person. */
function asTheirs(registry: AgentRegistry, theirs: ReadonlyMap<string, DeclaredAgent>): AgentRegistry {
  const mergeDeclared = (agent: Agent): Agent => {
    const one = theirs.get(agent.id);
    if (!one || agent.runner === 'human') return agent;
    const { runner, timeout } = one;
    return { ...agent, runner, timeout, risk: pickHigherRisk(agent.risk, one.risk) };
  };
  return {
    ...registry,
    list: () => registry.list().map(mergeDeclared),
    find: (id) => {
      const agent = registry.find(id);
      return agent && mergeDeclared(agent);
    },
    require: (id) => mergeDeclared(registry.require(id)),
  };
}

const pickHigherRisk = (a: Risk, b: Risk): Risk => (RISKS.indexOf(a) < RISKS.indexOf(b) ? b : a);

/** The hash of an agent that a worker lacks. */
const UNKNOWN = '';

/** Permissions for the worker of one token apply to no other, whatever host name it reports. */
const toRemoteRunnable = (
  place: string,
  { id, path }: Agent,
  there: DeclaredAgent | undefined,
): Runnable => ({
  key: `agent:${id}`,
  file: path,
  runs: `${id} of ${parseHostOfPlace(place)}, for the token ${place.slice(parseHostOfPlace(place).length + 1)}`,
  env: [],
  needs: 'word',
  sha256: there?.hash ?? UNKNOWN,
});
