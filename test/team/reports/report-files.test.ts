import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReportSource } from '../../../src/team/reports/keep-report.ts';
import { searchArchives } from '../../../src/core/archive/search.ts';
import { layOutProject } from '../../../src/core/store/local/project.ts';
import { archiveFiles } from '../../../src/core/store/file/archive-files.ts';
import { reportFiles } from '../../../src/team/reports/report-files.ts';
import { searchIndex } from '../../../src/core/store/file/search-index.ts';
import { reportTime } from '../../../src/team/reports/report-files.ts';
import { NO_REPORT, writeReport } from '../../../src/team/tasks/report.ts';
import { scratch } from '../../core/store/scratch.ts';

const AT = Date.parse('2026-01-11T16:30:00.900Z');

it('keeps each report in a file of its own, the same one only once', async () => {
  const root = scratch();
  const reports = reportFiles(root);
  expect(await reports.list()).toEqual([]);
  const names = await Promise.all(['one', 'two', 'one', 'three'].map((text) => reports.add('w1', AT, text)));
  expect(names).toEqual([
    'memory/reports/w1_20260111_163000.md',
    'memory/reports/w1_20260111_163000_2.md',
    'memory/reports/w1_20260111_163000.md',
    'memory/reports/w1_20260111_163000_3.md',
  ]);
  expect(await Promise.all(names.map((name) => reports.read(name)))).toEqual(['one', 'two', 'one', 'three']);
  expect((await reports.list()).map(({ path }) => path).sort()).toEqual([...new Set(names)].sort());
  expect(names.map(reportTime)).toEqual(Array(4).fill('2026-01-11T16:30:00.000Z'));
  expect(fs.readdirSync(join(root, 'memory/shared/.tmp'))).toEqual([]);
});

it('gives each a place before it is written, unless another text has come there', async () => {
  const root = scratch();
  const reports = reportFiles(root);
  await reports.add('w1', AT, 'there');
  const places = [await reports.reserve('w1', AT), await reports.reserve('w1', AT)];
  expect(places).toEqual([
    'memory/reports/w1_20260111_163000_2.md',
    'memory/reports/w1_20260111_163000_3.md',
  ]);
  expect(fs.readdirSync(join(root, 'memory/reports'))).toEqual(['w1_20260111_163000.md']);
  expect(await reports.add('w1', AT, 'second', places[1])).toBe(places[1]);
  await reportFiles(root).add('w1', AT, 'from elsewhere');
  expect(await reports.add('w1', AT, 'third', places[0])).toBe('memory/reports/w1_20260111_163000_4.md');
  // Whoever was stopped after it was written finds it.
  expect(await reportFiles(root).add('w1', AT, 'second', places[1])).toBe(places[1]);
  await expect(reports.reserve('../w1', AT)).rejects.toMatchObject({ code: 'invalid_id' });
});

it('stays in its folder', async () => {
  const root = scratch();
  const reports = reportFiles(root);
  await expect(reports.add('../w1', AT, 'x')).rejects.toMatchObject({ code: 'invalid_id' });
  await expect(reports.read('memory/reports/../shared/x.md')).rejects.toMatchObject({ code: 'corrupt' });
  fs.mkdirSync(join(root, 'memory'));
  fs.symlinkSync(scratch(), join(root, 'memory', 'reports'));
  await expect(reports.add('w1', AT, 'x')).rejects.toMatchObject({ code: 'unsafe_path' });
});

it('is found by the search, by its task and what it says', async () => {
  const root = scratch();
  const reports = reportFiles(root);
  const text = writeReport({
    ...NO_REPORT,
    agent: 'w1',
    task: 'Count the llamas',
    results: 'Twelve **animals**.',
  });
  const path = await reports.add('w1', AT, text);
  const index = searchIndex({ root, env: { XDG_CACHE_HOME: join(root, 'cache') } });
  const source = createReportSource({ project: layOutProject(root) });
  const search = async (query: string) =>
    (await searchArchives({ archives: archiveFiles({ root }), sources: [source], index }, query)).results;
  expect(await search('llamas')).toMatchObject([
    {
      kind: 'report',
      id: 'w1_20260111_163000',
      path,
      topic: 'Count the llamas',
      endedAt: '2026-01-11T16:30:00.000Z',
    },
  ]);
  expect(await search('animals')).toMatchObject([{ excerpt: 'Twelve **animals**. w1' }]);
  fs.rmSync(join(root, path));
  expect(await search('llamas')).toEqual([]);
});
