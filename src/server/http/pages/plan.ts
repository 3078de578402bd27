// Draws the tasks of a plan as a graph, with an arrow from each task to those that wait for it.
import { toOneLine } from '../../../core/base/text.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';

/** The data of a task in the graph. `state` is the letter of the line protocol. */
export interface PlannedTask {
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
export async function drawPlan(tasks: readonly PlannedTask[], label: string): Promise<Html | null> {
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
