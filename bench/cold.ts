// Figures of single commands that start from nothing.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { costAtOnce, costOne, council, emptyNode, pairwiseCosts, played } from './measure.ts';
import type { Cost } from './measure.ts';
import { copies, makeProject, openCouncil, prose, run } from './projects.ts';
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

const status: Figure = {
  name: 'status',
  what: 'council status, one active council of 20 KB',
  against: NODE,
  goal: 2,
  async measure(scratch) {
    const project = councilOf(scratch, FOUR, 20 * KB);
    const [ours, empty] = [
      council(['status'], project.root, project.env),
      emptyNode(project.root, project.env),
    ];
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

const respondLarge: Figure = {
  name: 'respond-large',
  what: 'council respond, blind phase, state of 1 MB',
  against: 'the same on a state of 20 KB',
  goal: 1.3,
  why: 'The text is hashed and written twice, as a version and as the file that people see, and the faster a small one is the more that weighs.',
  async measure(scratch) {
    const large = councils(join(scratch, 'large'), FOUR, KB * KB, ROUNDS);
    const small = councils(join(scratch, 'small'), FOUR, 20 * KB, ROUNDS);
    return pairwiseCosts(
      ROUNDS,
      (round) => costRespond(large[round]!),
      (round) => costRespond(small[round]!),
    );
  },
};

const CROWD = Array.from({ length: 32 }, (_, at) => `p${at + 1}`);
export const CROWD_ROUNDS = 15;

const respondCrowd: Figure = {
  name: 'respond-32',
  what: '32 council respond at once, one council of 32',
  against: '32 empty processes of the same Node at once',
  goal: 2.5,
  why: 'The commits of one council go one after the other, and each reads and writes the whole state.',
  async measure(scratch) {
    const { projects, costCrowd } = crowds(scratch);
    return pairwiseCosts(CROWD_ROUNDS, costCrowd, (round) =>
      costAtOnce(CROWD.map(() => emptyNode(projects[round]!.root, projects[round]!.env))),
    );
  },
};

/** Councils of 32, one for each round, in which all of them respond at once by the command line of a build. */
export function crowds(
  scratch: string,
  cli?: string,
): { projects: Project[]; costCrowd(round: number): Promise<Cost> } {
  const projects = councils(scratch, CROWD, 20 * KB, CROWD_ROUNDS, cli);
  const costCrowd = async (round: number): Promise<Cost> => {
    const cost = await costAtOnce(CROWD.map((id) => respondAs(id, projects[round]!)));
    requireAllResponded(projects[round]!);
    return cost;
  };
  return { projects, costCrowd };
}

/** The figures of single commands that start from nothing. */
export const coldFigures = [version, status, respond, respondLarge, respondCrowd];

function councilOf(scratch: string, people: string[], bytes: number, cli?: string): Project {
  const project = makeProject(scratch, people, cli);
  openCouncil(project, people, bytes);
  const size = statSync(join(project.root, 'memory', 'shared', 'council-active-conversation.md')).size;
  if (Math.abs(size / bytes - 1) > 0.1)
    throw new Error(`The state file has ${size} bytes instead of about ${bytes}.`);
  return project;
}

function councils(scratch: string, people: string[], bytes: number, rounds: number, cli?: string): Project[] {
  const project = councilOf(scratch, people, bytes, cli);
  writeFileSync(join(project.root, 'answer.md'), prose(KB, 7));
  return copies(scratch, project, played(rounds));
}

const respondAs = (id: string, { root, env, cli }: Project) =>
  council(['respond', id, '--file', 'answer.md'], root, env, cli);

function costRespond(project: Project): Cost {
  const cost = costOne(respondAs('ben', project));
  if (!existsSync(join(project.root, 'memory', 'shared', '.versions', 'active-conversation', '2.md')))
    throw new Error('Nothing was committed.');
  return cost;
}

function requireAllResponded(project: Project): void {
  const { councils: found } = JSON.parse(run(project, ['status', '--json'])) as {
    councils: { participants: Record<string, { status: string }> }[];
  };
  const said = Object.values(found[0]!.participants).filter((p) => p.status === 'RESPONDED').length;
  if (said !== CROWD.length) throw new Error(`${said} of ${CROWD.length} contributions were recorded.`);
}
