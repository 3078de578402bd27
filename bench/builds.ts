// This build against another one: the figures whose absolute ratios move with the machine.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Figure, Timings } from './figure.ts';
import { crowds, CROWD_ROUNDS } from './cold.ts';
import { heartbeatOf, noted } from './idle.ts';
import { trusted, withSpeakers } from './launches.ts';
import { CLI, costOne, pairwiseCosts, played } from './measure.ts';
import type { Cost } from './measure.ts';
import { archiveMany, multiply } from './populate.ts';
import { copies, makeProject, openCouncil, prose, settle } from './projects.ts';
import type { Project } from './projects.ts';
import { COMMITS, commits } from './work.ts';

const ROUNDS = 30;
const PEOPLE = ['ana', 'ben', 'cleo', 'dan'];
const COUNCILS = 1000;
const MANY = 10_000;
/** The projects of both sides, one for each round. */
type Sides = (folder: string, cli: string) => Project[] | Promise<Project[]>;

interface Compared extends Pick<Figure, 'name' | 'what' | 'goal' | 'mostMb' | 'why'> {
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
    why: "What starting and committing gained is partly spent on what that build did not do: it tells what was read of a text, and posts to the council's channel.",
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
    projects: (folder, cli) => waiting(folder, cli, COUNCILS),
  },
  runOf(3, {
    name: 'build-run',
    goal: 0.7,
    why: 'The start of the program and of its libraries is most of so short a run, and each run keeps a channel, a log and an audit trail, which that build did not.',
  }),
  runOf(32, { name: 'build-run-32', goal: 0.65, rounds: 9 }),
  {
    name: 'build-status',
    what: `council status, ${MANY} councils that wait for people`,
    // 250 of 890 ms.
    goal: 0.28,
    mostMb: 120,
    rounds: 9,
    args: ['status'],
    projects: (folder, cli) => waiting(folder, cli, MANY),
  },
  {
    name: 'build-list',
    what: `council list, ${MANY} archives`,
    // 300 of 1,678 ms.
    goal: 0.18,
    mostMb: 120,
    rounds: 9,
    args: ['list'],
    projects(folder, cli) {
      const project = makeProject(folder, PEOPLE, cli);
      archiveMany(project, PEOPLE, { count: MANY, said: (at) => prose(500, at + 2) });
      settle();
      return sameEachRound(project);
    },
  },
];

/** So many councils, the same in each round, of which a build has noted what it notes. */
async function waiting(folder: string, cli: string, count: number): Promise<Project[]> {
  const project = makeProject(folder, PEOPLE, cli);
  openCouncil(project, PEOPLE, 4 * 1024);
  await multiply(project, count);
  await noted(project);
  return sameEachRound(project);
}

function runOf(count: number, facts: Pick<Compared, 'name' | 'goal' | 'rounds' | 'why'>): Compared {
  const ids = Array.from({ length: count }, (_, at) => `a${at + 1}`);
  return {
    ...facts,
    what: `council run, ${count} instant programs that state a position, a named coordinator`,
    args: ['run', 'What should be done?', '--agents', ids.join(), '--coordinator', 'a1'],
    projects: (folder, cli) =>
      trusted(folder, withSpeakers(folder, count, cli).project, facts.rounds ?? ROUNDS),
  };
}

/** What does not compare two calls of a command: both builds at work, `theirs` with its own command line. */
interface Worked extends Pick<Figure, 'name' | 'what' | 'goal' | 'why' | 'waits'> {
  measure(scratch: string, theirs: string): Promise<Timings>;
}

const worked: Worked[] = [
  {
    name: 'build-respond-32',
    what: '32 council respond at once, one council of 32',
    // 2.5 of 2.9 to 3.6.
    goal: 0.77,
    why: 'Each of them also posts to the channel of the council, which that build did not.',
    measure(scratch, theirs) {
      const [ours, other] = [crowds(join(scratch, '0')), crowds(join(scratch, '1'), theirs)];
      return pairwiseCosts(CROWD_ROUNDS, ours.costCrowd, other.costCrowd);
    },
  },
  {
    name: 'build-commit',
    what: 'one commit of 20 KB in a running process (store.update)',
    // 1.8 of 2.2.
    goal: 0.82,
    why: 'It makes the same files, links and fsyncs as that build, and these calls are nearly all there is.',
    waits: true,
    async measure(scratch, theirs) {
      const [ours, other] = [await commits(join(scratch, '0')), await commits(join(scratch, '1'), theirs)];
      return pairwiseCosts(COMMITS, ours.commitOne, other.commitOne);
    },
  },
  {
    name: 'build-heartbeat',
    what: `processor time an hour of council heartbeat over ${COUNCILS} councils that wait for people (one minute of it, 20 s after its start)`,
    // 3 of 29.5 s.
    goal: 0.1,
    async measure(scratch, theirs) {
      const ours = (await waiting(join(scratch, '0'), CLI, COUNCILS))[0]!;
      const other = (await waiting(join(scratch, '1'), theirs, COUNCILS))[0]!;
      const [figure, baseline] = await Promise.all([heartbeatOf(ours), heartbeatOf(other)]);
      return { figure: [figure], baseline: [baseline] };
    },
  },
];

/** The figures of this build against another one, which `folder` finds, or makes, when it is needed. */
export function buildFigures(folder: () => string, title: string): Figure[] {
  const against = `the same with ${title}`;
  const theirs = (): string => join(folder(), 'dist', 'council.js');
  return [
    ...callFigures(theirs, against),
    ...worked.map((one) => ({
      ...one,
      against,
      measure: (scratch: string) => one.measure(scratch, theirs()),
    })),
  ];
}

/** The figures of single calls, against the command line that `theirs` finds. */
const callFigures = (theirs: () => string, against: string): Figure[] =>
  compared.map(({ name, what, goal, mostMb, why, args, projects, rounds = ROUNDS }) => ({
    name,
    what,
    against,
    goal,
    ...(mostMb !== undefined && { mostMb }),
    ...(why !== undefined && { why }),
    async measure(scratch: string): Promise<Timings> {
      const sides = [CLI, theirs()];
      const [ours, others] = await Promise.all(
        sides.map(async (cli, side) => projects(join(scratch, `${side}`), cli)),
      );
      const cost = ({ cli, root, env }: Project): Cost =>
        costOne({ command: process.execPath, args: [cli, ...args], cwd: root, env });
      return pairwiseCosts(
        rounds,
        (round) => cost(ours![round]!),
        (round) => cost(others![round]!),
      );
    },
  }));
