// This build against another one, in processor time: `npm run bench -- --against FOLDER`, where FOLDER is another checkout that was built.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Figure, Timings } from './figure.ts';
import { CLI, cpuOne, pairwise, played } from './measure.ts';
import type { Timed } from './measure.ts';
import { multiply } from './populate.ts';
import { copies, makeProject, openCouncil, prose, run, settle } from './projects.ts';
import type { Project } from './projects.ts';

const ROUNDS = 30;
const PEOPLE = ['ana', 'ben', 'cleo', 'dan'];
const COUNCILS = 1000;
const AGENT = (id: string): string =>
  `---\nname: ${id}\ndescription: Speaks at once.\ncouncil:\n  runner: command\n  command: [sh, speak.sh]\n---\n`;
/** States a position, so that nobody is asked once more. */
const SPEAK = 'cat > /dev/null\nprintf "position: Do it\\n\\nDo it, in small steps.\\n"\n';

/** The projects of both sides, one for each round. */
type Sides = (folder: string, cli: string) => Project[] | Promise<Project[]>;

interface Compared {
  name: string;
  what: string;
  goal: number;
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
  {
    name: 'build-run',
    what: 'council run, 3 instant programs that state a position, a named coordinator',
    goal: 0.7,
    args: ['run', 'What should be done?', '--agents', 'ana,ben,cleo', '--coordinator', 'ana'],
    projects(folder, cli) {
      const project = makeProject(folder, [], cli);
      fs.writeFileSync(join(project.root, 'speak.sh'), SPEAK);
      for (const id of PEOPLE) fs.writeFileSync(join(project.root, 'agents', `${id}.md`), AGENT(id));
      const projects = copies(folder, project, played(ROUNDS));
      // Older builds asked nobody.
      if (run(project, ['run', '--help']).includes('--trust'))
        for (const one of projects) run(one, ['trust', '--yes']);
      return projects;
    },
  },
];

/** The figures of this build against the one in `folder`. */
export const buildFigures = (folder: string): Figure[] =>
  compared.map(({ name, what, goal, args, projects }) => ({
    name,
    what: `${what}: processor time`,
    against: `the same with the build in ${folder}`,
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
        ROUNDS,
        (round) => cpuOne(call(ours![round]!)),
        (round) => cpuOne(call(theirs![round]!)),
      );
    },
  }));
