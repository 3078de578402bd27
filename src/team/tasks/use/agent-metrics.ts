// Agents as workers: how they do on their tasks and whether they are well; and how they join, change and leave by lines.
import { iso } from '../../../core/base/clock.ts';
import { isHeartbeatMissed } from '../../messages/policy.ts';
import { whoIsThere } from '../../messages/presence.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import { assessAgentCondition, computeAgentMetrics } from '../agent-metrics.ts';
import type { AgentCondition, AgentMetrics, Done } from '../agent-metrics.ts';
import { readTrackRecords } from '../../../core/app/track-records.ts';
import type { OriginRecord, TrackRecord } from '../../../core/app/track-records.ts';
import type { App } from '../../../core/app/app.ts';
import { openPresences } from '../../messages/use/open-office.ts';
import { openReports } from '../../ports.ts';
import { readReport } from '../../reports/keep-report.ts';
import { agentHealth, loadAgents, openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { listSessionIds, readSessionTasks } from './find.ts';
import { openRegistryBook, openTaskStore } from './ports.ts';
import type { Agent } from '../../../core/agents/agent.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { decodeText } from '../../../core/base/text.ts';
import { codecs } from '../../messages/codecs/codecs.ts';
import type { WireError } from '../../messages/codecs/codec-types.ts';
import type { Member } from '../registry-members.ts';
import { expire, hear, misheard } from '../worker-registry.ts';
import type { RegistryAnswer, Speaker } from '../worker-registry.ts';
import type { GivenText } from '../../../core/app/input/fields.ts';
import { requireSender } from '../../messages/use/send.ts';
import { dismiss } from './create.ts';

export interface AgentsMetrics {
  /** `councils`: what archived councils say of it; null where it sat in none. */
  agents: (AgentMetrics & { councils: TrackRecord | null })[];
  /** The decisions with a recorded outcome, by how they came about. */
  decisions: OriginRecord[];
}

/** What agents have done, in tasks and in councils: one, or all that have done something. */
export async function agentMetrics(app: App, id: string | undefined): Promise<AgentsMetrics> {
  const workspace = openWorkspace(app);
  const all = await readAllTaskReports(app, workspace);
  const { records, origins } = await readTrackRecords(workspace.ports.archives);
  const byId = new Map(records.map((one) => [one.id, one]));
  const ids = await listMeasuredAgentIds(app, workspace, { all, sat: byId }, id);
  return {
    agents: ids.map((one) => ({ ...computeAgentMetrics(one, all), councils: byId.get(one) ?? null })),
    decisions: origins,
  };
}

/** Whether agents are well: one, or all that are programs. */
export async function agentsHealth(app: App, id: string | undefined): Promise<{ agents: AgentCondition[] }> {
  const workspace = openWorkspace(app);
  const all = await readAllTaskReports(app, workspace);
  const book = await agentHealth(workspace).read();
  const now = workspace.ports.clock.now();
  const silent = await silentOnes(app, workspace, now);
  // Health is told of agents that exist.
  const ids = await listMeasuredAgentIds(app, workspace, { all: [] }, id);
  return {
    agents: ids.map((one) =>
      assessAgentCondition(one, all, {
        health: Object.hasOwn(book, one) ? book[one] : undefined,
        silentSince: silent.get(one),
        now,
      }),
    ),
  };
}

/** Who was awake, or had joined, and is silent without a farewell; since when. */
async function silentOnes(app: App, workspace: Workspace, now: number): Promise<Map<string, string>> {
  const gone = (await whoIsThere(openPresences(workspace), now, isAlive)).filter(({ lost }) => lost);
  const { members } = await openRegistryBook(app, workspace).read();
  const lost = members.flatMap(({ agent, status, seen }): [string, string][] =>
    agent !== null && status === 'active' && isHeartbeatMissed(seen, now) ? [[agent, iso(seen)]] : [],
  );
  return new Map([...gone.map((one): [string, string] => [one.agent_id, one.timestamp]), ...lost]);
}

/** All tasks with their reports, the oldest first. */
async function readAllTaskReports(app: App, workspace: Workspace): Promise<Done[]> {
  const tasks = openTaskStore(app, workspace);
  const reports = openReports(workspace);
  const all: Done[] = [];
  for await (const session of listSessionIds(tasks))
    for (const task of await readSessionTasks(tasks, session))
      all.push({ task, report: await readReport(reports, task.report, (line) => app.note(line)) });
  return all.reverse();
}

/**
 * Ids of the project's agents and of all others that have worked on a task or sat in a council. Throws `unknown_agent`
 * for another id.
 */
async function listMeasuredAgentIds(
  app: App,
  workspace: Workspace,
  { all, sat }: { all: readonly Done[]; sat?: ReadonlyMap<string, unknown> },
  id: string | undefined,
): Promise<string[]> {
  const registry = await loadAgents(app, workspace);
  const worked = new Set([
    ...all.flatMap(({ task }) => task.launches.map(({ worker }) => worker)),
    ...(sat?.keys() ?? []),
  ]);
  if (id !== undefined) return worked.has(id) ? [id] : [registry.require(id).id];
  const own = registry.list().filter(({ runner, source }) => runner !== 'human' && source !== 'built-in');
  return [...new Set([...own.map((one) => one.id), ...worked])];
}

export interface RegisterDocument {
  /** What the orchestrator says, line by line: in version 4 to those that asked for it. */
  answers: string[];
  workers: Member[];
}

/**
 * Hears the lines of a worker. One that is none of version 5 is answered with what is wrong with it, and the others are heard.
 * Throws `usage` where there is no line of version 5 at all.
 */
export async function register(
  app: App,
  { lines, as }: { lines: GivenText | undefined; as: string | undefined },
): Promise<RegisterDocument> {
  if (lines === undefined)
    throw new CouncilError(
      'usage',
      'What does the worker say? Give its lines on stdin, or in a file with --lines.',
      {
        hint: "For example: echo 'M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan' | council agents register",
      },
    );
  const workspace = openWorkspace(app);
  const { speaker, agent } = await resolveRegisterSpeaker(app, workspace, as);
  const said = decodeText(await lines.bytes(), 'The lines')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const read = said.map((line) => ({ line, result: codecs.v5.decode(line) }));
  const messages = read.flatMap(({ result }) => (result.ok ? [result.value] : []));
  const [first] = read;
  if (first && !first.result.ok && messages.length === 0) throw unreadable(first.line, first.result.error);
  const { registry, answers } = await openRegistryBook(app, workspace).change((before) => {
    const now = workspace.keeping.clock.now();
    let { registry: known, answers: told } = expire(before, now);
    for (const { line, result } of read) {
      const heard = result.ok
        ? hear(known, result.value, speaker, now)
        : misheard(known, guessLineSender(line), result.error);
      [known, told] = [heard.registry, [...told, ...heard.answers]];
    }
    return { registry: known, result: { registry: known, answers: told } };
  });
  const hasLeft = agent && messages.some(({ kind }) => kind === 'leave');
  if (hasLeft && !registry.members.some((one) => one.agent === agent.id))
    dismiss({ project: workspace.project, note: (message) => app.note(message) }, agent, 'has left');
  return { answers: answers.map(encodeRegistryAnswer), workers: [...registry.members] };
}

/** The workers that have joined and are still there, or are kept in mind. */
export async function joinedWorkers(
  app: App,
  workspace: Pick<Workspace, 'project' | 'keeping'>,
): Promise<Member[]> {
  const book = openRegistryBook(app, workspace);
  return [...expire(await book.read(), workspace.keeping.clock.now()).registry.members];
}

/** An agent that is named has the lifecycle of its file. Throws `unknown_agent`, `forbidden`. */
async function resolveRegisterSpeaker(
  app: App,
  workspace: Workspace,
  as: string | undefined,
): Promise<{ speaker: Speaker; agent: Agent | undefined }> {
  if (as === undefined) return { speaker: { agent: null, lifecycle: null, ttl: null }, agent: undefined };
  const agent = (await loadAgents(app, workspace)).require(requireSender(as));
  const { id, lifecycle, ttl } = agent;
  return { speaker: { agent: id, lifecycle, ttl }, agent };
}

/** Whom the answer to a line goes to that cannot be read: its sender, where that much is certain. */
const guessLineSender = (line: string): string => /^M\d+\|(W[1-9]\d?)>O[1-9]\|/.exec(line)?.[1] ?? '*';

function unreadable(line: string, { code, segment, name, expected, received }: WireError): CouncilError {
  const what = `expected ${expected}; received ${JSON.stringify(received)}`;
  return new CouncilError('usage', `${code} at segment ${segment} (${name}): ${what}.`, {
    hint: 'See: council protocol explain --from v5',
    details: { line: line.slice(0, 200) },
  });
}

function encodeRegistryAnswer({ message, version }: RegistryAnswer): string {
  const line = codecs[version].encode(message, { asRead: true });
  if (line.ok) return line.value;
  throw new CouncilError('failed', `The answer to a worker cannot be written: ${line.error.expected}.`, {
    hint: 'This is a fault of the program: please report it.',
  });
}
