// The tools of a model worker: those named in its file, and the approval of risky calls.
import { pickOwnTools } from '../../core/agents/check.ts';
import type { OwnTool } from '../../core/agents/check.ts';
import type { Agent } from '../../core/agents/agent.ts';
import type { ToolLoop, Tool, Permission, ToolCall } from '../../core/agents/tools/tool.ts';
import type { Config } from '../../core/base/config.ts';
import { describeThrown } from '../../core/base/errors.ts';
import type { Risk } from '../../core/base/config-values.ts';
import { fill, loadWords } from '../../core/base/words/words.ts';
import { openPrivateDir } from '../../core/store/file/private-dir.ts';
import { openApprovalDesk } from '../ports.ts';
import { openProjectStorage } from '../../core/app/storage/project-storage.ts';
import { identifyProcess } from '../../core/store/local/liveness.ts';
import { turnRegister } from '../../core/app/permissions.ts';
import { openMemories, createLoopJournal } from './memories.ts';
import { RISKS } from '../../core/base/config-values.ts';
import { parseGlob } from '../../core/base/glob.ts';
import { sha256OfParts } from '../../core/base/ids.ts';
import type { ApprovalDesk } from '../tasks/approval-desk.ts';
import { mustWait } from '../tasks/approvals.ts';
import { nameTask } from '../tasks/task.ts';
import type { TaskPorts } from '../tasks/use/ports.ts';

/** The ports that a worker's tools need. */
export type ToolPorts = Pick<
  TaskPorts,
  'project' | 'config' | 'env' | 'features' | 'clock' | 'mayRun' | 'note'
>;

export interface ToolWork {
  agent: Agent;
  session: string;
  /** The task's id. */
  task: string;
  /** The agent's wire id. */
  wire: string;
  /** Lowest risk that needs approval. */
  threshold: Risk;
  /** Tools in addition to those named in its file. */
  more?: readonly Tool[];
}

/** Opens the tool loop of a `model` agent whose file names tools; undefined for others, which answer at once. */
export async function createToolLoop(ports: ToolPorts, work: ToolWork): Promise<ToolLoop | undefined> {
  const { agent, session, task, threshold, more = [] } = work;
  const { project, config, env, clock } = ports;
  const names = pickOwnTools(agent);
  if (agent.runner !== 'model' || names.length + agent.mcp_servers.length + more.length === 0)
    return undefined;
  const own = await openTools(ports, work, names);
  const served = await openServers(ports, work);
  const texts = openPrivateDir({ env, projectRoot: project.root });
  const desk = openApprovalDesk(ports, { project }, config);
  // An id alone is that of a task in every session: an approval is valid for one of them.
  const named = nameTask({ session, id: task });
  return {
    tools: [...own.tools, ...served.tools, ...more],
    ...(served.missing.length > 0 && { preface: served.missing.join('\n') }),
    maxIterations: agent.max_tool_iterations,
    limitReached: loadWords(config.lang).tools.limit,
    permit: createToolPermissionCheck({ desk, config, agent: agent.id, task: named, threshold }),
    journal: createLoopJournal(texts, clock, { root: project.root, session, task, agent: agent.id }),
    close: async () => void (await Promise.all([own.close(), served.close()])),
  };
}

/** Opens the tools of the servers named in its file. If one is missing, the loop's preface says so. */
async function openServers(
  { project: { root }, config, env, mayRun, note }: ToolPorts,
  { agent: { id, mcp_servers: names }, session, task, wire }: ToolWork,
): Promise<OpenTools & { missing: string[] }> {
  if (names.length === 0) return { tools: [], missing: [], close: () => Promise.resolve() };
  const { connectServerTools } = await import('../../core/agents/runners/mcp-tools.ts');
  const { loadMcpServers } = await import('../../core/app/trust.ts');
  const there = loadMcpServers(root);
  const words = loadWords(config.lang).tools;
  const register = turnRegister({ env }, root);
  const work = { kind: 'task', task, session, wire } as const;
  const opened = await Promise.all(
    names.map(async (name) => {
      const found = there.find(({ server }) => server.name === name);
      try {
        if (!found) throw new Error(words.unknown);
        if (!mayRun(found.runnable)) throw new Error(words.untrusted);
        const turn = register.begin({ agent: id, work });
        const extraEnv = { COUNCIL_TURN: turn.secret };
        const onSpawn = (pid: number): void => turn.setGroup(identifyProcess(pid));
        try {
          const { tools, close } = await connectServerTools(found.server, {
            cwd: root,
            env,
            extraEnv,
            onSpawn,
          });
          return { ok: true as const, tools, close: () => close().finally(turn.end) };
        } catch (error) {
          turn.end();
          throw error;
        }
      } catch (error) {
        return {
          ok: false as const,
          missing: fill(words.without, { server: name, reason: describeThrown(error) }),
        };
      }
    }),
  );
  const missing = opened.flatMap((one) => (one.ok ? [] : [one.missing]));
  for (const line of missing) note(`${id}: ${line}`);
  const connected = opened.filter((one) => one.ok);
  return {
    tools: connected.flatMap(({ tools }) => tools),
    missing,
    close: async () => void (await Promise.all(connected.map(({ close }) => close()))),
  };
}

interface OpenTools {
  tools: Tool[];
  close(): Promise<void>;
}

/** Loads only the named tools, as each needs a library. Their data is next to the histories, ignored by git. */
async function openTools(
  ports: ToolPorts,
  { agent, session, task }: ToolWork,
  names: readonly OwnTool[],
): Promise<OpenTools> {
  const { project, clock } = ports;
  const closing: (() => void)[] = [];
  const open: Record<OwnTool, () => Promise<Tool>> = {
    async memory() {
      const memories = await openMemories(project);
      closing.push(() => memories.close());
      // Agent ids contain no slash.
      const selectMemory = (workflow?: string) =>
        memories.openMemory(workflow === undefined ? agent.id : `${agent.id}/${workflow}`);
      return (await import('../../core/agents/tools/memory.ts')).createMemoryTool(selectMemory, clock);
    },
    async todo() {
      const { readTodoStamp, openTodoList } = await import('../../core/store/agent-memory.ts');
      const store = openProjectStorage(ports, project).documents('todos', { readStamp: readTodoStamp });
      const key = `${session}-${task.replaceAll('.', '-')}`.toLowerCase();
      return (await import('../../core/agents/tools/todo.ts')).createTodoTool(openTodoList(store, key));
    },
    calculator: async () => (await import('../../core/agents/tools/calculator.ts')).createCalculatorTool(),
  };
  const tools = await Promise.all(names.map((name) => open[name]()));
  return { tools, close: () => Promise.resolve(closing.forEach((end) => end())) };
}

interface ToolPermissionRequest {
  desk: Pick<ApprovalDesk, 'mayRun'>;
  config: Pick<Config, 'toolRisks' | 'lang'>;
  agent: string;
  /** With its session: "S1/T1". */
  task: string;
  /** Lowest risk that needs approval. */
  threshold: Risk;
}

/** Returns the highest risk among the patterns that a tool's name matches; undefined if none does. */
export function findToolRisk(name: string, risks: Config['toolRisks']): Risk | undefined {
  const matching = Object.entries(risks).filter(
    ([pattern]) => parseGlob(pattern)?.matches(name) ?? pattern === name,
  );
  return RISKS.findLast((risk) => matching.some(([, one]) => one === risk));
}

/** Requests approval for risky calls, bound to agent, tool and arguments; repeating the call may use it. */
const createToolPermissionCheck =
  ({ desk, config, agent, task, threshold }: ToolPermissionRequest) =>
  async ({ id, tool, input }: ToolCall): Promise<Permission> => {
    const risk = findToolRisk(tool.name, config.toolRisks);
    if (risk === undefined || !mustWait(risk, threshold)) return { allowed: true };
    const asked = {
      kind: tool.kind,
      operation: tool.name,
      details: { tool: tool.name, input },
      risk,
      requester: agent,
      hash: sha256OfParts([agent, tool.name, JSON.stringify(input)]),
      task,
    };
    const said = await desk.mayRun(asked, { attempt: id });
    const words = loadWords(config.lang).tools;
    switch (said.verdict) {
      case 'allowed':
        return { allowed: true };
      case 'waiting':
        return { waits: said.approval.id };
      case 'rejected':
        return { denied: fill(words.rejected, { reason: said.reason }) };
      case 'expired':
        return { denied: words.expired };
    }
  };
