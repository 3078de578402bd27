// Figures of single commands that start from nothing.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { costOne, council, emptyNode, pairwiseCosts, played } from './measure.ts';
import type { Cost } from './measure.ts';
import { copies, makeProject, openCouncil, prose } from './projects.ts';
import type { Project } from './projects.ts';

const FOUR = ['ana', 'ben', 'cleo', 'dan'];
const KB = 1024;
const ROUNDS = 60;
const NODE = 'an empty process of the same Node (node -e 0)';

const version: Figure = {
  name: 'version',
  what: 'council --version',
  against: NODE,
  goal: 1.15,
  async measure(scratch) {
    const { root, env } = makeProject(scratch, []);
    const [ours, empty] = [council(['--version'], root, env), emptyNode(root, env)];
    return pairwiseCosts(
      ROUNDS,
      () => costOne(ours),
      () => costOne(empty),
    );
  },
};

const respond: Figure = {
  name: 'respond',
  what: 'council respond, blind phase, state of 20 KB',
  against: NODE,
  goal: 2,
  stretch: 1.7,
  why: 'Beside the start of Node there are its crypto module, the lock and seven fsyncs; and it tells what was read of a text, and posts to the channel of the council.',
  async measure(scratch) {
    const projects = councils(scratch, FOUR, 20 * KB, ROUNDS);
    return pairwiseCosts(
      ROUNDS,
      (round) => costRespond(projects[round]!),
      (round) => costOne(emptyNode(projects[round]!.root, projects[round]!.env)),
    );
  },
};

/** The figures of single commands that start from nothing. */
export const coldFigures = [version, respond];

function councilOf(scratch: string, people: string[], bytes: number): Project {
  const project = makeProject(scratch, people);
  openCouncil(project, people, bytes);
  const size = statSync(join(project.root, 'memory', 'shared', 'council-active-conversation.md')).size;
  if (Math.abs(size / bytes - 1) > 0.1)
    throw new Error(`The state file has ${size} bytes instead of about ${bytes}.`);
  return project;
}

function councils(scratch: string, people: string[], bytes: number, rounds: number): Project[] {
  const project = councilOf(scratch, people, bytes);
  writeFileSync(join(project.root, 'answer.md'), prose(KB, 7));
  return copies(scratch, project, played(rounds));
}

function costRespond({ root, env }: Project): Cost {
  const cost = costOne(council(['respond', 'ben', '--file', 'answer.md'], root, env));
  if (!existsSync(join(root, 'memory', 'shared', '.versions', 'active-conversation', '2.md')))
    throw new Error('Nothing was committed.');
  return cost;
}
