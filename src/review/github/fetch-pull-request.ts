// Fetches the commits of a pull request into the repository, without checking anything out.
import { findSystemProgram } from '../../core/agents/runners/find-command.ts';
import { createGitRunner } from '../../core/app/git-calls.ts';
import type { GitRunner } from '../../core/app/git-calls.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { PullRequest } from './pull-request.ts';

/** Prevents git from running programs named in the repository's settings or in an address. */
const QUIET = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.sshCommand=ssh', 'core.askPass='];
const ENVIRONMENT = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:ssh:file' };
const LONGEST_MS = 10 * 60_000;

/**
 * Fetches the missing commits of a pull request, changing only FETCH_HEAD. Returns its merge base. Throws
 * `conflict` if its head has moved on, and `failed` if git cannot fetch or finds no common commit.
 */
export async function fetchPullRequest(
  root: string,
  env: NodeJS.ProcessEnv,
  pull: PullRequest,
): Promise<string> {
  const git = createGitRunner(root, env);
  if (!git) throw new CouncilError('failed', 'git is not installed.', { hint: 'Install git.' });
  const isMissing = async (commit: string): Promise<boolean> =>
    (await git('cat-file', '-e', `${commit}^{commit}`)).failed;
  const address = await findAddress(git, pull);
  if (await isMissing(pull.base)) await fetchRef(root, env, address, `refs/heads/${pull.baseBranch}`);
  if (await isMissing(pull.head)) await fetchRef(root, env, address, `refs/pull/${pull.number}/head`);
  if ((await isMissing(pull.base)) || (await isMissing(pull.head)))
    throw new CouncilError('conflict', `Pull request ${pull.number} has moved on while it was fetched.`, {
      hint: 'Start the review again.',
    });
  const left = await git('merge-base', pull.base, pull.head);
  if (left.failed)
    throw new CouncilError('failed', `git finds no common commit of ${pull.base} and ${pull.head} here.`, {
      hint: 'A shallow clone lacks it: git fetch --unshallow, or fetch-depth: 0 in a workflow.',
    });
  return left.stdout.trim();
}

/** Returns the URL of the repository's remote, which may have a login configured, or else GitHub's URL. */
async function findAddress(git: GitRunner, { repository, url }: PullRequest): Promise<string> {
  const { stdout } = await git('config', '--get-regexp', String.raw`^remote\..*\.url$`);
  const isWanted = (address: string): boolean =>
    address
      .toLowerCase()
      .replace(/\/$/, '')
      .replace(/\.git$/, '')
      .split(/[:/]/)
      .slice(-2)
      .join('/') === repository.toLowerCase();
  const addresses = stdout.split('\n').map((line) => line.slice(line.indexOf(' ') + 1));
  return addresses.find(isWanted) ?? `${url}.git`;
}

async function fetchRef(root: string, env: NodeJS.ProcessEnv, address: string, ref: string): Promise<void> {
  const git = findSystemProgram('git', root, env)!;
  const gh = findSystemProgram('gh', root, env)!;
  // Only the login of gh, no credential helper of the repository.
  const helper = `!'${gh.file.replaceAll("'", String.raw`'\''`)}' auth git-credential`;
  const settings = [...QUIET, 'credential.helper=', `credential.helper=${helper}`];
  const plain = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance'];
  const { execa } = await import('execa');
  const said = await execa(
    git.file,
    [
      ...settings.flatMap((setting) => ['-c', setting]),
      ...['fetch', ...plain, '--upload-pack=git-upload-pack', '--end-of-options', address, ref],
    ],
    {
      cwd: root,
      extendEnv: false,
      env: { ...env, ...ENVIRONMENT, PATH: git.PATH },
      reject: false,
      timeout: LONGEST_MS,
      stdin: 'ignore',
    },
  );
  if (!said.failed) return;
  const why = toOneLine(said.stderr || said.shortMessage || '', 300);
  throw new CouncilError('failed', `git cannot fetch ${ref} from ${toOneLine(address)}: ${why}`, {
    hint: 'Look with: gh auth status, gh repo view',
  });
}
