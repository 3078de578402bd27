import { expect, it } from 'vitest';
import { mergeReports, findReportConflicts } from '../../../src/team/tasks/merge-reports.ts';
import { makeReport, parseReport } from '../../../src/team/tasks/read-report.ts';
import { NO_REPORT, writeReport } from '../../../src/team/tasks/report.ts';
import type { Report } from '../../../src/team/tasks/report.ts';

const report = (agent: string, more: Partial<Report>): Report => ({
  ...NO_REPORT,
  agent,
  task: `ask ${agent}`,
  status: 'Success',
  ...more,
});
const TOGETHER = { agent: 'orchestrator', task: 'How many users?' };

it('puts reports together with sources, conflicts and gaps', () => {
  const sources = [
    {
      from: 'T1',
      report: report('w1', {
        results: '# Count\n\n- Users: 1,204.\n- Since: 2019',
        inputTokens: 100,
        outputTokens: 5,
        cost: { amount: 0.1, currency: 'EUR' },
        next: [{ done: false, text: 'Ask ana' }],
        tools: [{ name: 'sql', detail: '3 calls' }],
      }),
    },
    {
      from: 'T2',
      report: report('w2', {
        results: '| What | Value |\n| --- | --- |\n| **users** | 1 350 |\n\nsince: 2019',
        inputTokens: 50,
        cost: { amount: 0.2, currency: 'EUR' },
        next: [{ done: true, text: 'ask Ana' }],
      }),
    },
    { from: 'T3', report: report('w3', { status: 'Failed', cost: { amount: 1, currency: 'USD' } }) },
  ];
  const one = mergeReports(sources, { ...TOGETHER, missing: ['T4'], duration: 2000 });
  expect(one).toMatchObject({
    status: 'Partial',
    inputTokens: 150,
    outputTokens: 5,
    cost: { amount: 0.3, currency: 'EUR' },
    metadata: [{ label: 'Cost', value: '$1' }],
    next: [{ done: true, text: 'Ask ana (T1, T2)' }],
    tools: [{ name: 'sql', detail: '3 calls (T1)' }],
  });
  expect(one.sections).toEqual([
    { heading: 'Conflicts', body: '- Users: 1,204 (T1); 1 350 (T2)' },
    {
      heading: 'Gaps',
      body: '- T4 has no report.\n- T1 leaves actions open: 1.\n- T3: Failed.\n- T3 has no results.',
    },
    {
      heading: 'Sources',
      body: '- T1: w1: ask w1 (Success)\n- T2: w2: ask w2 (Success)\n- T3: w3: ask w3 (Failed)',
    },
  ]);
  expect(one.results).toContain(
    '### w1: ask w1 (Success)\n\n#### Count\n\n- Users: 1,204.\n- Since: 2019\n\nSource: T1',
  );
  const text = writeReport(one);
  expect(writeReport(parseReport(text))).toBe(text);
  expect(mergeReports(sources, { ...TOGETHER, lang: 'fr' }).sections.map(({ heading }) => heading)).toEqual([
    'Contradictions',
    'Lacunes',
    'Sources',
  ]);
});

it('takes a name that one report uses twice for two things', () => {
  const twice = { from: 'T1', report: report('w1', { results: 'Step: one\nStep: two' }) };
  const other = { from: 'T2', report: report('w2', { results: 'Step: one' }) };
  expect(findReportConflicts([twice, other])).toEqual([]);
});

it('has the status of all', () => {
  const statusOf = (...statuses: Report['status'][]) =>
    mergeReports(
      statuses.map((status, at) => ({ from: `T${at}`, report: report('w', { status }) })),
      TOGETHER,
    ).status;
  expect(statusOf('Success', 'Success')).toBe('Success');
  expect(statusOf('Failed', 'Failed')).toBe('Failed');
  expect(statusOf('Success', 'In Progress')).toBe('In Progress');
  expect(statusOf('Success', null)).toBe('Partial');
  expect(statusOf()).toBe('Failed');
});

it('makes a report of free text, and trusts what was measured', () => {
  const known = {
    agent: 'w1',
    task: 'count',
    status: 'Success',
    duration: 1500,
    inputTokens: 10,
    costUsd: 0.01,
  } as const;
  expect(makeReport('There are 12.\n\n# How\n\nBy hand.', known)).toEqual({
    ...NO_REPORT,
    agent: 'w1',
    task: 'count',
    status: 'Success',
    duration: 1500,
    results: 'There are 12.\n\n# How\n\nBy hand.',
    inputTokens: 10,
    cost: { amount: 0.01, currency: 'USD' },
  });
  const claimed =
    '# Agent Report: me\n**Status**: ⚠️ Partial\n**Duration**: 1h\n\n## Results\nHalf.\n\n## Metadata\n- Cost: €9\n- Provider: X';
  expect(makeReport(claimed, known)).toMatchObject({
    agent: 'w1',
    status: 'Partial',
    duration: 1500,
    cost: { currency: 'USD' },
    provider: 'X',
  });
  expect(makeReport(claimed, { ...known, status: 'Failed', costUsd: null })).toMatchObject({
    status: 'Failed',
    cost: { currency: 'EUR' },
  });
});

it('tells in French what a model has called, and counts it all the same', () => {
  const calls = [
    { tool: 'memory', kind: 'tool', ok: true, durationMs: 10 },
    { tool: 'memory', kind: 'tool', ok: false, durationMs: 31 },
    { tool: 'files__read', kind: 'mcp', ok: true, durationMs: 5 },
  ] as const;
  const known = { agent: 'mia', task: 'Compter', status: 'Success', calls } as const;
  const report = makeReport('Douze.', known, 'fr');
  expect(report.tools).toEqual([{ name: 'memory', detail: '2 appels (moyenne 21 ms, 1 en échec)' }]);
  expect(report.mcp).toEqual([{ name: 'files::read', detail: '1 appel (moyenne 5 ms)' }]);
});
