// Collects a launch's prompt: the template, the task, enclosed texts, and for an orchestrator the session.
import { join } from 'node:path';
import type { Agent } from '../../../core/agents/agent.ts';
import { selectPromptName, renderWorkerPrompt } from '../prompt.ts';
import type { Enclosure, WorkerPromptInput, PromptName } from '../prompt.ts';
import type { ExchangeLine, Task, TaskError } from '../task.ts';
import { asJoined, getWireId, listWorkerAgents } from './workers.ts';
import type { TaskPorts } from './ports.ts';
import type { SessionPlay } from './session.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { findPackageDir, readTextFile } from '../../../core/store/local/project.ts';
import { formatCount, decodeText, toOneLine } from '../../../core/base/text.ts';
import { getPairValue, parseReferences, parseDataPairs } from '../../messages/codecs/data-pairs.ts';
import { cutToBudget } from '../answer-question.ts';
import { getWireTaskId } from '../task.ts';
import { readGivenFile } from '../../../core/app/given-file.ts';

interface PromptRequest {
  agent: Agent;
  line: ExchangeLine;
  wire: string;
  version: WorkerPromptInput['version'];
  enclosed: readonly Enclosure[];
  /** True if its program gets the persona separately. */
  hasPlace: boolean;
}

/** Builds the whole prompt. Throws `failed` if council's own template is missing. */
export function buildTaskPrompt(
  playing: SessionPlay,
  task: Task,
  { agent, line, wire, version, enclosed, hasPlace }: PromptRequest,
): string {
  const { config } = playing.tasking;
  const name = selectPromptName(agent);
  return renderWorkerPrompt({
    task,
    wire,
    line,
    version,
    persona: hasPlace ? '' : agent.persona,
    enclosed,
    capabilities: agent.capabilities,
    lang: config.lang,
    template: readPromptTemplate(name, config.lang),
    limits: getDelegationLimits(agent, playing.tasking),
    overview: name === 'orchestrator' ? buildSessionOverview(playing) : undefined,
  });
}

/** Returns how deep a task of this agent may be handed on, and in how many parts. */
export const getDelegationLimits = (
  { max_depth: depth }: Agent,
  { config }: Pick<TaskPorts, 'config'>,
): WorkerPromptInput['limits'] => ({ depth: depth ?? config.taskDepth, children: config.taskParts });

function buildSessionOverview({
  tasking,
  queue,
  session,
  staff,
}: SessionPlay): WorkerPromptInput['overview'] {
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

/** Reads a template. Throws `failed` if council's installation is damaged. */
export function readPromptTemplate(name: PromptName, lang: Language): string {
  const file = `${name}${lang === 'en' ? '' : `.${lang}`}.md`;
  const path = join(findPackageDir(), 'templates', 'agents', 'prompts', file);
  const text = readTextFile(path);
  if (text !== undefined) return text;
  throw new CouncilError('failed', `council's own file ${path} is missing.`, {
    hint: 'Install council anew.',
  });
}

const MOST_BYTES = 1024 * 1024;

/** Collects the enclosed texts; `part` is a handed-on task that came back. Returns E43 if one is missing. */
export async function collectAttachments(
  task: Task,
  part: Task | undefined,
  root: string,
  find: (id: string) => Promise<Task | undefined>,
): Promise<Enclosure[] | { error: TaskError }> {
  const found = new Map<string, string>();
  for (const id of task.after) {
    const one = await find(id);
    if (typeof one?.result === 'string') found.set(`#REF:${id}:S`, one.result);
  }
  if (typeof part?.result === 'string') found.set(`#REF:${part.id}:S`, part.result);
  const said = (part ?? task).exchange.at(-1)?.body ?? '';
  const asking = `${task.text}\n${said}`;
  for (const reference of parseReferences(asking)) {
    if (reference.to !== 'task') continue;
    const { task: id, field = 'S' } = reference;
    if (id === getWireTaskId(task)) continue;
    const page = field === 'S' ? parseReferencedPage(asking, id) : undefined;
    const one = await find(id);
    if (!one) return { error: { code: 'E43', text: `#REF:${id}:${field} leads nowhere: there is no ${id}` } };
    const text = field === 'S' ? one.result : findResultField(one, field);
    if (text === undefined || text === null)
      return { error: { code: 'E43', text: `#REF:${id}:${field} leads nowhere: ${id} has no such value` } };
    if (page !== undefined) {
      const part = selectTextPage(text, page);
      if (typeof part === 'number')
        return {
          error: { code: 'E43', text: `#REF:${id}:S has ${formatCount(part, 'page')}, and no page ${page}` },
        };
      found.delete(`#REF:${id}:S`);
      found.set(part.name(`#REF:${id}:S`), part.text);
    }
    // A field is left out if the whole result is enclosed.
    else if (field === 'S' || !found.has(`#REF:${id}:S`)) found.set(`#REF:${id}:${field}`, text);
  }
  for (const file of task.context) {
    const read = readAttachedFile(root, file);
    if (typeof read !== 'string') return read;
    found.set(file, read);
  }
  const enclosed = [...found].map(([name, text]) => ({ name, text }));
  return task.simpler ? cutToBudget(task, enclosed) : enclosed;
}

/** Reads a file to enclose. Throws if it is missing, too large, not text or not a regular file. */
export const readContext = (root: string, file: string): string =>
  decodeText(Buffer.from(readGivenFile(root, file, MOST_BYTES)), file);

/** Characters per page. */
const PAGE = 10_000;

/** Parses `#REF:T1:S;page=2`; undefined for the whole result. */
function parseReferencedPage(text: string, id: string): number | undefined {
  const page = new RegExp(`#REF:${id}(?::S)?;page=(\\d{1,4})(?!\\d)`).exec(text)?.[1];
  return page === undefined ? undefined : Number(page);
}

/** Returns a page of a text with its name; the number of pages if there is no such page. */
function selectTextPage(text: string, page: number): { name: (of: string) => string; text: string } | number {
  const characters = [...text];
  const pages = Math.max(1, Math.ceil(characters.length / PAGE));
  if (page < 1 || page > pages) return pages;
  const from = (page - 1) * PAGE;
  return {
    name: (of) => `${of};page=${page} (${page}/${pages})`,
    text: characters.slice(from, from + PAGE).join(''),
  };
}

/** A missing file fails only its own task. */
function readAttachedFile(root: string, file: string): string | { error: TaskError } {
  try {
    return readContext(root, file);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return {
      error: { code: 'E43', text: `${file} cannot be given to it: ${toOneLine(error.message, 200)}` },
    };
  }
}

function findResultField({ exchange, text }: Task, field: string): string | undefined {
  if (field === 'R') return text;
  const last = exchange.findLast(({ kind }) => kind === 'response');
  return last && getPairValue(parseDataPairs(last.body), field);
}
