// File driver: an address that a browser is handed over in a file of its owner, since everybody may read a program's arguments.
import { join } from 'node:path';
import { listFolderNames, unlinkIfThere, writeNew } from '../local/disk.ts';
import { measureFileAge } from '../local/project.ts';
import type { OwnerPlace } from './owner-folder.ts';
import { ownerFolder } from './owner-folder.ts';
import { OWNER_ONLY, privateRoot } from './private-dir.ts';

const KIND = 'open';

/** Writes a page that leads on, mode 0600; its path. `name` must be new. */
export function handOver(place: OwnerPlace, name: string, page: string): string {
  const { dir, made } = ownerFolder(place, KIND);
  const path = join(made(dir), `${name}.html`);
  writeNew(path, Buffer.from(page), { mode: OWNER_ONLY.fileMode, durable: false });
  return path;
}

/** Deletes those of earlier times: what they lead to has long been over. */
export function sweepHandedOver(env: NodeJS.ProcessEnv, olderThanMs: number): void {
  const dir = join(privateRoot(env), KIND);
  for (const name of listFolderNames(dir))
    if (/^[0-9a-f]{32}\.html$/.test(name) && measureFileAge(join(dir, name)) > olderThanMs)
      unlinkIfThere(join(dir, name));
}
