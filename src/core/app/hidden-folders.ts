// Removes this machine's folders from what participants see.
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { createPathHider } from '../base/hide-paths.ts';
import type { PathHider, PathAlias } from '../base/hide-paths.ts';
import type { ReadArchive } from '../archive/parse.ts';
import { toSafeLine } from '../council/document/state-page.ts';
import { ignoreSystemFault } from '../base/errors.ts';
import { getPrivateRoot } from '../store/file/private-dir.ts';
import { findProject, findPackageDir } from '../store/local/project.ts';
import type { App } from './app.ts';
import type { Deliberation } from './find-deliberation.ts';
import { findHome } from '../store/local/system.ts';

/** Returns a function that removes this machine's folders from texts for participants. */
export const createFolderHider = (app: App): PathHider => createPathHider(listHiddenFolders(app));

/** The same for the caller of the app. Admins and local users see the folders. */
export const createCallerFolderHider = (app: App): PathHider =>
  app.caller === undefined || app.caller.role === 'admin' ? (document) => document : createFolderHider(app);

/**
 * The same for a result: local folders in errors and in paths of saved texts are of no use to any
 * remote caller, other folders to all but admins.
 */
export const hideInAnswer = <Done>(app: App, done: Done): Done =>
  createPathHider(listHiddenFolders(app), { onlyErrors: app.caller?.role === 'admin' })(done);

/**
 * Hides folders in a council or an archive before it becomes a page: in a page, council's own text
 * cannot be told from that of others.
 */
export function hideDeliberationFolders(app: App, found: Deliberation): Deliberation {
  if ('archive' in found) return { ...found, archive: hideArchiveFolders(app, found.archive) };
  return { council: { ...found.council, state: createCallerFolderHider(app)(found.council.state) } };
}

/** The same of an archive. */
export function hideArchiveFolders(app: App, archive: ReadArchive): ReadArchive {
  const { absences } = createCallerFolderHider(app)({ absences: archive.absences });
  const { synthesis } = archive;
  if (!synthesis.computed) return { ...archive, absences };
  // A computed synthesis quotes the reasons for absences among the words of others.
  const text = archive.absences.reduce((told, { reason }, at) => {
    const hidden = absences[at]?.reason ?? reason;
    return hidden === reason
      ? told
      : told.replaceAll(formatAbsenceReason(reason), () => formatAbsenceReason(hidden));
  }, synthesis.text);
  return { ...archive, absences, synthesis: { ...synthesis, text } };
}

/** Hides folders in a reason, as part of a sentence. */
const formatAbsenceReason = (reason: string): string =>
  toSafeLine(reason.slice(reason.indexOf(': ') + 2)).replace(/\.$/, '');

function listHiddenFolders(app: App): PathAlias[] {
  const { env, cwd } = app;
  const places: (PathAlias | undefined)[] = [
    [findHiddenRoot(app), '[project]'],
    [getPrivateRoot(env), '[private]'],
    [findPackageDir(), '[council]'],
    [dirname(dirname(process.execPath)), '[node]'],
    [cwd, '[here]'],
    env.XDG_STATE_HOME ? [env.XDG_STATE_HOME, '[state]'] : undefined,
    env.XDG_CACHE_HOME ? [env.XDG_CACHE_HOME, '[cache]'] : undefined,
    env.XDG_CONFIG_HOME ? [env.XDG_CONFIG_HOME, '[config]'] : undefined,
    ...[env, {}]
      .map(findHome)
      .map((home): PathAlias | undefined => (home === undefined ? undefined : [home, '~'])),
    [tmpdir(), '[tmp]'],
    ['/tmp', '[tmp]'],
  ];
  // The first name of a path counts: a project may be the home itself.
  const named = new Map<string, string>();
  for (const [path, name] of places.filter((place) => place !== undefined))
    for (const spelled of [path, resolveIfThere(path)]) if (!named.has(spelled)) named.set(spelled, name);
  return [...named];
}

function findHiddenRoot(app: App): string {
  try {
    return findProject(app)?.root ?? app.cwd;
  } catch {
    // A root that is no folder: the error that says so is the one to be cleaned.
    return app.root ?? app.env.COUNCIL_ROOT ?? app.cwd;
  }
}

function resolveIfThere(path: string): string {
  return ignoreSystemFault(() => realpathSync(path)) ?? path;
}
