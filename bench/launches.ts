// What one more launch costs in a run: whether a large table pays more for each of its members than a small one.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { costOne, council, pairwiseCosts, played } from './measure.ts';
import type { Cost } from './measure.ts';
import { copies, makeProject, run } from './projects.ts';
import type { Project } from './projects.ts';

const PHASES = 3;
const ROUNDS = 12;
/** States a position, so that nobody is asked once more. */
const SPEAK = 'cat > /dev/null\nprintf "position: Do it\\n\\nDo it, in small steps.\\n"\n';

/** A project in which so many programs answer at once, and may be run. */
function withSpeakers(dir: string, count: number): { project: Project; ids: string[] } {
  const ids = Array.from({ length: count }, (_, at) => `a${at + 1}`);
  const project = makeProject(dir, []);
  fs.writeFileSync(join(project.root, 'speak.sh'), SPEAK);
  for (const id of ids) {
    const agent = `---\nname: ${id}\ndescription: Speaks at once.\ncouncil:\n  runner: command\n  command: [sh, speak.sh]\n---\n`;
    fs.writeFileSync(join(project.root, 'agents', `${id}.md`), agent);
  }
  return { project, ids };
}

/** The copies of a project for every round; its agents are trusted in each. */
function copyTrusted(dir: string, project: Project, rounds: number): Project[] {
  const projects = copies(dir, project, played(rounds));
  for (const one of projects) run(one, ['trust', '--yes']);
  return projects;
}

/** What runs with so many agents cost, one in each round. */
function runsOf(scratch: string, count: number): (round: number) => Cost {
  const dir = join(scratch, `of-${count}`);
  const { project, ids } = withSpeakers(dir, count);
  const projects = copyTrusted(dir, project, ROUNDS);
  const args = ['run', 'What should be done?', '--agents', ids.join(), '--coordinator', ids[0]!];
  return (round) => {
    const { root, env } = projects[round]!;
    return costOne(council(args, root, env));
  };
}

/** The figure of the last launches against the first ones. */
export const launches: Figure = {
  name: 'launch-32',
  what: `one launch more in council run, from 16 to 32 agents over ${PHASES} phases`,
  against: 'one launch more from 2 to 8 agents',
  goal: 1.1,
  why: 'Every commit writes the state of the whole table, which grows with it.',
  async measure(scratch) {
    const [two, eight, sixteen, many] = [2, 8, 16, 32].map((count) => runsOf(scratch, count));
    return pairwiseCosts(
      ROUNDS,
      (round) => between(sixteen!(round), many!(round), PHASES * 16),
      (round) => between(two!(round), eight!(round), PHASES * 6),
    );
  },
};

/** What each of so many launches more has cost. */
const between = (few: Cost, many: Cost, launched: number): Cost => ({
  ms: (many.ms - few.ms) / launched,
  cpu: (many.cpu - few.cpu) / launched,
});
