// Adds, changes and removes files in the project's `agents/` folder.
import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { fsyncDir, replacePath, unlinkIfThere, writeNew } from './disk.ts';
import { makeOwnFolder, hasOwnFolder } from './folders.ts';
import { openTempFolder } from './temps.ts';
import type { Project } from './project.ts';

/**
 * Writes a new file into the project's `agents/` and returns its path; undefined if the name is taken. Throws
 * `unsafe_path` if `agents/` is a link, since council only reads through links, and `io`.
 */
export function addAgentFile({ root, agents }: Project, id: string, text: string): string | undefined {
  const path = join(agents, `${id}.md`);
  makeOwnFolder(root, agents);
  try {
    writeNew(path, Buffer.from(text));
    return path;
  } catch (error) {
    if (error instanceof CouncilError && error.details.errno === 'EEXIST') return undefined;
    throw error;
  }
}

/** Replaces a file in the project's `agents/` atomically. Throws `unsafe_path` like `addAgentFile`, `io`. */
export function replaceAgentFile({ root, agents, shared }: Project, path: string, text: string): void {
  hasOwnFolder(root, agents);
  replacePath(openTempFolder(join(shared, '.tmp'), { root }).write(Buffer.from(text)), path);
  fsyncDir(agents);
}

/** Deletes a file, or a link, in the project's `agents/`. Throws `unsafe_path` like `addAgentFile`, `io`. */
export function removeAgentFile({ root }: Project, path: string): void {
  hasOwnFolder(root, dirname(path));
  unlinkIfThere(path);
}
