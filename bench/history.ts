// What the history of a council takes on the disk.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { played } from './measure.ts';
import { libraryOf } from './populate.ts';
import { makeProject, openCouncil, prose } from './projects.ts';

export const MB = 1024 * 1024;

/** A council whose state has about so many bytes, and how to commit to it once more. */
export async function growing(
  scratch: string,
  bytes: number,
): Promise<{ next(): Promise<void>; shared: string }> {
  const project = makeProject(scratch, ['ana', 'ben']);
  openCouncil(project, ['ana', 'ben'], 4 * 1024);
  const { fileStore, parse, serialize, readStamp } = await libraryOf(project);
  const shared = join(project.root, 'memory', 'shared');
  const store = fileStore({ dir: shared, prefix: 'council-', readStamp });
  const model = parse((await store.read('active-conversation'))!.text);
  const large = { ...model, brief: prose(bytes) };
  const next = async (): Promise<void> => {
    await store.update('active-conversation', (_, revision) =>
      serialize({ ...large, state: { ...model.state, revision } }),
    );
  };
  await next();
  return { next, shared };
}

/** MB of all files of a store, and of the state file alone. */
export function diskOf(shared: string): { all: number; state: number } {
  const files = fs
    .readdirSync(shared, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  const sizes = files.map((entry) => fs.statSync(join(entry.parentPath, entry.name)).size);
  return {
    all: sizes.reduce((sum, size) => sum + size, 0) / MB,
    state: fs.statSync(join(shared, 'council-active-conversation.md')).size / MB,
  };
}

const REVISIONS = 120;

/** The most that it takes in all those revisions: what is thinned goes as the history grows. */
const history: Figure = {
  name: 'history',
  what: `what a council of 16 MB takes with its history, the most in ${REVISIONS} revisions`,
  against: 'its state file',
  goal: 10,
  unit: 'MB',
  async measure(scratch) {
    // A little less than the limit of 16 MB: the rest of the state has its place as well.
    const { next, shared } = await growing(scratch, 15.9 * MB);
    let most = diskOf(shared);
    for (let revision = 1; revision < Math.min(REVISIONS, played(REVISIONS)); revision++) {
      await next();
      const now = diskOf(shared);
      if (now.all > most.all) most = now;
    }
    return { figure: [most.all], baseline: [most.state] };
  },
};

export const historyFigures = [history];
