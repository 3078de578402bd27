// What a worker is told for one launch: its template, its task, and for an orchestrator what is going on.
import type { Agent } from '../../../core/agents/agent.ts';
import { selectPromptName, workerPrompt } from '../prompt.ts';
import type { Enclosed, Prompting } from '../prompt.ts';
import type { ExchangeLine, Task } from '../task.ts';
import { promptTemplate } from '../../worker/prompt-template.ts';
import { asJoined } from './registered-workers.ts';
import type { Tasking } from './ports.ts';
import type { Playing } from './session.ts';
import { getWireId, listWorkerAgents } from './workers.ts';

interface PromptRequest {
  agent: Agent;
  line: ExchangeLine;
  wire: string;
  version: Prompting['version'];
  enclosed: readonly Enclosed[];
  /** Its program has a place of its own for who it is. */
  hasPlace: boolean;
}

/** The whole prompt. Throws `failed` where council's own template is missing. */
export function buildTaskPrompt(
  playing: Playing,
  task: Task,
  { agent, line, wire, version, enclosed, hasPlace }: PromptRequest,
): string {
  const { config } = playing.tasking;
  const name = selectPromptName(agent);
  return workerPrompt({
    task,
    wire,
    line,
    version,
    persona: hasPlace ? '' : agent.persona,
    enclosed,
    capabilities: agent.capabilities,
    lang: config.lang,
    template: { name: `the template "${name}"`, text: promptTemplate(name, config.lang) },
    limits: getDelegationLimits(agent, playing.tasking),
    overview: name === 'orchestrator' ? buildSessionOverview(playing) : undefined,
  });
}

/** How often a task of this agent may be handed on, and to how many. */
export const getDelegationLimits = (
  { max_depth: depth }: Agent,
  { config }: Pick<Tasking, 'config'>,
): Prompting['limits'] => ({ depth: depth ?? config.taskDepth, children: config.taskParts });

function buildSessionOverview({ tasking, queue, session, staff }: Playing): Prompting['overview'] {
  return {
    houseRules: tasking.config.houseRules,
    lines: queue.all().flatMap(({ exchange }) => exchange),
    workers: listWorkerAgents(tasking).map((agent) => ({
      wire: getWireId(session(), agent, agent.id),
      id: agent.id,
      capabilities: asJoined(agent, staff.members).capabilities,
    })),
  };
}
