// File driver: where a server of this machine tells its owner alone how it is reached, and by which secret it is known.
import fs from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { readJsonDocument } from '../json-document.ts';
import { attempt, makeDir, replace, unlinkIfThere } from '../local/disk.ts';
import type { ProcessIdentity } from '../local/liveness.ts';
import { isAlive } from '../local/liveness.ts';
import { readBytes } from '../local/read.ts';
import { tempsIn } from '../local/temps.ts';
import { privateRoot, refuseInside, requirePrivate } from './private-dir.ts';

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

const OWNER_ONLY = { fileMode: 0o600, dirMode: 0o700 };
const LONGEST = 16 * 1024;

/** `$XDG_STATE_HOME/council/serving/<project>.json`, mode 0600. Everything throws `unsafe_private_dir`, `io`. */
export function servingRecordIn({
  env,
  projectRoot,
}: {
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}): ServingRecords {
  const root = privateRoot(env);
  const dir = join(root, 'serving');
  const project = sha256(attempt('resolve', projectRoot, () => fs.realpathSync(projectRoot)));
  const path = join(dir, `${project.slice(0, 32)}.json`);
  const read = (): ServingRecord | undefined => {
    refuseInside(root, projectRoot);
    if (!attempt('look at', dir, () => fs.lstatSync(dir, { throwIfNoEntry: false }))) return undefined;
    for (const one of [root, dir]) requirePrivate(one);
    const bytes = readBytes(path, { limit: LONGEST, links: 'refuse' });
    const record = bytes && recordIn(readJsonDocument(bytes.toString('utf8')));
    return record && isAlive(record.process) !== false ? record : undefined;
  };
  return {
    read,
    write(record) {
      refuseInside(root, projectRoot);
      makeDir(dir, OWNER_ONLY.dirMode);
      for (const one of [root, dir]) requirePrivate(one);
      const temps = tempsIn(join(root, '.tmp'), { root, ...OWNER_ONLY });
      // It tells of a process: what a power cut takes is over anyway.
      replace(temps.write(Buffer.from(JSON.stringify(record)), { durable: false }), path);
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
