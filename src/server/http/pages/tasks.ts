// Pages of the tasks: a list, the plan of a session as a graph, and a single task with its result and exchange.
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { renderTable, renderTime } from '../../page/page-formats.ts';
import type { Ctx } from '../context.ts';
import { respondWithProblem, redirectToPage, respondWithExplanation, respondWithPage } from './layout.ts';
import { renderFormToken } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { readOrder, renderList } from './rows.ts';
import type { SortKey } from './rows.ts';
import type { Site } from './site.ts';

/** A task, as in the call `task`. `standing` describes its state in English until `translateTasks` translates it. */
interface ListedTask {
  id: string;
  session: string;
  text: string;
  state: 'N' | 'R' | 'W' | 'D' | 'F' | 'X';
  worker: string | null;
  result: string | null;
  error: { code: string; text: string } | null;
  after: string[];
  question: { text: string; options: string[] } | null;
  standing: string;
}

interface ExchangeEntry {
  time: string;
  from: string;
  to: string;
  text: string;
}

const SORT_KEYS: Record<string, SortKey<ListedTask>> = {
  task: ({ session, id }) => `${session.padStart(12)}${id.padStart(12)}`,
  instruction: ({ text }) => text.toLowerCase(),
  worker: ({ worker }) => worker ?? '',
  standing: ({ state }) => state,
};

/** A person's possible actions by state; a finished task can be retried. */
const CHANGES: Record<ListedTask['state'], readonly ('retry' | 'cancel')[]> = {
  N: ['cancel'],
  R: ['cancel'],
  W: ['cancel'],
  D: [],
  F: ['retry'],
  X: ['retry'],
};

/** Translates the standings of tasks to the visitor's language. */
async function translateTasks(
  { data }: Site,
  tasks: readonly ListedTask[],
  { lang, w }: Visitor,
): Promise<ListedTask[]> {
  if (lang === 'en') return [...tasks];
  const standings = await data.standings(new Set(tasks.map(({ session }) => session)), w);
  return tasks.map((one) => ({
    ...one,
    standing: standings.get(`${one.session}/${one.id}`) ?? one.standing,
  }));
}

export function addTasks(site: Site): void {
  site.get('/tasks', async (c, visitor) => {
    const { w } = visitor;
    const done = await visitor.ask('task', { action: 'list', all: true });
    const { tasks } = done.document as { tasks?: ListedTask[] };
    if (!tasks) return respondWithProblem(c, visitor, done);
    const worded = await translateTasks(site, tasks, visitor);
    return respondWithPage(c, visitor, {
      title: w.site.tasks,
      at: 'tasks',
      main: html`<h1>${w.site.tasks}</h1>
        ${tasks.length === 0 ? html`<p>${w.site.noTasks}</p>` : await renderTasks(c, '/tasks', worded, w)}`,
    });
  });
  site.get('/tasks/:session', async (c, visitor) => {
    const { w } = visitor;
    const session = c.req.param('session') ?? '';
    const done = await visitor.ask('task', { action: 'list', all: true });
    const { tasks: all } = done.document as { tasks?: ListedTask[] };
    if (!all) return respondWithProblem(c, visitor, done);
    const tasks = await translateTasks(
      site,
      all.filter((one) => one.session === session),
      visitor,
    );
    if (tasks.length === 0)
      return respondWithExplanation(c, visitor, { status: 404, code: 'not_found', says: w.site.nowhere });
    const title = fill(w.site.planOf, { session });
    return respondWithPage(c, visitor, {
      title,
      at: 'tasks',
      main: html`<h1>${title}</h1>
        ${await drawPlan(tasks, title)} ${await renderTasks(c, `/tasks/${session}`, tasks, w)}`,
    });
  });
  site.get('/tasks/:session/:id', async (c, visitor) => {
    const name = `${c.req.param('session')}/${c.req.param('id')}`;
    const [shown, log] = await Promise.all(
      (['show', 'log'] as const).map((action) => visitor.ask('task', { action, text: name })),
    );
    const { task } = shown!.document as { task?: ListedTask };
    if (!task) return respondWithProblem(c, visitor, shown!);
    const { lines = [] } = log!.document as { lines?: ExchangeEntry[] };
    const [worded = task] = await translateTasks(site, [task], visitor);
    return respondWithPage(c, visitor, {
      title: name,
      at: 'tasks',
      main: renderTaskPage(worded, lines, visitor),
    });
  });
  site.post('/tasks/:session/:id', async (c, visitor, form) => {
    const text = `${c.req.param('session')}/${c.req.param('id')}`;
    const action = form.get('do') === 'retry' ? 'retry' : 'cancel';
    const done = await visitor.ask('task', { action, text });
    return done.failed ? respondWithProblem(c, visitor, done) : redirectToPage(c, `/tasks/${text}`);
  });
}

function renderTasks(c: Ctx, path: string, tasks: readonly ListedTask[], w: PageWords): Promise<Html> {
  const list = {
    label: w.site.tasks,
    path,
    rows: tasks,
    sortKeys: SORT_KEYS,
    order: readOrder(c, SORT_KEYS, 'task', 'down'),
    render: (rows: readonly ListedTask[]) =>
      rows.map((one) => [
        html`<a href="/tasks/${one.session}/${one.id}">${one.session}/${one.id}</a>`,
        toOneLine(one.text, 200),
        one.worker ?? '',
        toOneLine(one.standing, 200),
      ]),
  };
  return renderList(c, list, w);
}

function renderTaskPage(task: ListedTask, lines: readonly ExchangeEntry[], visitor: Visitor): Html {
  const { w } = visitor;
  const { site } = w;
  const { session, id, text, worker, result, error, after, state, standing } = task;
  const address = `/tasks/${session}/${id}`;
  const isNamed = worker !== null && standing.includes(fill(w.taskStanding.by, { worker }));
  return html`<h1><a href="/tasks/${session}">${session}</a>/${id}</h1>
    <p>${worker !== null && !isNamed && html`<strong>${worker}</strong> · `}${standing}</p>
    <p class="raw words" dir="auto">${text}</p>
    ${
      after.length > 0 &&
      html`<p>
        ${site.comesAfter} ${after.map((one) => html`<a href="/tasks/${session}/${one}">${one}</a> `)}
      </p>`
    }
    ${
      result !== null &&
      html`<h2>${site.result}</h2>
        <pre dir="auto">${result}</pre>`
    }
    ${error && html`<p class="bad" dir="auto">${error.code}: ${error.text}</p>`}
    ${
      CHANGES[state].length > 0 &&
      html`<form method="post" action="${address}">
        ${renderFormToken(visitor)}
        ${CHANGES[state].map((one) => html`<button name="do" value="${one}">${site[one === 'retry' ? 'retryTask' : 'cancelTask']}</button> `)}
      </form>`
    }
    ${
      lines.length > 0 &&
      html`<h2>${site.exchange}</h2>
        ${renderTable(
          {
            label: site.exchange,
            header: [site.at, site.speaker, site.said],
            rows: lines.map((one) => [
              renderTime(one.time, w),
              `${one.from} → ${one.to}`,
              html`<span dir="auto">${one.text}</span>`,
            ]),
            cards: true,
          },
          w,
        )}`
    }`;
}

/** The data of a task in the graph. `state` is the letter of the line protocol. */
interface PlannedTask {
  id: string;
  session: string;
  text: string;
  state: string;
  standing: string;
  worker: string | null;
  after: readonly string[];
}

/** The part of dagre in use; its own types do not resolve here, as they import files without extensions. */
interface Dagre {
  Graph: new () => PlanGraph;
  layout(graph: PlanGraph): void;
}
interface PlanGraph {
  setGraph(settings: Record<string, unknown>): PlanGraph;
  setNode(id: string, size: { width: number; height: number }): void;
  setEdge(from: string, to: string, label: object): void;
  graph(): { width?: number; height?: number };
  edges(): object[];
  edge(edge: object): { points?: { x: number; y: number }[] };
  node(id: string): { x?: number; y?: number };
}

const BOX = { width: 170, height: 48 };
/** Larger plans are shown only as a table. */
const MOST_TASKS = 200;
/** The CSS class of a box by task state, with the colours of a council's lanes. */
const STATE_COLOURS: Record<string, string> = { N: 'c0', R: 'c1', W: 'c7', D: 'c3', F: 'c8', X: 'c0' };
/** Beside the colour, a sign for tasks that wait for an answer, are done, failed, or were cancelled. */
const STATE_SIGNS: Record<string, string> = { W: '?', D: '✓', F: '✗', X: '–' };

/** Returns null if no task waits for another one. */
async function drawPlan(tasks: readonly PlannedTask[], label: string): Promise<Html | null> {
  const known = new Set(tasks.map(({ id }) => id));
  const isLinked = tasks.some(({ after }) => after.some((id) => known.has(id)));
  if (!isLinked || tasks.length > MOST_TASKS) return null;
  const { layout, Graph } = (await import('@dagrejs/dagre')) as unknown as Dagre;
  const graph = new Graph().setGraph({
    rankdir: 'LR',
    nodesep: 16,
    ranksep: 48,
    marginx: 8,
    marginy: 8,
  });
  for (const { id } of tasks) graph.setNode(id, { ...BOX });
  for (const { id, after } of tasks) for (const one of after) if (known.has(one)) graph.setEdge(one, id, {});
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const [right, bottom] = [Math.ceil(width), Math.ceil(height)];
  return html`<figure class="picture" tabindex="0" role="group" aria-label="${label}">
    <svg viewBox="0 0 ${right} ${bottom}" width="${right}" height="${bottom}" role="group">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0L8 4L0 8z" class="arrow" />
        </marker>
      </defs>
      ${graph.edges().map((edge) => drawArrow(graph.edge(edge).points ?? []))}
      ${tasks.map((one) => drawBox(one, graph.node(one.id)))}
    </svg>
  </figure> `;
}

const drawArrow = (points: readonly { x: number; y: number }[]): Html =>
  html`<path
    d="${points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${Math.round(x)} ${Math.round(y)}`).join('')}"
    class="c0 way"
    marker-end="url(#arrow)"
  />`;

/** Draws a box with the task's id, state, worker and instruction, linked to its page. */
function drawBox(
  { id, session, text, state, standing, worker }: PlannedTask,
  at: { x?: number; y?: number },
): Html {
  const x = Math.round((at.x ?? 0) - BOX.width / 2);
  const y = Math.round((at.y ?? 0) - BOX.height / 2);
  return html`<a href="/tasks/${session}/${id}" class="${STATE_COLOURS[state] ?? 'c0'}">
    <title>${toOneLine(`${standing}: ${text}`, 200)}</title>
    <rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" class="hollow" />
    <text x="${x + 10}" y="${y + 20}" class="lane"
      >${toOneLine([id, STATE_SIGNS[state], worker].join(' '), 20)}</text
    >
    <text x="${x + 10}" y="${y + 38}" class="small">${toOneLine(text, 24)}</text>
  </a>`;
}
