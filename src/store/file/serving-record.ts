// File driver: where a server of this machine tells its owner alone how it is reached, and by which secret it is known.
import { join } from 'node:path';
import { readJsonDocument } from '../json-document.ts';
import { unlinkIfThere } from '../local/disk.ts';
import type { ProcessIdentity } from '../local/liveness.ts';
import { isAlive } from '../local/liveness.ts';
import { readBytes } from '../local/read.ts';
import { placeOver } from '../local/temps.ts';
import type { Place } from './owner-folder.ts';
import { ownerFolder } from './owner-folder.ts';

/** A server that runs. */
export interface ServingRecord {
  url: string;
  /** The address that people elsewhere know it by. */
  publicUrl: string | null;
  secret: string;
  process: ProcessIdentity;
}

export interface ServingRecords {
  /** Undefined where no server of this project runs on this machine. */
  read(): ServingRecord | undefined;
  /** In place of an earlier one: the newest server is the one that is found. */
  write(record: ServingRecord): void;
  /** Takes it back, unless a newer server has written its own. */
  remove(secret: string): void;
}

const LONGEST = 16 * 1024;

/** `$XDG_STATE_HOME/council/serving/<project>.json`, mode 0600. Everything throws `unsafe_private_dir`, `io`. */
export function servingRecordIn(place: Place): ServingRecords {
  const { dir, temps, project, made, isThere } = ownerFolder(place, 'serving');
  const path = join(dir, `${project()}.json`);
  const read = (): ServingRecord | undefined => {
    if (!isThere(dir)) return undefined;
    const bytes = readBytes(path, { limit: LONGEST, links: 'refuse' });
    const record = bytes && recordIn(readJsonDocument(bytes.toString('utf8')));
    return record && isAlive(record.process) !== false ? record : undefined;
  };
  return {
    read,
    write(record) {
      made(dir);
      // It tells of a process: what a power cut takes is over anyway.
      placeOver(temps, path, Buffer.from(JSON.stringify(record)), false);
    },
    remove(secret) {
      if (read()?.secret === secret) unlinkIfThere(path);
    },
  };
}

function recordIn(read: Record<string, unknown>): ServingRecord | undefined {
  const { url, publicUrl, secret, process } = read;
  if (typeof url !== 'string' || typeof secret !== 'string') return undefined;
  if (typeof process !== 'object' || process === null) return undefined;
  return {
    url,
    publicUrl: typeof publicUrl === 'string' ? publicUrl : null,
    secret,
    process: process as ProcessIdentity,
  };
}
