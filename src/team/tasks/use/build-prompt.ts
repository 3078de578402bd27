// What a worker is told for one launch: its template, its task, and for an orchestrator what is going on.
import { join } from 'node:path';
import type { Agent } from '../../../core/agents/agent.ts';
import { selectPromptName, workerPrompt } from '../prompt.ts';
import type { Enclosed, Prompting, PromptName } from '../prompt.ts';
import type { ExchangeLine, Task } from '../task.ts';
import { asJoined } from './registered-workers.ts';
import type { Tasking } from './ports.ts';
import type { Playing } from './session.ts';
import { getWireId, listWorkerAgents } from './workers.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { packageDir, readTextFile } from '../../../core/store/local/project.ts';

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

/** A template with its variables. Throws `failed` where council's own installation is damaged. */
export function promptTemplate(name: PromptName, lang: Language): string {
  const file = `${name}${lang === 'en' ? '' : `.${lang}`}.md`;
  const path = join(packageDir(), 'templates', 'agents', 'prompts', file);
  const text = readTextFile(path);
  if (text !== undefined) return text;
  throw new CouncilError('failed', `council's own file ${path} is missing.`, {
    hint: 'Install council anew.',
  });
}
