// What is measured at growing sizes.
import fs from 'node:fs';
import { join } from 'node:path';
import { MB, measureDisk, prepareGrowth } from '../history.ts';
import { archives, councils, instant } from '../idle.ts';
import { costOne, council } from '../measure.ts';
import type { ProcessCost } from '../measure.ts';
import { archiveMany } from '../populate.ts';
import { makeProject, prose } from '../projects.ts';
import type { Project } from '../projects.ts';
import { ticks } from './ticks.ts';

/** One thing that is done at several sizes, the smallest of which stands for the cost of nothing. */
export interface Series {
  name: string;
  what: string;
  /** What the sizes count. */
  of: string;
  sizes: number[];
  /** For a look at everything: seconds. */
  small: number[];
  /** What it costs at a size, the median of a few; `facts` is told beside it. */
  measure(scratch: string, size: number): Promise<ProcessCost & { facts?: string }>;
}

const DECADES = [1, 100, 1000, 10_000, 100_000];
const SMALL = [1, 60];

/** The median of three by processor time: the first start of a command compiles. */
function three(measure: () => ProcessCost): ProcessCost {
  measure();
  return [measure(), measure(), measure()].sort((a, b) => a.cpu - b.cpu)[1]!;
}

const calling = (project: Project, ...args: string[]): ProcessCost =>
  three(() => costOne(council(args, project.root, project.env)));

const idle = (name: string, command: string, what: string): Series => ({
  name,
  what,
  of: 'councils',
  sizes: DECADES,
  small: SMALL,
  measure: async (scratch, size) => calling(await councils(scratch, size), command),
});

const list: Series = {
  name: 'list',
  what: 'council list, the cache up to date',
  of: 'archives',
  sizes: DECADES,
  small: SMALL,
  measure: async (scratch, size) => calling(await archives(scratch, size), 'list'),
};

const show: Series = {
  name: 'show',
  what: 'council show of an archive by its file',
  of: 'archives',
  sizes: DECADES,
  small: SMALL,
  async measure(scratch, size) {
    const project = makeProject(scratch, ['ana', 'ben']);
    archiveMany(project, ['ana', 'ben'], { count: size, said: (at) => prose(200, at + 2) });
    const [name] = fs.readdirSync(join(project.root, 'conseils'));
    return calling(project, 'show', name!.slice(0, -3));
  },
};

const whole: Series = {
  name: 'run',
  what: 'council run --mode synthesis of programs that answer at once, to the archive; each commit writes the whole state',
  of: 'participants',
  sizes: [3, 10, 32, 100, 320, 1000],
  small: [3, 6],
  async measure(scratch, size) {
    const ids = Array.from({ length: size }, (_, at) => `p${at + 1}`);
    const project = instant(scratch, ids);
    const args = [
      'run',
      'What should be done?',
      '--mode',
      'synthesis',
      '--agents',
      ids.join(','),
      '--coordinator',
      'p1',
    ];
    const cost = costOne(council(args, project.root, project.env));
    const [archive] = fs.readdirSync(join(project.root, 'conseils'));
    const said =
      fs.readFileSync(join(project.root, 'conseils', archive!), 'utf8').split('<!--council-response ')
        .length - 1;
    return { ...cost, facts: `${said} contributions` };
  },
};

const commit: Series = {
  name: 'commit',
  what: 'one commit to a council with so large a state, within one process (median of 5)',
  of: 'MB',
  sizes: [1 / 64, 0.25, 1, 4, 15],
  small: [1 / 64, 1 / 8],
  async measure(scratch, size) {
    const { next } = await prepareGrowth(scratch, size * MB);
    const times = [];
    for (let round = 0; round < 6; round++) {
      const before = process.cpuUsage();
      await next();
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
    }
    const cpu = times.slice(1).sort((a, b) => a - b)[2]!;
    return { ms: cpu, cpu, mb: process.memoryUsage().rss / MB };
  },
};

const history: Series = {
  name: 'history',
  what: 'what a council of 16 MB takes on the disk',
  of: 'revisions',
  sizes: [1, 10, 100, 1000],
  small: [1, 10],
  async measure(scratch, size) {
    const { next, shared } = await prepareGrowth(scratch, 15.9 * MB);
    const before = process.cpuUsage();
    for (let round = 1; round < size; round++) await next();
    const { user, system } = process.cpuUsage(before);
    const { all, state } = measureDisk(shared);
    const cpu = (user + system) / 1000;
    return {
      ms: cpu,
      cpu,
      mb: process.memoryUsage().rss / MB,
      facts: `${(all / state).toFixed(1)} times the council`,
    };
  },
};

const heartbeat: Series = {
  name: 'ticks',
  what: 'passes of one process over 100 councils that wait, as the heartbeat makes them: memory must stay flat',
  of: 'passes',
  sizes: [10, 100, 1000, 10_000],
  small: [5, 50],
  measure: async (scratch, size) => ticks(await councils(scratch, 100), size),
};

export const SERIES: Series[] = [
  idle('tick', 'tick', 'council tick, every council waiting for people'),
  idle('status', 'status', 'council status, every council waiting for people'),
  list,
  show,
  whole,
  commit,
  history,
  heartbeat,
];
