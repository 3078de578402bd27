// Pages of the tasks: a list, the plan of a session as a graph, and a single task with its result and exchange.
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { renderTable, renderTime } from '../../page/page-formats.ts';
import type { Ctx } from '../context.ts';
import { respondWithProblem, redirectAfterPost, respondWithExplanation, respondWithPage } from './layout.ts';
import { drawPlan } from './plan.ts';
import { renderFormToken } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { readOrder, renderList } from './rows.ts';
import type { Column } from './rows.ts';
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

const COLUMNS: Record<string, Column<ListedTask>> = {
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
  { looks }: Site,
  tasks: readonly ListedTask[],
  { lang, w }: Visitor,
): Promise<ListedTask[]> {
  if (lang === 'en') return [...tasks];
  const standings = await looks.standings(new Set(tasks.map(({ session }) => session)), w);
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
    return done.failed ? respondWithProblem(c, visitor, done) : redirectAfterPost(c, `/tasks/${text}`);
  });
}

function renderTasks(c: Ctx, path: string, tasks: readonly ListedTask[], w: PageWords): Promise<Html> {
  const list = {
    ...{ label: w.site.tasks, path, rows: tasks, columns: COLUMNS },
    order: readOrder(c, COLUMNS, 'task', 'down'),
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
