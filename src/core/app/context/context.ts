// Additional material of a question: files and the diff of the git repository, read and limited in size.
import { extname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { resolveAllLinks, readBytes, readStart, measureFileSize } from '../../store/local/read.ts';
import type { App } from '../app.ts';
import type { StartInput } from '../input/council.ts';
import { renderContextSection, formatContextName, toSizeAndHash } from './context-item.ts';
import { findFiles, formatProjectPath, resolveFileScope, isInside, LEFT_OUT } from './find-files.ts';
import type { ContextItem } from './context-item.ts';
import type { FileScope, LeftOut, Candidate } from './find-files.ts';
import { createGitRunner, findIrregularGitFile, CANNOT_SWITCH_OFF, disableFilters } from '../git-calls.ts';
import type { GitRunner } from '../git-calls.ts';

/**
 * Reads the input of `--file`, `--diff` and a pipe, and reports what was included and left out; empty without
 * any. Throws `usage`, `forbidden`, `not_a_file`, `invalid_text`, and `too_large` with what to leave out.
 */
export async function gatherContext(
  app: App,
  { files, diff, piped }: Pick<StartInput, 'files' | 'diff' | 'piped'>,
): Promise<ContextItem[]> {
  if (files.length === 0 && diff === undefined && !piped) return [];
  const place = resolveFileScope(app);
  const items: ContextItem[] = [];
  if (files.length > 0) {
    const { files: candidates, leftOut } = findFiles(files, place);
    const read = readFiles(candidates, place);
    items.push(...read.items);
    for (const line of [...read.notes, ...renderLeftOutLines([...leftOut, ...read.leftOut], place)])
      app.note(line);
  }
  if (diff !== undefined) {
    items.push(...(await readGitDiff(app, place, diff)));
  }
  const bytes = await piped?.bytes();
  if (bytes?.length) items.push(toStdinItem(bytes, app.note));
  requireRoom(items, measureSection(items));
  if (items.length > 0) app.note(summarizeContext(items));
  return items;
}

function summarizeContext(items: ContextItem[]): string {
  const parts = items.length === 1 ? '' : `${items.length} parts, `;
  const bytes = items.reduce((sum, one) => sum + one.bytes, 0).toLocaleString('en');
  const names = items.slice(0, 10).map(({ name }) => formatContextName(name));
  const more = items.length > names.length ? ` and ${items.length - names.length} more` : '';
  return `Given with the question: ${parts}${bytes} bytes: ${names.join(', ')}${more}.`;
}

/** One line per reason, with the first names. */
function renderLeftOutLines(leftOut: LeftOut[], place: FileScope): string[] {
  return Object.entries(LEFT_OUT).flatMap(([why, words]) => {
    const names = leftOut
      .filter((one) => one.why === why)
      .map(({ path }) => JSON.stringify(formatProjectPath(path, place)));
    if (names.length === 0) return [];
    const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
    return [`Left out (${words}): ${names.slice(0, 5).join(', ')}${more}.`];
  });
}

// Reads the found files as text, and reports unusable or converted ones.

/** Bytes that git checks to distinguish text from binary. */
const START = 8000;

/** Throws `not_a_file`, `invalid_text` and `too_large` for a file that was named itself; others are left out. */
function readFiles(
  candidates: readonly Candidate[],
  place: FileScope,
): { items: ContextItem[]; notes: string[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const sizes = candidates.flatMap(({ path, isNamed }) => {
    const name = formatProjectPath(path, place);
    if (isNamed && isPicture(path, name, place)) return { path, name, bytes: 0, isPicture: true as const };
    if (!isBinary(path, name, isNamed))
      return { path, name, bytes: measureFileSize(resolveAllLinks(path)) ?? 0 };
    leftOut.push({ path, why: 'binary' });
    return [];
  });
  // Checked before anything large is in memory.
  requireRoom(
    sizes,
    sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const notes: string[] = [];
  const items = sizes.flatMap((found): ContextItem[] => {
    const { path, name } = found;
    const isListedOnly = 'isPicture' in found;
    const bytes = readBytes(path, { limit: isListedOnly ? READ_LIMITS.own : READ_LIMITS.context });
    // Deleted since it was found.
    if (!bytes) return [];
    notes.push(...linkNotes(path, name, place));
    const facts = { name, ...toSizeAndHash(bytes) };
    if (isListedOnly) return [{ ...facts, text: '', language: '', isPicture: true }];
    return [{ ...facts, text: decodeFileText(bytes, name, notes), language: nameFenceLanguage(name) }];
  });
  return { items, notes, leftOut };
}

/** Throws `invalid_text`. */
function toStdinItem(bytes: Uint8Array, note: (line: string) => void): ContextItem {
  const name = 'stdin';
  if (!isText(bytes.subarray(0, START))) throw createBinaryError(name);
  const notes: string[] = [];
  const item = { name, ...toSizeAndHash(bytes), text: decodeFileText(bytes, name, notes), language: '' };
  notes.forEach(note);
  return item;
}

/** Whether it is a picture inside the project, where agents can open it. */
const isPicture = (path: string, name: string, { root }: FileScope): boolean =>
  /\.(?:png|jpe?g|gif|webp)$/i.test(name) &&
  isInside(resolveAllLinks(path), resolveAllLinks(root)) &&
  readFileStart(path, name)?.includes(0) === true;

function isBinary(path: string, name: string, isNamed: boolean): boolean {
  const start = readFileStart(path, name);
  if (!start || isText(start)) return false;
  if (!isNamed) return true;
  throw createBinaryError(name);
}

const isText = (start: Uint8Array): boolean => detectUtf16Mark(start) !== undefined || !start.includes(0);

const createBinaryError = (name: string): CouncilError =>
  new CouncilError('invalid_text', `${JSON.stringify(name)} is no text: it has NUL bytes.`, {
    hint: 'Give text files. A picture has to lie in the project; what else is in a binary has to be said in words.',
  });

function readFileStart(path: string, name: string): Buffer | undefined {
  try {
    return readStart(path, START);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'not_a_file') throw error;
    const { kind } = error.details;
    throw new CouncilError(
      'not_a_file',
      `${JSON.stringify(name)} is ${kind}: there is no text in it to give.`,
      {
        hint: 'Give the path of a text file, a folder, or a glob in quotes.',
        cause: error,
      },
    );
  }
}

/** Detects UTF-16 only by its BOM. */
function detectUtf16Mark(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined;
}

function decodeFileText(bytes: Uint8Array, name: string, notes: string[]): string {
  const encoding = detectUtf16Mark(bytes);
  const shown = JSON.stringify(name);
  if (encoding) notes.push(`${shown} is UTF-16: it stands in the brief as UTF-8.`);
  try {
    return replaceNul(new TextDecoder(encoding ?? 'utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Old source files often contain some Latin-1: the rest of them is worth reading.
    notes.push(`${shown} is not valid ${encoding ? 'UTF-16' : 'UTF-8'}: what could not be read stands as �.`);
    return replaceNul(new TextDecoder(encoding ?? 'utf-8').decode(bytes));
  }
}

const replaceNul = (text: string): string => text.replaceAll('\0', '�');

function linkNotes(path: string, name: string, { root }: FileScope): string[] {
  const target = resolveAllLinks(path);
  const isOutside = !isInside(target, resolveAllLinks(root));
  return isOutside ? [`${JSON.stringify(name)} lies outside the project: ${target}`] : [];
}

function nameFenceLanguage(name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  return /^[a-z0-9]{1,12}$/.test(extension) ? extension : '';
}

/** Throws `too_large` if the total exceeds a brief's limit, with the largest items that could be left out. */
function requireRoom(items: readonly Pick<ContextItem, 'name' | 'bytes'>[], total: number): void {
  if (total <= READ_LIMITS.context) return;
  const largest = items.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  const shown = largest.map(({ name, bytes }) => `${JSON.stringify(name)} (${bytes} bytes)`).join(', ');
  const helps =
    items.length === 1
      ? 'Give the part of it that matters'
      : `Leave out the largest: ${shown}. Or name fewer files`;
  throw new CouncilError(
    'too_large',
    `What is given with the question takes ${total} bytes in ${items.length} ${items.length === 1 ? 'part' : 'parts'}; the limit is ${READ_LIMITS.context} (256 KiB), as everybody reads it in every phase.`,
    {
      hint: `${helps}, or let the programs read the project themselves: --read project.`,
      details: { total, limit: READ_LIMITS.context },
    },
  );
}

/** Returns the bytes of the section in the brief, including its list and fences. */
const measureSection = (items: readonly ContextItem[]): number =>
  Buffer.byteLength(renderContextSection(items, 'en'));

/**
 * Runs no program from the repository's settings, and makes the output independent of them. Git never enters
 * a submodule, which has settings of its own.
 */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '--relative'];

/**
 * Returns the output of `git diff RANGE` for the project's folder; empty, with a note, if there is no
 * difference. Throws `usage` without git, outside a repository, and for an unknown range.
 */
async function readGitDiff({ env, note }: App, { root }: FileScope, range: string): Promise<ContextItem[]> {
  const git = createGitRunner(root, env);
  if (!git) throw createDiffError('git is not installed', 'Install git, or leave out --diff.');
  const unread = findIrregularGitFile(root, []);
  if (unread) throw unread;
  const inside = await git('rev-parse', '--is-inside-work-tree');
  // It did not exit by itself: it waited for something.
  if (inside.failed && inside.exitCode === undefined) throw createDiffError(inside.why, 'git status');
  if (inside.stdout.trim() !== 'true')
    throw createDiffError(
      `${root} is in no git repository`,
      'Run git init there, or give files with --file.',
    );
  // "git diff --output=…" would write a file.
  const known = range.startsWith('-')
    ? undefined
    : await git('rev-parse', '--revs-only', '--end-of-options', range);
  if (!known || known.failed || known.stdout.trim() === '') throw createUnknownRangeError(range);
  await requireTrees(git, known.stdout.trim().split('\n'), range);
  const quiet = await disableFilters(git, (off) => createGitRunner(root, env, off));
  if (typeof quiet === 'string') throw createDiffError(quiet, CANNOT_SWITCH_OFF);
  const said = await quiet('diff', ...PLAIN, '--end-of-options', range, '--', '.');
  if (said.failed)
    throw createDiffError(`git diff ${range} failed: ${said.why.trim()}`, 'Run it by hand to see more.');
  const name = `git diff ${range}`;
  if (said.stdout === '') {
    note(
      `${name} shows no difference: nothing of it stands in the brief. Files that git does not track are not in it.`,
    );
    return [];
  }
  const text = `${said.stdout.replaceAll('\0', '�')}\n`;
  return [{ name, ...toSizeAndHash(Buffer.from(text)), text, language: 'diff' }];
}

/** Refuses a single file of a commit, which has no difference to the folder. */
async function requireTrees(git: GitRunner, objects: string[], range: string): Promise<void> {
  for (const object of objects.slice(0, 3)) {
    const tree = await git('rev-parse', '--quiet', '--verify', `${object.replace(/^\^/, '')}^{tree}`);
    if (tree.failed) throw createUnknownRangeError(range);
  }
}

const createUnknownRangeError = (range: string): CouncilError =>
  createDiffError(
    `git knows no range ${JSON.stringify(range)} here`,
    `For example --diff main..HEAD; --diff alone is what differs from the last commit${range === 'HEAD' ? ', and there is none yet' : ''}. A question that follows --diff is taken for its range: put it first.`,
  );

const createDiffError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `There is no diff to give: ${why}.`, { hint });
