// Prepares a folder as a project and opens its workspace; use case `init`.
import { existsSync } from 'node:fs';
import { CouncilError } from '../base/errors.ts';
import { fill, isYes, loadWords } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import {
  addAgentFile,
  renderCouncilTemplate,
  initProject,
  isProject,
  layOutProject,
  findProject,
} from '../store/local/project.ts';
import { listFolderNames } from '../store/local/disk.ts';
import { overrideApp } from './app.ts';
import type { App, Result } from './app.ts';
import { readLanguage } from './language.ts';
import { createTrustChecks, isUntouched } from './trust.ts';
import { findWorkspace, loadConfig, createWorkspace, openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { resolve } from 'node:path';
import type { InitInput } from './input/project.ts';
import { seatDetected } from './seat-programs.ts';
import type { Seating } from './seat-programs.ts';

/**
 * Prepares a folder for councils, and reports what could not be done. A folder that was no project before counts as this
 * user's own from now on: agents seated there by hand are trusted. This excludes folders that already held agent files,
 * which may have come from anywhere, and folders that an agent prepares in its turn.
 */
export function prepareFolder(
  app: App,
  root: string,
  { lang, rules }: { lang?: string | undefined; rules?: boolean } = {},
): string[] {
  const isOwn = isUntouched(root);
  const { created, warnings } = initProject(root, {
    ...(lang !== undefined && { lang }),
    ...(rules !== undefined && { rules }),
  });
  for (const warning of warnings) app.note(warning);
  if (!isOwn) return created;
  try {
    createTrustChecks(app, root).grant([], { prepared: true });
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    // Everything else works; council asks before it runs anything there.
    app.note(`This folder could not be recorded as your own: ${error.message}\n${error.hint ?? ''}`);
  }
  return created;
}

/** Files that do not count: a folder with only these is treated as empty. */
const NOTHING = new Set(['.git', '.DS_Store']);

/**
 * Asks before turning a folder with other contents into a project. Without a terminal it continues, as scripts
 * expect, and reports what it created. Throws `failed` if the answer is no.
 */
export async function confirmFolder(app: App, root: string, { yes }: { yes: boolean }): Promise<void> {
  if (yes || !app.ask || isProject(root) || listFolderNames(root).every((name) => NOTHING.has(name))) return;
  // Part of the question, so it is printed even with --quiet.
  const { init: w } = loadWords(await readLanguage(app));
  const what = [
    fill(w.notEmpty, { folder: root }),
    `  COUNCIL.md           ${w.settings}`,
    `  agents/              ${w.agents}`,
    `  memory/shared/       ${w.shared}`,
    `  conseils/            ${w.archives}`,
    `  .gitattributes, .gitignore   ${w.git}`,
    w.goOn,
  ].join('\n');
  if (isYes(await app.ask(what))) return;
  throw new CouncilError('failed', 'Nothing was changed.', {
    hint: 'Run it in a folder of its own, or name one with --root. With --yes nobody is asked.',
  });
}

/**
 * Like `openWorkspace`, but first prepares the project, or the current folder if there is none. Reports what was missing.
 * Errors in the settings are reported before anything is written.
 */
export async function openOrInitWorkspace(app: App): Promise<Workspace> {
  const workspace = createWorkspace(app, findWorkspace(app)?.project ?? layOutProject(app.cwd));
  await loadConfig(overrideApp(app, { note: () => undefined }), workspace, {});
  prepareProject(app, workspace, await readLanguage(app));
  return workspace;
}

/** Opens the project of a council that is about to start. Nothing is written before `writePlanned`. */
export function planWorkspace(
  app: App,
  { isDryRun, lang }: { isDryRun: boolean; lang: Language },
): Workspace {
  const project = findWorkspace(app)?.project ?? layOutProject(app.cwd);
  const rules = existsSync(project.shared) ? undefined : renderCouncilTemplate(toTemplateLanguage(lang));
  return { ...createWorkspace(app, project), planned: { agents: [], notes: [], rules, isDryRun } };
}

/** Prepares the project of a council that starts now, and writes the files of its planned agents. */
export function writePlanned(app: App, workspace: Workspace, lang: Language): void {
  prepareProject(app, workspace, lang);
  const { planned, project } = workspace;
  if (!planned) return;
  delete workspace.planned;
  for (const { id, text } of planned.agents) addAgentFile(project, id, text);
  planned.notes.forEach(app.note);
}

function prepareProject(app: App, { project: { root, shared } }: Workspace, lang: Language): void {
  // If councils were held here before, its owner removed COUNCIL.md on purpose.
  const created = prepareFolder(app, root, { rules: !existsSync(shared), lang: toTemplateLanguage(lang) });
  const { opening } = loadWords(lang);
  const folder = root === app.cwd ? opening.thisFolder : root;
  if (created.length > 0) app.note(fill(opening.prepared, { folder, files: created.join(', ') }));
}

/** Returns the language to write into the settings of a new project; undefined for English, the default. */
export const toTemplateLanguage = (lang: Language): Language | undefined =>
  lang === 'en' ? undefined : lang;

interface InitDocument {
  root: string;
  created: string[];
  agents: Seating['written'];
  notSeated: Seating['refused'];
}

/** Prepares this folder for councils. `folder` is the one that the user named, which may be inside a project. */
export async function init(
  app: App,
  { lang, detect, yes }: InitInput,
): Promise<Result<InitDocument> & { folder: string }> {
  const folder = resolve(app.cwd, app.root ?? '.');
  await confirmFolder(app, folder, { yes });
  const created = prepareFolder(app, folder, { lang: lang ?? toTemplateLanguage(await readLanguage(app)) });
  const root = findProject({ cwd: folder, env: {} })?.root ?? folder;
  const { written: agents, refused: notSeated } = detect
    ? await seatDetected(app, openWorkspace(overrideApp(app, { root: folder })))
    : { written: [], refused: [] };
  return { document: { root, created, agents, notSeated }, folder };
}
