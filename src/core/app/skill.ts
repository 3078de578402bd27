// Use case `skill`: installs instructions that teach an agent to use council.
import { basename, dirname, join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { unlinkIfThere, writeNew } from '../store/local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../store/local/folders.ts';
import { findProject, findPackageDir } from '../store/local/project.ts';
import { readBytes } from '../store/local/read.ts';
import type { App, Result } from './app.ts';
import type { SkillInput } from './input/project.ts';

const CLAUDE = '.claude/skills';
const SHARED = '.agents/skills';
/** The folder of a project from which each assistant reads skills. OpenCode reads both. */
const FOLDERS: Record<NonNullable<SkillInput['for']>, string> = {
  claude: CLAUDE,
  codex: SHARED,
  gemini: SHARED,
  opencode: SHARED,
  openclaw: SHARED,
};

/** The skill, and instructions for an assistant that runs at intervals. */
const SOURCES = ['skills/council/SKILL.md', 'HEARTBEAT-COUNCIL.md'];

export interface SkillDocument {
  root: string;
  files: string[];
  installed: string[];
}

/** Installs a skill on convening councils and taking part in them. Throws `name_taken` for a changed file. */
export async function installSkill(
  app: App,
  { for: reader, force }: SkillInput,
): Promise<Result<SkillDocument>> {
  const root = findProject(app)?.root ?? app.cwd;
  const texts = new Map(
    listSkillFolders(reader).flatMap((folder) =>
      SOURCES.map(
        (source) => [join(root, folder, 'council', basename(source)), readSkillTemplate(source)] as const,
      ),
    ),
  );
  const files = [...texts.keys()];
  const present = new Map(files.map((file) => [file, readBytes(file)]));
  const isSame = (file: string): boolean => present.get(file)?.equals(texts.get(file)!) === true;
  const changed = files.filter((file) => present.get(file) && !isSame(file));
  // Check before writing anything: all files or none.
  if (changed.length > 0 && !force)
    throw new CouncilError('name_taken', `${changed.join(' and ')} exists with another content.`, {
      hint: 'Overwrite it with: council skill install --force',
      details: { changed },
    });
  const installed = files.filter((file) => !isSame(file));
  for (const file of installed) hasOwnFolder(root, dirname(file));
  for (const file of installed) {
    makeOwnFolder(root, dirname(file));
    // Replace a link instead of writing through it.
    unlinkIfThere(file);
    writeNew(file, texts.get(file)!);
  }
  return { document: { root, files, installed } };
}

function readSkillTemplate(source: string): Buffer {
  const path = join(findPackageDir(), 'templates', source);
  const text = readBytes(path);
  if (!text) throw new CouncilError('failed', `${path} is missing.`, { hint: 'Install council again.' });
  return text;
}

const listSkillFolders = (reader: SkillInput['for']): string[] =>
  reader === undefined ? [CLAUDE, SHARED] : [FOLDERS[reader]];
