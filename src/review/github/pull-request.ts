// Reads a pull request from GitHub: its commits, which are fetched without checking anything out, and descriptions and
// comments as untrusted data for reviewers.
import { requireAnswer } from './call-gh.ts';
import type { CallGitHub } from './call-gh.ts';
import { toOneLine } from '../../core/base/text.ts';
import { findSystemProgram } from '../../core/agents/runners/find-command.ts';
import { createGitRunner } from '../../core/app/git-calls.ts';
import type { GitRunner } from '../../core/app/git-calls.ts';
import { CouncilError } from '../../core/base/errors.ts';

export interface PullRequest {
  number: number;
  /** "owner/name" of the target repository. */
  repository: string;
  /** The web address of that repository. */
  url: string;
  title: string;
  body: string;
  /** The newest commit of the target branch, and that branch. */
  base: string;
  baseBranch: string;
  head: string;
  /** The login of the authenticated user, or of an app with "[bot]". */
  viewer: string;
}

export interface ReviewThread {
  path: string;
  line: number | null;
  isResolved: boolean;
  comments: { author: string; isOwn: boolean; body: string }[];
}

export interface Comment {
  id: number;
  isOwn: boolean;
  body: string;
}

const PAGE = 100;

const PULL_REQUEST = `query($owner: String!, $name: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    nameWithOwner url
    pullRequest(number: $number) { title body baseRefOid baseRefName headRefOid }
  }
}`;

interface PullRequestAnswer {
  data: {
    viewer: { login: string };
    repository: {
      nameWithOwner: string;
      url: string;
      pullRequest: {
        title: string;
        body: string;
        baseRefOid: string;
        baseRefName: string;
        headRefOid: string;
      };
    };
  };
}

/** Reads pull request `number` of the repository that `gh` uses in this folder. */
export async function readPullRequest(call: CallGitHub, number: number): Promise<PullRequest> {
  // gh replaces these with the repository of the folder.
  const answer = await queryPullRequest(call, PULL_REQUEST, { owner: '{owner}', name: '{repo}', number });
  const { viewer, repository } = (answer as PullRequestAnswer).data;
  const { title, body, baseRefOid, baseRefName, headRefOid } = repository.pullRequest;
  return {
    number,
    repository: repository.nameWithOwner,
    url: repository.url,
    title,
    body,
    base: baseRefOid,
    baseBranch: baseRefName,
    head: headRefOid,
    viewer: viewer.login,
  };
}

const THREADS = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: ${PAGE}, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          path line isResolved
          comments(first: ${PAGE}) { nodes { body author { __typename login } } }
        }
      }
    }
  }
}`;

interface ThreadsAnswer {
  data: {
    repository: {
      pullRequest: {
        reviewThreads: {
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
          nodes: (Pick<ReviewThread, 'path' | 'line' | 'isResolved'> & {
            comments: { nodes: { body: string; author: { __typename: string; login: string } | null }[] };
          })[];
        };
      };
    };
  };
}

/** Lists all conversations about lines, including resolved ones. */
export async function listThreads(
  call: CallGitHub,
  { repository, number, viewer }: PullRequest,
): Promise<ReviewThread[]> {
  const [owner = '', name = ''] = repository.split('/');
  const threads: ReviewThread[] = [];
  for (let after: string | null = null; ;) {
    const answer = await queryPullRequest(call, THREADS, {
      owner,
      name,
      number,
      ...(after !== null && { after }),
    });
    const { nodes, pageInfo } = (answer as ThreadsAnswer).data.repository.pullRequest.reviewThreads;
    for (const { comments, ...thread } of nodes)
      threads.push({
        ...thread,
        comments: comments.nodes.map(({ body, author }) => {
          // GraphQL gives an app's login without the "[bot]" that it has elsewhere.
          const login = `${author?.login ?? ''}${author?.__typename === 'Bot' ? '[bot]' : ''}`;
          return { author: login, isOwn: login === viewer, body };
        }),
      });
    if (!pageInfo.hasNextPage) return threads;
    after = pageInfo.endCursor;
  }
}

export async function listComments(
  call: CallGitHub,
  { repository, number, viewer }: PullRequest,
): Promise<Comment[]> {
  const comments: Comment[] = [];
  for (let page = 1; ; page++) {
    const answer = await call(`repos/${repository}/issues/${number}/comments?per_page=${PAGE}&page=${page}`);
    const found = requireAnswer(answer, 'to list the comments') as {
      id: number;
      body: string;
      user: { login: string } | null;
    }[];
    comments.push(...found.map(({ id, body, user }) => ({ id, body, isOwn: user?.login === viewer })));
    if (found.length < PAGE) return comments;
  }
}

async function queryPullRequest(
  call: CallGitHub,
  text: string,
  variables: { owner: string; name: string; number: number; after?: string },
): Promise<unknown> {
  const { owner, name, number, after } = variables;
  const fields = [
    ...['--field', `owner=${owner}`, '--field', `name=${name}`, '--field', `number=${number}`],
    ...(after === undefined ? [] : ['--raw-field', `after=${after}`]),
    ...['--raw-field', `query=${text}`],
  ];
  return requireAnswer(await call('graphql', { fields }), 'to show the pull request');
}

/** Longer descriptions are generated. */
const MAX_BODY = 4000;
const MAX_COMMENT = 500;
/** Only the newest conversations. */
const MAX_THREADS = 20;

/** Returns title, description and comments on lines. Leaves out council's own posts: reviewers are blind. */
export function describePullRequest({ title, body }: PullRequest, threads: readonly ReviewThread[]): string {
  const told = threads
    .filter(({ comments: [first] }) => first && !first.isOwn)
    .slice(-MAX_THREADS)
    .map(({ path, line, isResolved, comments }) =>
      [
        `${path}${line === null ? '' : `:${line}`}${isResolved ? ' (resolved)' : ''}`,
        ...comments.map(({ author, body: said }) => `${author}: ${toOneLine(said, MAX_COMMENT)}`),
      ].join('\n'),
    );
  return [toOneLine(title), body.trim().slice(0, MAX_BODY).toWellFormed(), ...told]
    .filter((part) => part !== '')
    .join('\n\n');
}

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
