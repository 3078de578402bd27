// Prepares a folder as a project and opens its workspace.
import { existsSync } from 'node:fs';
import { CouncilError } from '../base/errors.ts';
import { bringsAlong } from '../store/local/came-from.ts';
import { initProject, isProject, projectAt } from '../store/local/project.ts';
import { inTurn } from './app.ts';
import type { App } from './app.ts';
import { trustIn } from './trust.ts';
import { AGENT_FOLDERS, findWorkspace, loadAgents, loadConfig, workspaceOf } from './workspace.ts';
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
  if (!isOwn || inTurn(app.env)) return created;
  try {
    trustIn(app, root).grant([], { prepared: true });
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    // Everything else works; whatever is to run there will be asked about.
    app.note(`This folder could not be recorded as your own: ${error.message}\n${error.hint ?? ''}`);
  }
  return created;
}

/**
 * Like `openWorkspace`, but the project, or the current folder where there is none, is prepared for its first council: every
 * way to one comes through here. Says what was missing.
 */
export async function openOrInitWorkspace(app: App, given: Overrides): Promise<Workspace> {
  const project = findWorkspace(app)?.project ?? projectAt(app.cwd);
  const workspace = workspaceOf(app, project);
  // What is wrong with the settings, or who does not exist, is said before anything is written; warnings come later.
  const config = await loadConfig({ ...app, note: () => undefined }, workspace, given);
  const known = given.agents && (await loadAgents(app, workspace, config));
  for (const id of given.agents ?? []) known?.require(id);
  // Where councils were held already, a missing COUNCIL.md is its owner's wish.
  const created = prepare(app, project.root, { rules: !existsSync(project.shared) });
  if (created.length > 0) app.note(`Prepared ${project.root} for councils (${created.join(', ')}).`);
  return workspace;
}
