// Prepares a folder as a project and opens its workspace.
import { existsSync } from 'node:fs';
import { PRESETS } from '../agents/runner-kind.ts';
import { CouncilError } from '../base/errors.ts';
import { bringsAlong } from '../store/local/came-from.ts';
import { listFolderNames } from '../store/local/disk.ts';
import { initProject, isProject, layOutProject } from '../store/local/project.ts';
import { overrideApp } from './app.ts';
import type { App } from './app.ts';
import { createTrustChecks } from './trust.ts';
import { AGENT_FOLDERS, findWorkspace, loadAgents, loadConfig, createWorkspace } from './workspace.ts';
import type { Overrides, Workspace } from './workspace.ts';

/**
 * Prepares a folder for councils, and tells what could not be done. One that was no project before is this user's own from
 * now on: what is seated there by hand is trusted. Not so one that held files of agents before, which may have come from
 * anywhere, and one that an agent prepares inside its turn.
 */
export function prepare(app: App, root: string, options: { lang?: string; rules?: boolean } = {}): string[] {
  const isOwn =
    !isProject(root) &&
    !bringsAlong(
      root,
      AGENT_FOLDERS.map(([, folder]) => folder),
    );
  const { created, warnings } = initProject(root, options);
  for (const warning of warnings) app.note(warning);
  if (!isOwn) return created;
  try {
    createTrustChecks(app, root).grant([], { prepared: true });
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    // Everything else works; whatever is to run there will be asked about.
    app.note(`This folder could not be recorded as your own: ${error.message}\n${error.hint ?? ''}`);
  }
  return created;
}

/** What a folder may hold and still be as good as empty. */
const NOTHING = new Set(['.git', '.DS_Store']);

/**
 * Asks before a folder with other contents becomes a project. Without a terminal it goes on, as
 * scripts expect, and reports what was made. Throws `failed` for a no.
 */
export async function confirmFolder(app: App, root: string, { yes }: { yes: boolean }): Promise<void> {
  if (yes || !app.ask || isProject(root) || listFolderNames(root).every((name) => NOTHING.has(name))) return;
  // Part of the question, so it is printed even with --quiet.
  const what = [
    `${root} is not empty, and no council project yet. This will be added to it:`,
    '  COUNCIL.md           settings and house rules',
    '  agents/              who may sit at the table; a file for each agent program on PATH',
    '  memory/shared/       councils that are open',
    '  conseils/            archives',
    '  .gitattributes, .gitignore   lines for these folders',
    'Go on? [y/N] ',
  ].join('\n');
  if (/^\s*y(es)?\s*$/i.test(await app.ask(what))) return;
  throw new CouncilError('failed', 'Nothing was changed.', {
    hint: 'Run it in a folder of its own, or name one with --root. With --yes nobody is asked.',
  });
}

/**
 * Like `openWorkspace`, but the project, or the current folder where there is none, is prepared for its first council: every
 * way to one comes through here. Says what was missing.
 */
export async function openOrInitWorkspace(
  app: App,
  given: Overrides & { yes?: boolean },
): Promise<Workspace> {
  const project = findWorkspace(app)?.project ?? layOutProject(app.cwd);
  const workspace = createWorkspace(app, project);
  // What is wrong with the settings, or who does not exist, is said before anything is written; warnings come later.
  const config = await loadConfig(overrideApp(app, { note: () => undefined }), workspace, given);
  const known = given.agents && (await loadAgents(app, workspace, config));
  for (const id of given.agents ?? [])
    if (given.yes === undefined || !(await isProgram(app, project.root, id))) known?.require(id);
  // Commands without `yes` did not ask for a council, only for something that needs the folder.
  if (given.yes !== undefined) await confirmFolder(app, project.root, { yes: given.yes });
  // Where councils were held already, a missing COUNCIL.md is its owner's wish.
  const created = prepare(app, project.root, { rules: !existsSync(project.shared) });
  if (created.length > 0)
    app.note(
      `Prepared ${project.root === app.cwd ? 'this folder' : project.root} for councils (${created.join(', ')}).`,
    );
  return workspace;
}

/** Whether a name is that of an agent program on PATH: `run` seats it where it has no file yet. */
async function isProgram(app: App, root: string, id: string): Promise<boolean> {
  if (!PRESETS.some((preset) => preset === id)) return false;
  const { programsOnPath } = await import('../agents/runners/detect-programs.ts');
  const where = { cwd: root, notIn: root, env: app.env, signal: app.interruption() };
  return programsOnPath(where).some(({ program }) => program.preset === id);
}
