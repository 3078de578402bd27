// Finds staged files that are reserved by others.
import { CouncilError } from '../../../core/base/errors.ts';
import { pathMatcher } from '../path-patterns.ts';
import type { Reservation, Reserved } from '../reservations.ts';
import type { App } from '../../../core/app/app.ts';
import { createGitRunner, notForGit } from '../../../core/app/doctor/git-calls.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { spellings } from './pattern-spellings.ts';

/** A file, and who has it exclusively. */
export interface ReservedFile {
  file: string;
  reservation: Reservation;
}

/**
 * Lists the staged files (of renames both names), and those reserved exclusively by anyone but
 * `as`.
 */
export async function checkStaged(
  app: App,
  { project }: Pick<Workspace, 'project'>,
  { all }: Reserved,
  as: string | undefined,
): Promise<{ staged: string[]; taken: ReservedFile[] }> {
  const staged = await stagedFiles(app, project.root);
  const others = all
    .filter(({ by, mode }) => by !== as && mode === 'exclusive')
    .map((reservation) => ({
      reservation,
      matchers: reservation.patterns.flatMap((one) => spellings(project.root, one)).map(pathMatcher),
    }));
  const taken = staged.flatMap((file) => {
    const found = others.find(({ matchers }) => matchers.some((matches) => matches(file)));
    return found ? [{ file, reservation: found.reservation }] : [];
  });
  return { staged, taken };
}

async function stagedFiles({ env }: App, root: string): Promise<string[]> {
  const git = createGitRunner(root, env);
  if (!git) throw createStagedError('git is not installed', 'Install git, or leave out --check.');
  const unread = notForGit(root, []);
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
