// Builds a launch's prompt: the template, the task, enclosed texts, and for an orchestrator the session.
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
  enclosures: readonly Enclosure[];
}

/** True if a worker's program gets the persona apart from the prompt. */
export const takesPersonaSeparately = ({ runner }: Pick<Agent, 'runner'>): boolean => runner !== 'command';

/** Builds the whole prompt. Throws `failed` if council's own template is missing. */
export function buildTaskPrompt(
  playing: SessionPlay,
  task: Task,
  { agent, line, wire, version, enclosures }: PromptRequest,
): string {
  const { config } = playing.tasking;
  const name = selectPromptName(agent);
  return renderWorkerPrompt({
    task,
    wire,
    line,
    version,
    persona: takesPersonaSeparately(agent) ? '' : agent.persona,
    enclosures,
    capabilities: agent.capabilities,
    lang: config.lang,
    template: readPromptTemplate(name, config.lang),
    limits: getDelegationLimits(agent, playing.tasking),
    overview: name === 'orchestrator' ? buildSessionOverview(playing) : undefined,
  });
}

/** Returns how often in a row a task of this agent may be handed on, and in how many parts. */
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
    hint: 'Reinstall council.',
  });
}

/** Maximum size of an enclosed file. */
const MAX_FILE_BYTES = 1024 * 1024;
const CHARACTERS_PER_PAGE = 10_000;

type FindTask = (id: string) => Promise<Task | undefined>;

/** Collects what is enclosed; `part` is a handed-on task that came back. Returns E43 if something is missing. */
export async function collectEnclosures(
  task: Task,
  part: Task | undefined,
  root: string,
  find: FindTask,
): Promise<Enclosure[] | { error: TaskError }> {
  const references = listTaskReferences(task, part);
  // Pages are enclosed instead of the whole result.
  const paged = new Set(references.flatMap((one) => (one.page === undefined ? [] : [one.task])));
  const texts = await collectPrecedingResults(task, part, find);
  for (const id of paged) texts.delete(`#REF:${id}:S`);
  for (const reference of references) {
    const { task: id, field, page } = reference;
    if (field === 'S' && page === undefined && paged.has(id)) continue;
    const enclosure = await readReference(reference, find);
    if ('error' in enclosure) return enclosure;
    // A field is left out if the whole result is enclosed.
    if (field === 'S' || !texts.has(`#REF:${id}:S`)) texts.set(enclosure.name, enclosure.text);
  }
  for (const file of task.context) {
    const text = readFileOfTask(root, file);
    if (typeof text !== 'string') return text;
    texts.set(file, text);
  }
  const enclosures = [...texts].map(([name, text]) => ({ name, text }));
  return task.simpler ? cutToBudget(task, enclosures) : enclosures;
}

/** Returns the results of the tasks that had to be done before, and of the part, by reference. */
async function collectPrecedingResults(
  { after }: Task,
  part: Task | undefined,
  find: FindTask,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const one of [...(await Promise.all(after.map(find))), part])
    if (typeof one?.result === 'string') texts.set(`#REF:${one.id}:S`, one.result);
  return texts;
}

interface TaskReference {
  task: string;
  field: string;
  page: number | undefined;
}

/** Lists the references to other tasks, in the task's text and the last line. Only whole results have pages. */
function listTaskReferences(task: Task, part: Task | undefined): TaskReference[] {
  const request = `${task.text}\n${(part ?? task).exchange.at(-1)?.body ?? ''}`;
  return parseReferences(request).flatMap((one) => {
    if (one.to !== 'task' || one.task === getWireTaskId(task)) return [];
    const { field = 'S', page } = one;
    return [{ task: one.task, field, page: field === 'S' ? page : undefined }];
  });
}

async function readReference(
  { task: id, field, page }: TaskReference,
  find: FindTask,
): Promise<Enclosure | { error: TaskError }> {
  const name = `#REF:${id}:${field}`;
  const refuse = (why: string) => ({ error: { code: 'E43', text: `${name} ${why}` } });
  const task = await find(id);
  if (!task) return refuse(`leads nowhere: there is no ${id}`);
  const text = field === 'S' ? task.result : findReferencedValue(task, field);
  if (text === undefined || text === null) return refuse(`leads nowhere: ${id} has no such value`);
  if (page === undefined) return { name, text };
  const characters = [...text];
  const pages = Math.max(1, Math.ceil(characters.length / CHARACTERS_PER_PAGE));
  if (page < 1 || page > pages) return refuse(`has ${formatCount(pages, 'page')}, and no page ${page}`);
  const end = page * CHARACTERS_PER_PAGE;
  return {
    name: `${name};page=${page} (${page}/${pages})`,
    text: characters.slice(end - CHARACTERS_PER_PAGE, end).join(''),
  };
}

function findReferencedValue({ exchange, text }: Task, field: string): string | undefined {
  if (field === 'R') return text;
  const last = exchange.findLast(({ kind }) => kind === 'response');
  return last && getPairValue(parseDataPairs(last.body), field);
}

/** Reads a file to enclose. Throws if it is missing, too large, not text or not a regular file. */
export const readEnclosedFile = (root: string, file: string): string =>
  decodeText(Buffer.from(readGivenFile(root, file, MAX_FILE_BYTES)), file);

/** Returns an E43 error instead of throwing, so that only this task fails. */
function readFileOfTask(root: string, file: string): string | { error: TaskError } {
  try {
    return readEnclosedFile(root, file);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const text = `${file} cannot be given to the worker: ${toOneLine(error.message, 200)}`;
    return { error: { code: 'E43', text } };
  }
}
