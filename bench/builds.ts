// This build against another one, in processor time: `npm run bench -- --against FOLDER`, where FOLDER is another checkout that was built.
import fs from 'node:fs';
import { basename, join } from 'node:path';
import type { Figure, Timings } from './figure.ts';
import { trusted, withSpeakers } from './launches.ts';
import { CLI, cpuOne, pairwise, played, timeOne } from './measure.ts';
import type { Timed } from './measure.ts';
import { multiply } from './populate.ts';
import { copies, makeProject, openCouncil, prose, settle } from './projects.ts';
import type { Project } from './projects.ts';

const ROUNDS = 30;
const PEOPLE = ['ana', 'ben', 'cleo', 'dan'];
const COUNCILS = 1000;
/** The projects of both sides, one for each round. */
type Sides = (folder: string, cli: string) => Project[] | Promise<Project[]>;

interface Compared {
  name: string;
  what: string;
  goal: number;
  /** 30 unless it is told. */
  rounds?: number;
  args: string[];
  projects: Sides;
}

const sameEachRound = (project: Project): Project[] => Array.from({ length: played(ROUNDS) }, () => project);

const compared: Compared[] = [
  {
    name: 'build-version',
    what: 'council --version',
    goal: 1,
    args: ['--version'],
    projects: (folder, cli) => sameEachRound(makeProject(folder, [], cli)),
  },
  {
    name: 'build-respond',
    what: 'council respond, blind phase, state of 20 KB',
    goal: 0.75,
    args: ['respond', 'ana', '--file', 'answer.md'],
    projects(folder, cli) {
      const project = makeProject(folder, PEOPLE, cli);
      openCouncil(project, PEOPLE, 20 * 1024);
      fs.writeFileSync(join(project.root, 'answer.md'), prose(1024, 7));
      return copies(folder, project, played(ROUNDS));
    },
  },
  {
    name: 'build-tick',
    what: `council tick, ${COUNCILS} councils that wait for people`,
    goal: 0.55,
    args: ['tick'],
    async projects(folder, cli) {
      const project = makeProject(folder, PEOPLE, cli);
      openCouncil(project, PEOPLE, 4 * 1024);
      await multiply(project, COUNCILS);
      settle();
      return sameEachRound(project);
    },
  },
  runOf(3, { name: 'build-run', goal: 0.7 }),
  runOf(32, { name: 'build-run-32', goal: 0.65, rounds: 5 }),
];

function runOf(count: number, facts: Pick<Compared, 'name' | 'goal' | 'rounds'>): Compared {
  const ids = Array.from({ length: count }, (_, at) => `a${at + 1}`);
  return {
    ...facts,
    what: `council run, ${count} instant programs that state a position, a named coordinator`,
    args: ['run', 'What should be done?', '--agents', ids.join(), '--coordinator', 'a1'],
    projects: (folder, cli) =>
      trusted(folder, withSpeakers(folder, count, cli).project, facts.rounds ?? ROUNDS),
  };
}

/** The figures of this build against the one in `folder`. */
export const buildFigures = (folder: string): Figure[] =>
  compared.flatMap((one) => [
    figureOf(one, folder, { suffix: '', clock: 'processor time', goal: one.goal, time: cpuOne }),
    figureOf(one, folder, { suffix: '-wall', clock: 'wall time', goal: null, time: timeOne }),
  ]);

interface Clock {
  suffix: string;
  clock: string;
  goal: number | null;
  time: (call: Timed) => number;
}

const figureOf = (
  { name, what, args, projects, rounds = ROUNDS }: Compared,
  folder: string,
  { suffix, clock, goal, time }: Clock,
): Figure => ({
  name: `${name}${suffix}`,
  what: `${what}: ${clock}`,
  against: `the same with the build in ${basename(folder)}`,
  goal,
  async measure(scratch: string): Promise<Timings> {
    const sides = [CLI, join(folder, 'dist', 'council.js')];
    const [ours, theirs] = await Promise.all(
      sides.map(async (cli, side) => projects(join(scratch, `${side}`), cli)),
    );
    const call = (project: Project): Timed => ({
      command: process.execPath,
      args: [project.cli, ...args],
      cwd: project.root,
      env: project.env,
    });
    return pairwise(
      rounds,
      (round) => time(call(ours![round]!)),
      (round) => time(call(theirs![round]!)),
    );
  },
});
