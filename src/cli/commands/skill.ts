import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { unlinkIfThere, writeNew } from '../../store/local/disk.ts';
import { makeOwnFolder, ownFolder } from '../../store/local/folders.ts';
import { findProject, packageDir } from '../../store/local/project.ts';
import { readBytes } from '../../store/local/read.ts';
import type { LegacyCommand } from '../spec.ts';

const CLAUDE = '.claude/skills';
const SHARED = '.agents/skills';
/** Which folder of a project each of them reads skills from. OpenCode reads both. */
const FOLDERS: Record<string, string> = {
  claude: CLAUDE,
  codex: SHARED,
  gemini: SHARED,
  opencode: SHARED,
  openclaw: SHARED,
};

export const skillCommand: LegacyCommand = async (cli, [action], options) => {
  if (action !== 'install')
    throw new CouncilError('usage', `There is no action ${JSON.stringify(action)}.`, {
      hint: 'The only one is: council skill install',
    });
  const root = findProject({ cwd: cli.cwd, env: cli.env, root: cli.root })?.root ?? cli.cwd;
  const source = join(packageDir(), 'templates', 'skills', 'council', 'SKILL.md');
  const skill = readBytes(source);
  if (!skill) throw new CouncilError('failed', `${source} is missing.`, { hint: 'Install council again.' });
  const files = foldersFor(options.for).map((folder) => join(root, folder, 'council', 'SKILL.md'));
  const present = new Map(files.map((file) => [file, readBytes(file)]));
  const isSame = (file: string): boolean => present.get(file)?.equals(skill) === true;
  const changed = files.filter((file) => present.get(file) && !isSame(file));
  // Before anything is written: all of it or nothing.
  if (changed.length > 0 && options.force !== true)
    throw new CouncilError('name_taken', `${changed.join(' and ')} exists with another content.`, {
      hint: 'Overwrite it with: council skill install --force',
      details: { changed },
    });
  const installed = files.filter((file) => !isSame(file));
  for (const file of installed) ownFolder(root, dirname(file));
  for (const file of installed) {
    makeOwnFolder(root, dirname(file));
    // A link in its place is taken away, not written through.
    unlinkIfThere(file);
    writeNew(file, skill);
  }
  return {
    json: { root, files, installed },
    text: files
      .map((file) => (installed.includes(file) ? `Installed: ${file}` : `Already there: ${file}`))
      .join('\n'),
  };
};

function foldersFor(flag: unknown): string[] {
  if (flag === undefined) return [CLAUDE, SHARED];
  if (typeof flag === 'string' && Object.hasOwn(FOLDERS, flag)) return [FOLDERS[flag]!];
  throw new CouncilError('usage', `There is no agent ${JSON.stringify(flag)} to install a skill for.`, {
    hint: `One of: ${Object.keys(FOLDERS).join(', ')}. Without --for both folders are written.`,
  });
}
