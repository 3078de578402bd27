// Finds staged files that are reserved by others, by every spelling of a pattern in a project with symbolic
// links.
import fs from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { CouncilError, ignoreSystemFault } from '../../../core/base/errors.ts';
import { createPathMatcher } from '../path-patterns.ts';
import type { Reservation, ReservationState } from '../reservations.ts';
import type { App } from '../../../core/app/app.ts';
import { createGitRunner, findIrregularGitFile } from '../../../core/app/git-calls.ts';
import type { Workspace } from '../../../core/app/workspace.ts';

interface ReservedFile {
  file: string;
  reservation: Reservation;
}

/** Lists the staged files (of renames both names), and those reserved exclusively by anyone but `as`. */
export async function checkStaged(
  app: App,
  { project }: Pick<Workspace, 'project'>,
  { all }: ReservationState,
  as: string | undefined,
): Promise<{ staged: string[]; taken: ReservedFile[] }> {
  const staged = await listStagedFiles(app, project.root);
  const others = all
    .filter(({ by, mode }) => by !== as && mode === 'exclusive')
    .map((reservation) => ({
      reservation,
      matchers: reservation.patterns
        .flatMap((one) => listSpellings(project.root, one))
        .map(createPathMatcher),
    }));
  const taken = staged.flatMap((file) => {
    const found = others.find(({ matchers }) => matchers.some((matches) => matches(file)));
    return found ? [{ file, reservation: found.reservation }] : [];
  });
  return { staged, taken };
}

async function listStagedFiles({ env }: App, root: string): Promise<string[]> {
  const git = createGitRunner(root, env);
  if (!git) throw createStagedError('git is not installed', 'Install git, or leave out --check.');
  const unread = findIrregularGitFile(root, []);
  if (unread) throw unread;
  const said = await git(
    'diff',
    '--cached',
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--ignore-submodules=dirty',
    '--relative',
  );
  if (said.failed)
    throw createStagedError(said.why.trim(), 'Run it in a git repository, or leave out --check.');
  return said.stdout.split('\0').filter((file) => file !== '');
}

const createStagedError = (why: string, hint: string): CouncilError =>
  new CouncilError('usage', `The staged files cannot be looked at: ${why}.`, { hint });

/** Returns the pattern, and its spelling with symbolic links resolved where they exist, if inside the project. */
export function listSpellings(root: string, pattern: string): string[] {
  const parts = pattern.split('/');
  const open = parts.findIndex((part) => /[*?[{]/.test(part));
  for (let count = open === -1 ? parts.length : open; count > 0; count--) {
    const real = findRealPath(join(root, ...parts.slice(0, count)));
    if (real === undefined) continue;
    const way = relative(findRealPath(root) ?? root, real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return [pattern];
    const spelled = [...way.split(sep), ...parts.slice(count)].filter((part) => part !== '').join('/');
    return [...new Set([pattern, spelled === '' ? '**' : spelled.normalize('NFC')])];
  }
  return [pattern];
}

function findRealPath(path: string): string | undefined {
  return ignoreSystemFault(() => fs.realpathSync(path));
}
