// Pages of the tasks: a list, the plan of a session as a graph, and a single task with its result and exchange.
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { table, time } from '../../page/show.ts';
import type { Ctx } from '../context.ts';
import { problemPage, seeOther, sorryPage, layout } from './layout.ts';
import { drawPlan } from './plan.ts';
import { formTokenField } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { readOrder, renderList } from './rows.ts';
import type { Column } from './rows.ts';
import type { Site } from './site.ts';

/** A task, as in the call `task`. `standing` describes its state in English until `wordTasks` translates it. */
interface Task {
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

interface LogLine {
  time: string;
  from: string;
  to: string;
  text: string;
}

const COLUMNS: Record<string, Column<Task>> = {
  task: ({ session, id }) => `${session.padStart(12)}${id.padStart(12)}`,
  instruction: ({ text }) => text.toLowerCase(),
  worker: ({ worker }) => worker ?? '',
  standing: ({ state }) => state,
};

/** A person's possible actions by state; a finished task can be retried. */
const CHANGES: Record<Task['state'], readonly ('retry' | 'cancel')[]> = {
  N: ['cancel'],
  R: ['cancel'],
  W: ['cancel'],
  D: [],
  F: ['retry'],
  X: ['retry'],
};

/** Translates the standings of tasks to the visitor's language. */
async function wordTasks({ looks }: Site, tasks: readonly Task[], { lang, w }: Visitor): Promise<Task[]> {
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
    const { tasks } = done.document as { tasks?: Task[] };
    if (!tasks) return problemPage(c, visitor, done);
    const worded = await wordTasks(site, tasks, visitor);
    return layout(c, visitor, {
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
    const { tasks: all } = done.document as { tasks?: Task[] };
    if (!all) return problemPage(c, visitor, done);
    const tasks = await wordTasks(
      site,
      all.filter((one) => one.session === session),
      visitor,
    );
    if (tasks.length === 0)
      return sorryPage(c, visitor, { status: 404, code: 'not_found', says: w.site.nowhere });
    const title = fill(w.site.planOf, { session });
    return layout(c, visitor, {
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
    const { task } = shown!.document as { task?: Task };
    if (!task) return problemPage(c, visitor, shown!);
    const { lines = [] } = log!.document as { lines?: LogLine[] };
    const [worded = task] = await wordTasks(site, [task], visitor);
    return layout(c, visitor, { title: name, at: 'tasks', main: taskPage(worded, lines, visitor) });
  });
  site.post('/tasks/:session/:id', async (c, visitor, form) => {
    const text = `${c.req.param('session')}/${c.req.param('id')}`;
    const action = form.get('do') === 'retry' ? 'retry' : 'cancel';
    const done = await visitor.ask('task', { action, text });
    return done.failed ? problemPage(c, visitor, done) : seeOther(c, `/tasks/${text}`);
  });
}

function renderTasks(c: Ctx, path: string, tasks: readonly Task[], w: Words): Promise<Html> {
  const list = {
    ...{ label: w.site.tasks, path, rows: tasks, columns: COLUMNS },
    order: readOrder(c, COLUMNS, 'task', 'down'),
    render: (rows: readonly Task[]) =>
      rows.map((one) => [
        html`<a href="/tasks/${one.session}/${one.id}">${one.session}/${one.id}</a>`,
        oneLine(one.text, 200),
        one.worker ?? '',
        oneLine(one.standing, 200),
      ]),
  };
  return renderList(c, list, w);
}

function taskPage(task: Task, lines: readonly LogLine[], visitor: Visitor): Html {
  const { w } = visitor;
  const { site } = w;
  const { session, id, text, worker, result, error, after, state, standing } = task;
  const address = `/tasks/${session}/${id}`;
  return html`<h1><a href="/tasks/${session}">${session}</a>/${id}</h1>
    <p>${worker !== null && html`<strong>${worker}</strong>: `}${standing}</p>
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
        ${formTokenField(visitor)}
        ${CHANGES[state].map((one) => html`<button name="do" value="${one}">${site[one === 'retry' ? 'retryTask' : 'cancelTask']}</button> `)}
      </form>`
    }
    ${
      lines.length > 0 &&
      html`<h2>${site.exchange}</h2>
        ${table(
          site.exchange,
          [site.at, site.speaker, site.said],
          lines.map((one) => [
            time(one.time, w),
            `${one.from} → ${one.to}`,
            html`<span dir="auto">${one.text}</span>`,
          ]),
          false,
          w,
        )}`
    }`;
}
