// Figures of whole pieces of work: a commit, a run from start to archive.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Figure } from './figure.ts';
import { launches, trusted } from './launches.ts';
import { libraryOf } from './populate.ts';
import { costHere, council, pairwise, pairwiseCosts, played, timeOne } from './measure.ts';
import type { Cost } from './measure.ts';
import { makeProject, openCouncil } from './projects.ts';

const NAME = 'active-conversation';

const commit: Figure = {
  name: 'commit',
  what: 'one commit of 20 KB in a running process (store.update)',
  against: 'a plain durable rewrite of the same bytes: temp, fsync, rename, fsync of the folder',
  goal: 1.8,
  waits: true,
  why: 'It makes a lock, two files with an fsync each and a link, where the rewrite makes one file; in memory an fsync costs nothing, and these calls are all there is.',
  async measure(scratch) {
    const { commitOne, texts } = await commits(scratch);
    const rewritten = join(scratch, 'plain', 'state.md');
    fs.mkdirSync(dirname(rewritten));
    return pairwiseCosts(COMMITS, commitOne, (round) => costHere(() => rewrite(rewritten, texts[round]!)));
  },
};

export const COMMITS = 200;

/** Commits of 20 KB, one in each round, by the library of a build. */
export async function commits(
  scratch: string,
  cli?: string,
): Promise<{ commitOne(round: number): Promise<Cost>; texts: string[] }> {
  const project = makeProject(scratch, ['ana', 'ben'], cli);
  openCouncil(project, ['ana', 'ben'], 20 * 1024);
  const { fileStore, parse, serialize, readStamp } = await libraryOf(project);
  const store = fileStore({ dir: join(project.root, 'memory', 'shared'), prefix: 'council-', readStamp });
  const { text, revision } = (await store.read(NAME))!;
  const model = parse(text);
  // The stamp holds the revision: the text of each is made before the clock starts.
  const texts = Array.from({ length: played(COMMITS) }, (_, at) =>
    serialize({ ...model, state: { ...model.state, revision: revision + 1 + at } }),
  );
  const commitOne = async (round: number): Promise<Cost> => {
    let committed = false;
    const cost = await costHere(async () => ({ committed } = await store.update(NAME, () => texts[round])));
    if (!committed) throw new Error('Nothing was committed.');
    return cost;
  };
  return { commitOne, texts };
}

function rewrite(path: string, text: string): void {
  const temp = `${path}.tmp`;
  const fd = fs.openSync(temp, 'w');
  fs.writeSync(fd, text);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.renameSync(temp, path);
  const dir = fs.openSync(dirname(path), 'r');
  fs.fsyncSync(dir);
  fs.closeSync(dir);
}

const SPEAK = 'cat > /dev/null\necho "Do it, in small steps."\n';
const PHASES = 3;
const RUN_ROUNDS = 20;

/** A debate of instant programs from start to archive, against the programs alone, started phase by phase. */
function debateOf(ids: string[], facts: Pick<Figure, 'name' | 'goal' | 'allowanceMs'>): Figure {
  const programs = ids.length * PHASES;
  return {
    ...facts,
    what: `council run, a debate of ${ids.length} instant programs over ${PHASES} phases, to the archive`,
    against: `a shell script that starts the same ${programs} programs phase by phase`,
    async measure(scratch) {
      const project = makeProject(scratch, []);
      fs.writeFileSync(join(project.root, 'speak.sh'), SPEAK);
      fs.writeFileSync(join(project.root, 'script.sh'), scriptOf(ids));
      for (const id of ids) {
        const agent = `---\nname: ${id}\ndescription: Speaks at once.\ncouncil:\n  runner: command\n  command: [sh, speak.sh]\n---\n`;
        fs.writeFileSync(join(project.root, 'agents', `${id}.md`), agent);
      }
      const projects = trusted(scratch, project, RUN_ROUNDS);
      const ours = ['run', 'What should be done?', '--agents', ids.join(',')];
      const timings = await pairwise(
        RUN_ROUNDS,
        (round) => timeOne(council(ours, projects[round]!.root, projects[round]!.env)),
        (round) => {
          const { root: cwd, env } = projects[round]!;
          return timeOne({ command: 'sh', args: ['script.sh'], cwd, env });
        },
      );
      for (const { root } of projects) requireSaid(join(root, 'conseils'), programs);
      return timings;
    },
  };
}

const scriptOf = (ids: string[]): string => `
for phase in COLLECT CHALLENGE RESOLVE; do
  for id in ${ids.join(' ')}; do sh speak.sh < COUNCIL.md > "out-$phase-$id" & done
  wait
done
`;

function requireSaid(dir: string, expected: number): void {
  const [name] = fs.readdirSync(dir);
  const said =
    name === undefined
      ? 0
      : fs.readFileSync(join(dir, name), 'utf8').split('<!--council-response ').length - 1;
  if (said !== expected) throw new Error(`The archive holds ${said} contributions instead of ${expected}.`);
}

const run = debateOf(['ana', 'ben', 'cleo'], { name: 'run', goal: null });
const table = debateOf(['ana', 'ben', 'cleo', 'dan'], { name: 'table', goal: 2, allowanceMs: 150 });

/** The figures of whole pieces of work. */
export const workFigures = [commit, run, table, launches];
