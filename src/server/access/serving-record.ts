// Records of running servers, for their owner only, and pages that hand an address to a browser.
import { join } from 'node:path';
import { sha256 } from '../../core/base/ids.ts';
import { readJsonDocument } from '../../core/store/documents.ts';
import { listFolderNames, unlinkIfThere, writeNew } from '../../core/store/local/disk.ts';
import type { ProcessIdentity } from '../../core/store/local/liveness.ts';
import { isAlive } from '../../core/store/local/liveness.ts';
import { readBytes } from '../../core/store/local/read.ts';
import { replaceFile } from '../../core/store/local/temps.ts';
import type { OwnerPlace } from '../../core/store/file/owner-folder.ts';
import { openOwnerFolder } from '../../core/store/file/owner-folder.ts';
import type { App } from '../../core/app/app.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { measureFileAge } from '../../core/store/local/project.ts';
import { OWNER_ONLY, getPrivateRoot } from '../../core/store/file/private-dir.ts';

export interface ServingRecord {
  url: string;
  /** The server's address for people elsewhere. */
  publicUrl: string | null;
  secret: string;
  process: ProcessIdentity;
  /** Milliseconds since the epoch. */
  since: number;
}

const LONGEST = 16 * 1024;

/**
 * Stores records in `$XDG_STATE_HOME/council/serving/<project>-<server>.json`, mode 0600. All calls throw
 * `unsafe_private_dir`, `io`.
 */
export function openServingRecords(
  { env }: Pick<App, 'env'>,
  { project: { root: projectRoot } }: Pick<Workspace, 'project'>,
) {
  const { dir, temps, project, makeFolder, isThere } = openOwnerFolder({ env, projectRoot }, 'serving');
  const getPath = (secret: string): string => join(dir, `${project()}-${sha256(secret).slice(0, 16)}.json`);
  const read = (path: string): ServingRecord | undefined => {
    const bytes = readBytes(path, { limit: LONGEST, links: 'refuse' });
    const record = bytes && parseServingRecord(readJsonDocument(bytes.toString('utf8')));
    if (!record || isAlive(record.process) !== false) return record;
    unlinkIfThere(path);
    return undefined;
  };
  return {
    /** Lists this project's running servers on this machine, newest first. Deletes the records of ended ones. */
    list(): ServingRecord[] {
      if (!isThere(dir)) return [];
      const ours = listFolderNames(dir).filter(
        (name) => name.startsWith(project()) && name.endsWith('.json'),
      );
      const records = ours.flatMap((name) => read(join(dir, name)) ?? []);
      return records.toSorted((a, b) => b.since - a.since);
    },
    write(record: ServingRecord): void {
      makeFolder(dir);
      // Need not survive a power failure, which ends the process, too.
      replaceFile(temps, getPath(record.secret), Buffer.from(JSON.stringify(record)), false);
    },
    remove: (secret: string) => unlinkIfThere(getPath(secret)),
  };
}

function parseServingRecord(read: Record<string, unknown>): ServingRecord | undefined {
  const { url, publicUrl, secret, process, since } = read;
  if (typeof url !== 'string' || typeof secret !== 'string') return undefined;
  if (typeof process !== 'object' || process === null) return undefined;
  return {
    url,
    publicUrl: typeof publicUrl === 'string' ? publicUrl : null,
    secret,
    process: process as ProcessIdentity,
    since: typeof since === 'number' ? since : 0,
  };
}

const KIND = 'open';

/** Writes a page that redirects, mode 0600, and returns its path. `name` must be new. */
export function writeHandoverPage(place: OwnerPlace, name: string, page: string): string {
  const { dir, makeFolder } = openOwnerFolder(place, KIND);
  const path = join(makeFolder(dir), `${name}.html`);
  writeNew(path, Buffer.from(page), { mode: OWNER_ONLY.fileMode, durable: false });
  return path;
}

/** Deletes old pages, whose targets ended long ago. */
export function sweepHandoverPages(env: NodeJS.ProcessEnv, olderThanMs: number): void {
  const dir = join(getPrivateRoot(env), KIND);
  for (const name of listFolderNames(dir))
    if (/^[0-9a-f]{32}\.html$/.test(name) && measureFileAge(join(dir, name)) > olderThanMs)
      unlinkIfThere(join(dir, name));
}
