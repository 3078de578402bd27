import { isAbsolute } from 'node:path';
import { nearest } from '../agents/nearest.ts';
import { CouncilError } from '../base/errors.ts';
import type { ArchiveFiles } from '../store/file/archive-files.ts';
import { archiveId } from './archive.ts';
import type { ArchiveMeta } from './archive.ts';
import { readArchive, readMeta } from './parse.ts';
import type { ReadArchive } from './parse.ts';

export { readArchive };

/** One line of `council list`. */
export type ArchiveListing = Pick<
  ArchiveMeta,
  'id' | 'path' | 'topic' | 'mode' | 'status' | 'startedAt' | 'endedAt'
>;

export interface ArchiveList {
  /** Newest first. */
  archives: ArchiveListing[];
  /** Archives that cannot be read: the others are listed all the same. */
  problems: { path: string; message: string }[];
}

export interface FoundArchive {
  /** Relative to the project's root. */
  path: string;
  text: string;
  archive: ReadArchive;
}

/** Every archive of the project. A Markdown file without a council's front matter is not an archive, and is no problem. */
export function listArchives(files: ArchiveFiles): ArchiveList {
  const { metas, problems } = archiveMetas(files);
  const archives = metas.map(({ id, path, topic, mode, status, startedAt, endedAt }) => ({
    id,
    path,
    topic,
    mode,
    status,
    startedAt,
    endedAt,
  }));
  return { archives, problems };
}

/** What the front matter of every archive says, newest first, and the archives that cannot be read. */
export const archiveMetas = (
  files: ArchiveFiles,
): { metas: ArchiveMeta[]; problems: ArchiveList['problems'] } => readAll(files);

/**
 * The archive that `ref` names: its stem, its path (absolute, or relative to the project's root), its conversationId, or the
 * name its council had (the newest one of that name).
 * Throws `unknown_archive` with near matches, and what `readArchive` throws.
 */
export function findArchive(files: ArchiveFiles, ref: string): FoundArchive {
  const paths = files.list().map((file) => file.path);
  const named = paths.find((path) => isNamed(files, path, ref.trim()));
  const path =
    named ?? archiveOfConversation(files, ref.trim())?.path ?? archiveOfName(files, ref.trim())?.path;
  const text = path === undefined ? undefined : files.read(path);
  if (path === undefined || text === undefined) throw unknown(ref, paths.map(archiveId));
  return { path, text, archive: readArchive(text, path) };
}

/** The newest archive of a conversation, if there is one. */
export function archiveOfConversation(files: ArchiveFiles, conversationId: string): ArchiveMeta | undefined {
  return readAll(files, conversationId).metas.find((meta) => meta.conversationId === conversationId);
}

/** The newest archive of a council that had this name, if there is one. */
export function archiveOfName(files: ArchiveFiles, name: string): ArchiveMeta | undefined {
  return readAll(files, name).metas.find((meta) => meta.name === name);
}

/** The front matter of every archive whose text contains `needle`, newest first; of two with the same end, the higher path. */
function readAll(
  files: ArchiveFiles,
  needle = '',
): { metas: ArchiveMeta[]; problems: ArchiveList['problems'] } {
  const problems: ArchiveList['problems'] = [];
  const metas = files.list().flatMap(({ path }) => {
    try {
      const text = files.read(path);
      return (text?.includes(needle) ? readMeta(text, path) : undefined) ?? [];
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      problems.push({ path, message: error.message });
      return [];
    }
  });
  const order = (a: ArchiveMeta, b: ArchiveMeta): number =>
    compare(b.endedAt, a.endedAt) || b.path.length - a.path.length || compare(b.path, a.path);
  return { metas: metas.sort(order), problems };
}

function isNamed(files: ArchiveFiles, path: string, ref: string): boolean {
  if (isAbsolute(ref)) return files.absolute(path) === ref;
  return [path, `${archiveId(path)}.md`, archiveId(path)].includes(
    ref.replaceAll('\\', '/').replace(/^\.\//, ''),
  );
}

function unknown(ref: string, ids: string[]): CouncilError {
  const like = nearest(ref, ids);
  const near = [
    ...new Set([...(like ? [like] : []), ...ids.filter((id) => ref !== '' && id.includes(ref)).slice(0, 5)]),
  ];
  return new CouncilError('unknown_archive', `There is no archive ${JSON.stringify(ref.slice(0, 200))}.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'See all of them with: council list',
    details: { near },
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
