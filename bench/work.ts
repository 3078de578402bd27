// Figures of whole pieces of work: a commit, the launches of a run.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Figure } from './figure.ts';
import { launches } from './launches.ts';
import { importLibrary } from './populate.ts';
import { costHere, pairwiseCosts, played } from './measure.ts';
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
    const { commitOne, texts } = await prepareCommits(scratch);
    const rewritten = join(scratch, 'plain', 'state.md');
    fs.mkdirSync(dirname(rewritten));
    return pairwiseCosts(COMMITS, commitOne, (round) => costHere(() => rewrite(rewritten, texts[round]!)));
  },
};

const COMMITS = 200;

/** Commits of 20 KB, one in each round. */
async function prepareCommits(
  scratch: string,
): Promise<{ commitOne(round: number): Promise<Cost>; texts: string[] }> {
  const project = makeProject(scratch, ['ana', 'ben']);
  openCouncil(project, ['ana', 'ben'], 20 * 1024);
  const { fileStore, parse, serialize, readStamp } = await importLibrary();
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

/** The figures of whole pieces of work. */
export const workFigures = [commit, launches];
