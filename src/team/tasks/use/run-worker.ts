// Runs a worker's program for one turn on a task.
import { identifyProcess } from '../../../core/store/local/liveness.ts';
import { getPairValue } from '../../messages/codecs/data-pairs.ts';
import { join } from 'node:path';
import type { Agent } from '../../../core/agents/agent.ts';
import type { LineConversation, SpeakResult } from '../../../core/agents/runners/turn-types.ts';
import type { ToolLoop } from '../../../core/agents/tools/tool.ts';
import type { EndedLaunch } from '../build-lines.ts';
import type { Enclosure } from '../prompt.ts';
import { changeHeldTask } from '../store.ts';
import { classifyRunnerFailure, recordLaunchGroup } from '../transitions.ts';
import type { Member } from '../registry-members.ts';
import type { ExchangeLine, Task } from '../task.ts';
import { discard } from '../../../core/store/local/disk.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { openTempFolder } from '../../../core/store/local/temps.ts';
import { findAgentMember } from './workers.ts';
import { getDelegationLimits, buildTaskPrompt, takesPersonaSeparately } from './build-prompt.ts';
import type { SessionPlay } from './session.ts';
import { turnRegister } from '../../../core/app/permissions.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { readSaid } from '../parse-worker-output.ts';
import type { SpeakingWorker } from '../parse-worker-output.ts';
import type { TaskPorts } from './ports.ts';

/** Timeout for a worker without output. */
const SILENCE_MS = 300_000;
/** Time to exit after the final line: a worker may still be writing files. */
const EXIT_WITHIN_MS = 10_000;

interface WorkerTurn {
  agent: Agent;
  line: ExchangeLine;
  wire: string;
  enclosures: readonly Enclosure[];
  /** The working directory, and whether it is writable. */
  cwd: string;
  writes: boolean;
  /** For a program in line mode. */
  talk: LineConversation | undefined;
}

/** Returns V4 for workers that registered with it. */
export const selectWorkerVersion = (members: readonly Member[], { id }: Agent): 'V4' | 'V5' =>
  findAgentMember(members, id)?.version === 'v4' ? 'V4' : 'V5';

/** Runs the worker's program for one turn. */
export async function runWorkerTurn(
  playing: SessionPlay,
  task: Task,
  { agent, line, wire, enclosures, cwd, writes, talk }: WorkerTurn,
): Promise<SpeakResult> {
  const { tasking, signal, getStop } = playing;
  const { project, env, tasks } = tasking;
  const { createRunner } = await import('../../../core/agents/runners/runner.ts');
  const limited: Agent = {
    ...agent,
    timeout: Math.min(task.timeout ?? Infinity, agent.timeout),
    // An orchestrator is silent while its workers are running.
    inactivity: agent.inactivity ?? (agent.role === 'orchestrator' ? null : SILENCE_MS),
  };
  const version = selectWorkerVersion(playing.staff.members, agent);
  const input = buildTaskPrompt(playing, task, { agent, line, wire, version, enclosures });
  const kept = talk ? keepPrompt(project, input) : undefined;
  const loop = await createTaskToolLoop(playing, limited, task, wire);
  const speaking = createRunner(limited).speak({
    agent: limited,
    ...(loop && { loop }),
    ...(talk && { talk }),
    input,
    system: takesPersonaSeparately(agent) ? agent.persona : '',
    turn: {
      register: turnRegister({ env }, project.root),
      agent: agent.id,
      work: { kind: 'task', task: task.id, session: task.session, wire },
    },
    toolServers: [],
    cwd,
    reads: true,
    writes,
    env,
    extraEnv: {
      COUNCIL_ROOT: project.root,
      COUNCIL_AGENT: agent.id,
      COUNCIL_WIRE_ID: wire,
      COUNCIL_TASK: task.id,
      COUNCIL_SESSION: task.session,
      ...(kept !== undefined && { COUNCIL_PROMPT: kept }),
    },
    signal: AbortSignal.any([signal, getStop(task)]),
    maxOutput: agent.maxOutput,
    exitWithin: EXIT_WITHIN_MS,
    onOutput: createUpdateListener(tasking, task, wire),
    onSpawn: async (pid) => {
      const group = identifyProcess(pid);
      await changeHeldTask(tasks, task, (now) => recordLaunchGroup(now, group));
    },
  });
  return speaking.finally(() => kept !== undefined && discard(kept));
}

/** Writes the full prompt to a file, for programs that get only lines. */
export const keepPrompt = ({ root, shared }: Pick<Project, 'root' | 'shared'>, prompt: string): string =>
  openTempFolder(join(shared, '.tmp'), { root, fileMode: 0o600 }).write(Buffer.from(prompt), {
    durable: false,
  });

/** Opens the tools of a model; loads nothing for other runners. Only an orchestrator can delegate. */
async function createTaskToolLoop(
  playing: SessionPlay,
  agent: Agent,
  task: Task,
  wire: string,
): Promise<ToolLoop | undefined> {
  if (agent.runner !== 'model') return undefined;
  const { tasking } = playing;
  const { createToolLoop } = await import('../../worker/tool-loop.ts');
  const work = { agent, session: task.session, task: task.id, wire, threshold: task.risk };
  if (agent.role !== 'orchestrator') return createToolLoop(tasking, work);
  const { delegateTools } = await import('./delegate-tools.ts');
  const limits = getDelegationLimits(agent, tasking);
  const more = await delegateTools({ playing, task, limits, timeout: agent.timeout });
  return createToolLoop(tasking, { ...work, more });
}

/** Returns how a launch ended, with an error code if the worker gave none. */
export function toEndedLaunch(task: Task, result: SpeakResult, agent: Agent): EndedLaunch {
  const output = result.output.toString('utf8');
  const { usage } = result;
  const calls = result.loop?.calls;
  if (result.ok) return { output, failure: undefined, usage, calls };
  const isSilent = result.timedOut && result.durationMs < Math.min(task.timeout ?? Infinity, agent.timeout);
  const limit = isSilent
    ? 'silence'
    : task.timeout !== null && task.timeout < agent.timeout
      ? 'task'
      : 'agent';
  const { failure, reason, retryAfterMs } = result;
  return { output, failure: classifyRunnerFailure({ failure, reason, retryAfterMs, limit }), usage, calls };
}

/** Maximum length of an incomplete line; longer ones are not updates. */
const LONGEST_ROW = 4096;
const LONGEST_UPDATE = 200;
/** The type letter of an update in its place; only such rows are parsed. */
const LIKE_UPDATE = /\|[^|\p{L}]*U[^|\p{L}]*\||^\W*U\s/iu;

/**
 * Listens to a worker's output, and saves the latest update in its task, for `task show` and `task watch`. The
 * lines are added to the exchange when the launch ends.
 */
export function createUpdateListener(
  { tasks, tell, note }: Pick<TaskPorts, 'tasks' | 'tell' | 'note'>,
  task: Task,
  wire: string,
): (bytes: number, chunk?: Buffer) => void {
  let newest = '';
  let last: Promise<unknown> = Promise.resolve();
  /** Commits one at a time, and skips outdated updates. */
  const keep = async (progress: string): Promise<void> => {
    if (progress !== newest) return;
    await changeHeldTask(tasks, task, (now) =>
      now.progress === progress ? undefined : { ...now, progress },
    );
  };
  const tellUnkept = (error: unknown): void => {
    if (!(error instanceof CouncilError)) throw error;
    note(`${task.id}: how far it is could not be kept: ${error.message}`);
  };

  return createProgressListener({ task, wire }, (text) => {
    newest = text;
    tell({ type: 'progress', task, text });
    last = last.then(() => keep(text)).catch(tellUnkept);
  });
}

/** Listens to a worker's output, and reports its progress whenever that has changed. */
export function createProgressListener(
  speaking: SpeakingWorker,
  tell: (text: string) => void,
): (bytes: number, chunk?: Buffer) => void {
  const decoder = new TextDecoder();
  let row = '';
  let told: string | undefined;
  return (_bytes, chunk) => {
    if (!chunk) return;
    const rows = `${row}${decoder.decode(chunk, { stream: true })}`.split('\n');
    row = (rows.pop() ?? '').slice(-LONGEST_ROW);
    const updates = rows.filter((one) => LIKE_UPDATE.test(one));
    if (updates.length === 0) return;
    const { lines } = readSaid(updates.join('\n'), speaking);
    const update = lines.findLast(({ kind }) => kind === 'update');
    if (!update?.body) return;
    const text = toOneLine(getPairValue(update.data, 'progress') ?? update.body, LONGEST_UPDATE);
    if (text === told) return;
    told = text;
    tell(text);
  };
}
