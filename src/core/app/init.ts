// Use case `init`: prepares a folder for councils.
import { resolve } from 'node:path';
import { findProject } from '../store/local/project.ts';
import { overrideApp } from './app.ts';
import type { App, Result } from './app.ts';
import type { InitInput } from './input/project.ts';
import { readLanguage } from './language.ts';
import { confirmFolder, prepare, toTemplateLanguage } from './prepare.ts';
import { seatDetected } from './seat-detected.ts';
import type { Seating } from './seat-detected.ts';
import { openWorkspace } from './workspace.ts';

export interface InitDocument {
  root: string;
  created: string[];
  agents: Seating['written'];
  notSeated: Seating['refused'];
}

/** Prepares this folder for councils; `folder` is the one that was meant, which may lie in a project. */
export async function init(
  app: App,
  { lang, detect, yes }: InitInput,
): Promise<Result<InitDocument> & { folder: string }> {
  const folder = resolve(app.cwd, app.root ?? '.');
  await confirmFolder(app, folder, { yes });
  const created = prepare(app, folder, { lang: lang ?? toTemplateLanguage(await readLanguage(app)) });
  const root = findProject({ cwd: folder, env: {} })?.root ?? folder;
  const { written: agents, refused: notSeated } = detect
    ? await seatDetected(app, openWorkspace(overrideApp(app, { root: folder })))
    : { written: [], refused: [] };
  return { document: { root, created, agents, notSeated }, folder };
}
