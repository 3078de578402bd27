// Reads a pull request from GitHub: its commits, and descriptions and comments as untrusted data for reviewers.

import { requireAnswer } from './call-gh.ts';
import type { CallGitHub } from './call-gh.ts';
import { toOneLine } from '../../core/base/text.ts';

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
