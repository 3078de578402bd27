// Lists the archives and finds one by name, path or conversation id.
import { isAbsolute } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { unknown } from '../base/unknown.ts';
import type { ArchiveFile, Archives, Facts } from '../store/archives.ts';
import { archiveId } from './archive.ts';
import type { ArchiveMeta } from './archive.ts';
import { metaOf, readArchive, readFacts } from './parse.ts';
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

/** What a look at every archive has found. */
export interface Examined {
  sound: number;
  unreadable: CouncilError[];
  altered: { path: string; what: string[] }[];
}

/** Reading fewer takes less time than opening the cache. */
const WORTH_A_CACHE = 10;

interface Metas {
  metas: ArchiveMeta[];
  problems: ArchiveList['problems'];
}

/** Every archive of the project. A Markdown file without a council's front matter is not an archive, and is no problem. */
export async function listArchives(files: Archives): Promise<ArchiveList> {
  const { metas, problems } = await archiveMetas(files);
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
export const archiveMetas = (files: Archives): Promise<Metas> => readAll(files);

/** Every archive read whole, every text compared with its hash: those that cannot be read, and those with other words. */
export async function examineArchives(files: Archives): Promise<Examined> {
  const found: Examined = { sound: 0, unreadable: [], altered: [] };
  for (const { path } of await files.list()) {
    try {
      const text = await files.read(path);
      if (text === undefined || !metaOf(readFacts(text, path).facts, path)) continue;
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

/** The archive that `ref` names, read: see `locate`. Throws what that and `readArchive` throw. */
export async function findArchive(files: Archives, ref: string): Promise<FoundArchive> {
  const path = await locate(files, ref);
  const found = path === undefined ? undefined : await readAt(files, path);
  if (found) return found;
  const ids = (await files.list()).map((file) => archiveId(file.path));
  const alike = ids.filter((id) => ref !== '' && id.includes(ref)).slice(0, 5);
  throw unknown('archive', ref, ids, { alike });
}

/** The archive of that path; undefined where there is none. Throws what `readArchive` throws. */
export async function readAt(files: Archives, path: string): Promise<FoundArchive | undefined> {
  const text = await files.read(path);
  return text === undefined ? undefined : { path, text, archive: readArchive(text, path) };
}

/**
 * The path of the archive that `ref` names; undefined where there is none. In this order: its stem or its path (absolute, or
 * relative to the project's root), its conversationId or the first eight digits or more of it, the name its council had (the newest
 * of that name), its stem without the day. Throws `unknown_archive` where two match.
 */
export async function locate(files: Archives, given: string): Promise<string | undefined> {
  const ref = given.trim();
  if (ref === '') return undefined;
  const paths = (await files.list()).map((file) => file.path);
  const named = paths.filter((path) => isNamed(files, path, ref));
  if (named.length > 0) return onlyOne(ref, named);
  const { metas, problems } = await readAll(files, ref);
  const ids = metas.filter(({ conversationId }) => isBeginning(ref, conversationId));
  if (ids.length > 0)
    return onlyOne(
      ref,
      ids.map(({ path }) => path),
    );
  const [newest] = metas.filter(({ name }) => name === ref);
  if (newest) return newest.path;
  const dateless = paths.filter((path) => archiveId(path).replace(/^\d{4}-\d\d-\d\d-/, '') === ref);
  if (dateless.length > 0) return onlyOne(ref, dateless);
  // Perhaps it is one that cannot be read: reading it says why.
  return isConversation(ref) ? problems[0]?.path : undefined;
}

function onlyOne(ref: string, paths: string[]): string {
  const [path] = paths;
  if (path !== undefined && paths.length === 1) return path;
  throw new CouncilError('unknown_archive', `${paths.length} archives match ${JSON.stringify(ref)}.`, {
    hint: `Name one by its file: ${paths.slice(0, 10).map(archiveId).join(', ')}`,
    details: { near: paths.map(archiveId), matching: paths },
  });
}

/** So many digits of a UUID tell it from all others that a project has. */
const isBeginning = (ref: string, conversationId: string): boolean =>
  conversationId === ref || (/^[0-9a-f]{8}[0-9a-f-]*$/.test(ref) && conversationId.startsWith(ref));
const isConversation = (ref: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]+$/.test(ref);

/** The newest archive of a conversation, if there is one. */
export async function archiveOfConversation(
  files: Archives,
  conversationId: string,
): Promise<ArchiveMeta | undefined> {
  return (await readAll(files, conversationId)).metas.find((meta) => meta.conversationId === conversationId);
}

/** The newest archive of a council that had this name, if there is one. */
export async function archiveOfName(files: Archives, name: string): Promise<ArchiveMeta | undefined> {
  return (await readAll(files, name)).metas.find((meta) => meta.name === name);
}

/** The front matter of every archive whose text contains `needle`, newest first; of two with the same end, the higher path. */
async function readAll(files: Archives, needle = ''): Promise<Metas> {
  const problems: ArchiveList['problems'] = [];
  const metas: ArchiveMeta[] = [];
  const listed = await files.list();
  const cache = listed.length >= WORTH_A_CACHE ? files.facts : undefined;
  const known = await cache?.known(listed);
  const read: { file: ArchiveFile; facts: Facts }[] = [];
  // One after the other: no more than one whole archive is in memory.
  for (const file of listed) {
    const { path } = file;
    try {
      let facts = known?.get(path);
      if (!facts) {
        const text = await files.read(path);
        if (!text?.includes(needle)) continue;
        const raw = readFacts(text, path);
        facts = raw.facts;
        // What has to be told is not kept: it is told every time.
        if (raw.disagreeing.length === 0) read.push({ file, facts });
        else if (isAbout(facts, needle)) problems.push({ path, message: edited(path, raw.disagreeing) });
      }
      const meta = isAbout(facts, needle) ? metaOf(facts, path) : undefined;
      if (meta) metas.push(meta);
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      problems.push({ path, message: error.message });
    }
  }
  await cache?.keep(read, listed);
  const order = (a: ArchiveMeta, b: ArchiveMeta): number =>
    compare(b.endedAt, a.endedAt) || b.path.length - a.path.length || compare(b.path, a.path);
  return { metas: metas.sort(order), problems };
}

const edited = (path: string, keys: readonly string[]): string =>
  `${path} was altered: its front matter says something else than its machine data (${keys.join(', ')}). The machine data count.`;

/** A text in the file may be anywhere in it; what is looked for is one of these two. */
const isAbout = ({ conversationId, name }: Facts, needle: string): boolean =>
  needle === '' || isBeginning(needle, String(conversationId)) || name === needle;

function isNamed(files: Archives, path: string, ref: string): boolean {
  if (isAbsolute(ref)) return files.absolute(path) === ref;
  return [path, `${archiveId(path)}.md`, archiveId(path)].includes(
    ref.replaceAll('\\', '/').replace(/^(?:\.\.?\/)+/, ''),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
