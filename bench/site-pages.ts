// Figures of the pages of a server: a council of a thousand contributions, ten thousand archives, and what a browser loads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderArchive } from '../src/archive/render.ts';
import { closing, longCouncil } from '../test/helpers/page-sample.ts';
import type { Figure, Timings } from './figure.ts';
import { costOne, council, pairwise, played } from './measure.ts';
import { archiveMany } from './populate.ts';
import { makeProject, prose } from './projects.ts';
import type { Project } from './projects.ts';
import { serverOf } from './serve.ts';

const ROUNDS = 125;
const EIGHT = 8;
const ARCHIVES = 10_000;

/** A kilobyte as people write it, with a list, a link and a quote. */
const kilobyte = (round: number, by: string): string =>
  `Round ${round}: I, ${by}, have run **both of them**; *neither* was boring.

> A lost job means a customer without an invoice.

- 40 jobs a minute today, 400 expected ([figures](https://example.org/figures))
- nobody on call knows \`redis-cli\` by heart

`
    .padEnd(1024, 'What is written together is restored together, which is what matters at night. ')
    .slice(0, 1024);

/** A project with an archive of so many rounds of eight; the path of its page. */
function withArchive(scratch: string, rounds: number): { project: Project; path: string } {
  const project = makeProject(scratch, ['ana']);
  const file = '2026-03-01-where-should-the-job-queue-live.md';
  writeFileSync(
    join(project.root, 'conseils', file),
    renderArchive(closing(longCouncil(rounds, kilobyte)), []),
  );
  return { project, path: `/archives/${file.replace(/\.md$/, '')}` };
}

/** A page as a browser asks for it. */
async function pageAt(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return text;
}

async function opening(url: string): Promise<number> {
  const begun = performance.now();
  await pageAt(url);
  return performance.now() - begun;
}

/** The first request of a page, of a server that has served others: `known` is what it has looked at by then. */
async function firstOf(
  project: Project,
  known: string,
  path: string,
): Promise<{ first: number; again: number }> {
  const server = await serverOf(project);
  await pageAt(server.url + known);
  const first = await opening(server.url + path);
  const again = await opening(server.url + path);
  await server.stop();
  return { first, again };
}

const large: Figure = {
  name: 'site-council',
  what: `the page of a council of ${ROUNDS * EIGHT} contributions of 1 KB, opened for the first time since the server started`,
  against: 'opening it again',
  goal: 0,
  allowanceMs: 1000,
  async measure(scratch) {
    const { project, path } = withArchive(scratch, ROUNDS);
    const timings: Timings = { figure: [], baseline: [] };
    for (let round = 0; round < played(10); round++) {
      const { first, again } = await firstOf(project, '/join', path);
      timings.figure.push(first);
      timings.baseline.push(again);
    }
    return timings;
  },
};

/** A project with ten thousand archives, which a server of it then has to list and search. */
function manyArchives(scratch: string): Project {
  const people = ['ana', 'ben'];
  const project = makeProject(scratch, people);
  archiveMany(project, people, { count: ARCHIVES, said: (at) => `${at}. ${prose(1000, at)}` });
  return project;
}

const list: Figure = {
  name: 'site-archives',
  what: `the list of ${ARCHIVES} archives, opened for the first time since the server started`,
  against: 'council list of the same on the command line',
  goal: null,
  async measure(scratch) {
    const project = manyArchives(scratch);
    return pairwise(
      5,
      async () => (await firstOf(project, '/', '/archives')).first,
      () => costOne(council(['list', '--json'], project.root, project.env)).ms,
    );
  },
};

const search: Figure = {
  name: 'site-search',
  what: `a search in ${ARCHIVES} archives, for the first time since the server started`,
  against: 'council search for the same on the command line',
  goal: null,
  async measure(scratch) {
    const project = manyArchives(scratch);
    return pairwise(
      5,
      async () => (await firstOf(project, '/', '/archives?q=enough')).first,
      () => costOne(council(['search', 'enough', '--json'], project.root, project.env)).ms,
    );
  },
};

const transfer: Figure = {
  name: 'site-transfer',
  what: 'what a browser loads of a council of eight who said 1 KB each: page, style, script',
  against: 'what they said',
  goal: 0,
  allowanceMs: 60,
  unit: 'KB',
  async measure(scratch) {
    const { project, path } = withArchive(scratch, 1);
    const server = await serverOf(project);
    const parts = await Promise.all(
      [path, '/style.css', '/page.js'].map((part) => pageAt(server.url + part)),
    );
    await server.stop();
    return {
      figure: [parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) / 1024],
      baseline: [EIGHT],
    };
  },
};

export const sitePageFigures: Figure[] = [large, list, search, transfer];
