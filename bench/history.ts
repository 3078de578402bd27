// What the history of a council takes on the disk.
import fs from 'node:fs';
import { join } from 'node:path';
import { importLibrary } from './populate.ts';
import { makeProject, openCouncil, prose } from './projects.ts';

export const MB = 1024 * 1024;

/** A council whose state has about so many bytes, and how to commit to it once more. */
export async function prepareGrowth(
  scratch: string,
  bytes: number,
): Promise<{ next(): Promise<void>; shared: string }> {
  const project = makeProject(scratch, ['ana', 'ben']);
  openCouncil(project, ['ana', 'ben'], 4 * 1024);
  const { fileStore, parse, serialize, readStamp } = await importLibrary();
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
export function measureDisk(shared: string): { all: number; state: number } {
  const files = fs
    .readdirSync(shared, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  const sizes = files.map((entry) => fs.statSync(join(entry.parentPath, entry.name)).size);
  return {
    all: sizes.reduce((sum, size) => sum + size, 0) / MB,
    state: fs.statSync(join(shared, 'council-active-conversation.md')).size / MB,
  };
}
