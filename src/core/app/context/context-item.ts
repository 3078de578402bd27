// Files and texts as context of a council, and the section of its brief that they make.
import { sha256 } from '../../base/ids.ts';
import { printableJson } from '../../base/terminal.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import fs from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { attempt } from '../../store/local/disk.ts';
import { layOutProject } from '../../store/local/project.ts';
import { resolveAllLinks } from '../../store/local/read.ts';
import { isRemote } from '../app.ts';
import type { App } from '../app.ts';
import { findWorkspace } from '../workspace.ts';

/** One file, or the diff. */
export interface ContextItem {
  /** Its path relative to the project, or the command that made it. */
  name: string;
  /** Of the file as it is, which may be encoded otherwise than its text here. */
  bytes: number;
  sha256: string;
  text: string;
  /** The language tag of its code fence. */
  language: string;
  /** Only listed by path: agents that can read the project open it themselves. */
  isPicture?: true;
}

/** What was given, without the texts: for `--json`. */
export type Listed = Pick<ContextItem, 'name' | 'bytes' | 'sha256'>;
export const toListedItem = ({ name, bytes, sha256: hash }: ContextItem): Listed => ({
  name,
  bytes,
  sha256: hash,
});

/** Of the text or the bytes of something. */
export const toSizeAndHash = (bytes: Uint8Array): Pick<ContextItem, 'bytes' | 'sha256'> => ({
  bytes: bytes.length,
  sha256: sha256(bytes),
});

/** A name as it is told: as it is where it is plain, else as JSON writes it. */
export function shownName(name: string): string {
  const quoted = printableJson(name);
  return quoted === `"${name}"` ? name : quoted;
}

/** The brief with what was given below it. */
export const withContext = (brief: string, items: readonly ContextItem[], lang: Language): string =>
  items.length === 0 ? brief : `${brief.trimEnd()}\n\n${contextSection(items, lang)}`;

/** A list of what was given with sizes and hashes, then each part in a fence that nothing in it can close. */
export function contextSection(items: readonly ContextItem[], lang: Language): string {
  const { context } = loadWords(lang);
  const list = items.map(({ name, bytes, sha256, isPicture }) => {
    const line = isPicture ? context.picture : context.item;
    return `- ${fill(line, { name: codeSpan(name), bytes, sha256 })}`;
  });
  const texts = items.filter(({ isPicture }) => !isPicture);
  const parts = texts.map(({ name, text, language }) => {
    const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
    return `### ${codeSpan(name)}\n\n${fence}${language}\n${text}${/[\r\n]$/.test(text) ? '' : '\n'}${fence}`;
  });
  return [`## ${context.title}`, context.note, list.join('\n'), ...parts].join('\n\n') + '\n';
}

/** A name as Markdown code. Line breaks and control characters are escaped as in JSON. */
function codeSpan(name: string): string {
  const shown = shownName(name);
  const ticks = '`'.repeat(longestTicks(shown) + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

/** Where names are looked up, and what they may lead to. */
export interface FileScope {
  /** The folder that relative names start from. */
  from: string;
  root: string;
  /** The local user may name any file; remote callers only those of the project. */
  isOwner: boolean;
  /**
   * Files that council writes or adds to every prompt: skipped when a folder around them is named.
   */
  own: string[];
}

export function resolveFileScope(app: App): FileScope {
  const { root } = findWorkspace(app)?.project ?? layOutProject(app.cwd);
  const isOwner = !isRemote(app);
  const own = ['memory/shared', 'conseils', 'COUNCIL.md', 'HEARTBEAT-COUNCIL.md'].map((name) =>
    join(root, name),
  );
  return { from: isOwner ? app.cwd : root, root, isOwner, own };
}

/** A path as it is told: relative to the project, with slashes. */
export const formatProjectPath = (path: string, { root }: Pick<FileScope, 'root'>): string =>
  (relative(root, path) || '.').split(sep).join('/');

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** On some disks in any case. */
export const isGitName = (name: string): boolean => name.toLowerCase() === '.git';

/** Whether a path, or what it leads to, lies in a `.git` or is one: settings there can hold passwords. */
export const isOfGit = (path: string, { root }: Pick<FileScope, 'root'>): boolean =>
  relative(root, path).split(sep).some(isGitName) ||
  relative(resolveAllLinks(root), resolveAllLinks(path)).split(sep).some(isGitName);

/** Whether a part of the way from the project to a path is a link, or the way does not begin at the project. */
export function reachedByLink(path: string, root: string): boolean {
  if (!isInside(path, root)) return true;
  const names = relative(root, path).split(sep);
  return names.some((_, at) => {
    const part = join(root, ...names.slice(0, at + 1));
    return part !== root && attempt('look at', part, () => fs.lstatSync(part).isSymbolicLink());
  });
}
