// Lists the archives, and finds one by name, path or conversation id.
import { isAbsolute, posix } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { findByPart, isNewest, LAST, createUnknownNameError } from '../base/unknown-name.ts';
import type { Archives } from '../store/archives.ts';
import type { UnusedCopy } from '../store/census.ts';
import { archiveId } from './archive.ts';
import type { ArchiveMeta } from './archive.ts';
import { gatherLines, gatherMetas, isBeginning } from './archive-listing.ts';
import type { ArchiveHeading, ArchiveLine, ArchiveListing } from './archive-listing.ts';
import { isOutcomePath, readOutcomes } from './outcome-record.ts';
import { parseArchiveMeta, readArchive, readFacts } from './parse.ts';
import type { ReadArchive } from './parse.ts';

export { readArchive };

export type { ArchiveHeading, ArchiveListing };

export interface ArchiveList {
  /** Newest first. */
  archives: ArchiveListing[];
  /** Archives that cannot be read; the others are listed anyway. */
  problems: { path: string; message: string }[];
  /** Further files of a council that is among them. */
  copies: UnusedCopy[];
}

export interface FoundArchive {
  /** Relative to the project's root. */
  path: string;
  text: string;
  archive: ReadArchive;
}

/** The result of checking every archive. */
export interface ArchiveExamination {
  sound: number;
  unreadable: CouncilError[];
  altered: { path: string; what: string[] }[];
}

/** Lists every archive of the project. Markdown files without a council's front matter are ignored. */
export async function listArchives(files: Archives): Promise<ArchiveList> {
  const { found, problems, copies } = await gatherLines(files);
  const archives = found.map(({ conversationId: _id, name: _name, ...listing }) => listing);
  return { archives, problems, copies };
}

/** Returns the facts of every archive, newest first, and the archives that cannot be read. */
export async function archiveMetas(
  files: Archives,
): Promise<{ metas: ArchiveMeta[]; problems: ArchiveList['problems'] }> {
  const { found: metas, problems } = await gatherMetas(files);
  return { metas, problems };
}

/** Reads every archive in full and compares every text with its hash: returns unreadable and altered ones. */
export async function examineArchives(files: Archives): Promise<ArchiveExamination> {
  const found: ArchiveExamination = { sound: 0, unreadable: [], altered: [] };
  for (const { path } of await files.list()) {
    try {
      const text = await files.read(path);
      if (text === undefined || !parseArchiveMeta(readFacts(text, path).facts, path)) continue;
      const { altered: what } = readArchive(text, path);
      if (what.length > 0) found.altered.push({ path, what });
      else found.sound++;
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      found.unreadable.push(error);
    }
  }
  return found;
}

/**
 * Finds and reads the archive that `ref` names: as in `locate`; otherwise the newest for `last`, or the only
 * one with `ref` in its file name or its council's name. Throws what `locate` and `readArchive` throw, and
 * `unknown_archive`.
 */
export async function findArchive(files: Archives, ref: string): Promise<FoundArchive> {
  const path = (await locateArchive(files, ref)) ?? (await locateByPart(files, ref.trim()));
  const found = path === undefined ? undefined : await readArchiveFile(files, path);
  if (found) return found;
  const ids = (await files.list()).flatMap(({ path }) => (isPage(path) ? archiveId(path) : []));
  if (ids.length === 0 && ref.trim() === LAST)
    throw new CouncilError('unknown_archive', 'No council has been archived yet.', {
      hint: 'Start one with: council ask "QUESTION".',
      details: { near: [] },
    });
  const counted = /^[1-9]\d{0,3}$/.test(ref.trim())
    ? (await listArchiveNames(files))[Number(ref) - 1]
    : undefined;
  const why = counted
    ? `Archives have no numbers. In the order of the list it is: ${archiveId(counted.path)}.`
    : ref.trim() === 'all'
      ? 'One is named at a time. All of them are Markdown files in conseils/, which can be copied as they are.'
      : '';
  throw createUnknownNameError('archive', ref, [LAST, ...ids], why);
}

async function locateByPart(files: Archives, ref: string): Promise<string | undefined> {
  const named = await listArchiveNames(files);
  const found = ref === LAST ? undefined : findByPart(ref, named, ARCHIVES);
  return (found ?? (isNewest(ref) ? named[0] : undefined))?.path;
}

/** Names of an archive that may be given in part. */
export interface ArchiveNames {
  path: string;
  names: string[];
}

/** Returns the names of every archive, newest first, then of unreadable ones. */
export async function listArchiveNames(files: Archives): Promise<ArchiveNames[]> {
  const { found, problems } = await gatherLines(files);
  const readable = new Set(found.map(({ path }) => path));
  return [
    ...found.map(({ path, id, name }) => ({ path, names: [id, name] })),
    ...problems
      .filter(({ path }) => !readable.has(path))
      .map(({ path }) => ({ path, names: [archiveId(path)] })),
  ];
}

const ARCHIVES = {
  plural: 'archives',
  code: 'unknown_archive',
  listNames: ({ names }: ArchiveNames) => names,
  show: ({ path }: ArchiveNames) => archiveId(path),
} as const;

/** Reads the archive at that path; undefined if there is none. Throws what `readArchive` throws. */
export async function readArchiveFile(files: Archives, path: string): Promise<FoundArchive | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  return { path, text, archive: { ...readArchive(text, path), outcomes: await readOutcomes(files, path) } };
}

/**
 * Returns the path of the archive that `ref` names; undefined if there is none. In this order: its file name or
 * path (absolute, or relative to the project's root), its conversationId or at least the first eight digits of
 * it, its council's name (the newest one), its file name without the day. Throws `unknown_archive` if two
 * match.
 */
export async function locateArchive(files: Archives, given: string): Promise<string | undefined> {
  const ref = given.trim();
  if (ref === '') return undefined;
  const paths = (await files.paths()).filter(isPage);
  const named = paths.filter((path) => isNamed(files, path, ref));
  if (named.length > 0) return requireOnlyOne(ref, named);
  const { found, problems } = await gatherLines(files, ref);
  const ids = found.filter(({ conversationId }) => isBeginning(ref, conversationId));
  if (ids.length > 0)
    return requireOnlyOne(
      ref,
      ids.map(({ path }) => path),
    );
  const [newest] = found.filter(({ name }) => name === ref);
  if (newest) return newest.path;
  const dateless = paths.filter((path) => archiveId(path).replace(/^\d{4}-\d\d-\d\d-/, '') === ref);
  if (dateless.length > 0) return requireOnlyOne(ref, dateless);
  // It may be an unreadable one: reading it will report why.
  return isConversation(ref) ? problems[0]?.path : undefined;
}

function requireOnlyOne(ref: string, paths: string[]): string {
  const [path] = paths;
  if (path !== undefined && paths.length === 1) return path;
  throw new CouncilError('unknown_archive', `${paths.length} archives match ${JSON.stringify(ref)}.`, {
    hint: `Name one by its file: ${paths.slice(0, 10).map(archiveId).join(', ')}`,
    details: { near: paths.map(archiveId), matching: paths },
  });
}

const isConversation = (ref: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]+$/.test(ref);

/** Returns the newest archive of a conversation, if there is one. */
export async function archiveOfConversation(
  files: Archives,
  conversationId: string,
): Promise<ArchiveLine | undefined> {
  const { found } = await gatherLines(files, conversationId);
  return found.find((line) => line.conversationId === conversationId);
}

/** Returns the newest archive of a council with this name, if there is one. */
export const archiveOfName = async (files: Archives, name: string): Promise<ArchiveLine | undefined> =>
  (await gatherLines(files, name)).found.find((line) => line.name === name);

/** Whether an archive may have this file name. A README counts only if its text says that it is one. */
const isPage = (path: string): boolean =>
  /^[^.\\][^\\]*\.md$/.test(posix.basename(path)) && !/\/readme\.md$/i.test(path) && !isOutcomePath(path);

function isNamed(files: Archives, path: string, ref: string): boolean {
  if (files.absolute(path) === ref) return true;
  if (isAbsolute(ref)) return files.getPulledPath?.(path) === ref;
  return [path, `${archiveId(path)}.md`, archiveId(path)].includes(
    ref.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, ''),
  );
}
