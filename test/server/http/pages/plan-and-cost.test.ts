// The graph of a plan, and what launches have cost.
import { expect, it } from 'vitest';
import type { CallOutcome, RemoteCall } from '../../../../src/server/remote/perform-call.ts';
import { documentOf, elementsIn, textIn } from '../../../helpers/html.ts';
import { pageServer } from '../../../helpers/page-server.ts';
import { visitorAt } from '../../../helpers/visitor.ts';

const words = (body: string): string => textIn(documentOf(body)).replace(/\s+/g, ' ');

const task = (id: string, after: string[], state: string, session = 'S4') => ({
  ...{ id, session, text: `<b>Do</b> ${id}`, state, worker: null, result: null, error: null },
  ...{ after, question: null, standing: state === 'D' ? 'done' : 'waits' },
});
const TASKS = [
  task('T1', [], 'D'),
  task('T2', ['T1'], 'R'),
  task('T3', ['T1', 'T9'], 'N'),
  task('T4', ['T2', 'T3'], 'N'),
  task('T5', [], 'N', 'S5'),
];
const SPENT = {
  ...{ launches: 3, inputTokens: 1200, cachedTokens: 200, outputTokens: 300, unknownCost: 0 },
  ...{ unknownTokens: 0, prompt: { bytes: 0, cacheable: 0 } },
};
const REPORT = {
  ...{ by: 'month', since: null, total: { ...SPENT, costUsd: 1 } },
  rows: [
    { key: '2026-10', ...SPENT, costUsd: 0.25 },
    { key: '2026-11', ...SPENT, costUsd: 1 },
  ],
};
const answer = ({ name, input }: RemoteCall): CallOutcome => ({
  document: name === 'task' ? { tasks: TASKS } : { ...REPORT, by: input.by },
  failed: false,
});

it('draws a plan: a box for each of its tasks, an arrow for each that waits for another', async () => {
  const { url } = await pageServer({ isOpen: true, answer });
  const visitor = visitorAt(url);
  const { body } = await visitor.get('/tasks/S4');
  const all = elementsIn(documentOf(body));
  const svg = body.slice(body.indexOf('<svg'), body.indexOf('</svg>'));
  expect(svg.match(/href="[^"]*"/g)).toEqual(['T1', 'T2', 'T3', 'T4'].map((id) => `href="/tasks/S4/${id}"`));
  expect(svg.match(/marker-end/g)).toHaveLength(4);
  const x = all.filter(({ name }) => name === 'rect').map(({ attributes }) => Number(attributes.x));
  expect([x[0]! < x[1]!, x[1] === x[2], x[2]! < x[3]!]).toEqual([true, true, true]);
  expect(words(body)).toContain('T1 ✓');
  expect(body).not.toContain('<b>');
  expect(words(body)).toContain('S4/T4');
  expect(words(body)).not.toContain('T5');
  expect((await visitor.get('/tasks/S5')).body).not.toContain('<svg');
  expect((await visitor.get('/tasks/S6')).status).toBe(404);
});

it('sums what launches cost, with a bar as long as its share of the greatest', async () => {
  const { url, here, asked } = await pageServer({ isOpen: true, answer });
  const visitor = visitorAt(url);
  const { body } = await visitor.get('/cost?by=month');
  expect([...here, ...asked].map(({ input }) => input)).toContainEqual({ by: 'month' });
  const widths = elementsIn(documentOf(body))
    .filter(({ name }) => name === 'rect')
    .map(({ attributes }) => attributes.width);
  expect(widths).toEqual(['50', '200']);
  expect(words(body)).toContain('2026-11 1 3 1,200 200 300');
  expect(words((await visitor.get('/cost?by=wrong')).body)).toContain('Agent');
});

it('leaves out what no launch reported, and says so', async () => {
  const unknown = { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null };
  const spent = { ...SPENT, ...unknown, unknownTokens: 3, unknownCost: 3 };
  const report = { ...REPORT, total: spent, rows: [{ key: '2026-11', ...spent }] };
  const { url } = await pageServer({
    isOpen: true,
    answer: () => ({ document: report, failed: false }),
  });
  const said = words((await visitorAt(url).get('/cost?by=month')).body);
  expect(said).toContain('MonthLaunches 2026-11 3');
  expect(said).not.toContain('unknown');
  expect(said).toContain('Launches that reported no tokens: 3; no cost: 3.');
});
