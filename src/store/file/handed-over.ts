// File driver: an address that a browser is handed over in a file of its owner, since everybody may read a program's arguments.
import { join } from 'node:path';
import { makeDir, namesIn, unlinkIfThere, writeNew } from '../local/disk.ts';
import { ageOf } from '../local/project.ts';
import { privateRoot, refuseInside, requirePrivate } from './private-dir.ts';

interface Place {
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}

const folderOf = (env: NodeJS.ProcessEnv): string => join(privateRoot(env), 'open');

/** Writes a page that leads on, mode 0600; its path. `name` must be new. */
export function handOver({ env, projectRoot }: Place, name: string, page: string): string {
  const root = privateRoot(env);
  refuseInside(root, projectRoot);
  const dir = folderOf(env);
  makeDir(dir, 0o700);
  for (const one of [root, dir]) requirePrivate(one);
  const path = join(dir, `${name}.html`);
  writeNew(path, Buffer.from(page), { mode: 0o600, durable: false });
  return path;
}

/** Deletes those of earlier times: what they lead to has long been over. */
export function sweepHandedOver(env: NodeJS.ProcessEnv, olderThanMs: number): void {
  const dir = folderOf(env);
  for (const name of namesIn(dir))
    if (/^[0-9a-f]{32}\.html$/.test(name) && ageOf(join(dir, name)) > olderThanMs)
      unlinkIfThere(join(dir, name));
}
