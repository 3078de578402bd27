// A program `gh` for tests: a GitHub with one repository, whose state lies in a JSON file. It refuses what GitHub refuses.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env.FAKE_GITHUB;
const state = JSON.parse(readFileSync(file, 'utf8'));
const save = () => writeFileSync(file, JSON.stringify(state));

class Refused extends Error {
  constructor(status, message, errors) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

const git = (...args) =>
  execFileSync('git', ['--git-dir', state.origin, ...args], { encoding: 'utf8' }).trim();
const findHead = () => git('rev-parse', `refs/pull/${state.number}/head`);
const findBase = () => git('rev-parse', 'refs/heads/main');

/** What of a pull request GitHub shows: hunks with three lines around each change. */
function listHunks() {
  const hunks = [];
  let path;
  for (const line of git('diff', '-U3', `${findBase()}...${findHead()}`).split('\n')) {
    if (line.startsWith('+++ ') || (line.startsWith('--- ') && !line.endsWith('/dev/null')))
      path = line.endsWith('/dev/null') ? path : line.slice(6);
    const [, oldStart, oldLines = 1, newStart, newLines = 1] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (oldStart)
      hunks.push({
        path,
        LEFT: [+oldStart, +oldStart + +oldLines - 1],
        RIGHT: [+newStart, +newStart + +newLines - 1],
      });
  }
  return hunks;
}

const requireWriting = () => {
  if (state.readOnly) throw new Refused(403, 'Resource not accessible by integration');
};

function createReview({ commit_id, event, body, comments }) {
  requireWriting();
  const refuse = (error) => {
    throw new Refused(422, 'Unprocessable Entity', [error]);
  };
  if (event === 'COMMENT' && !body) refuse('Body is required');
  try {
    git('merge-base', '--is-ancestor', commit_id, findHead());
  } catch {
    refuse('The commit is not part of the pull request');
  }
  const hunks = listHunks();
  for (const { path, line, side, start_line: start = line, start_side = side } of comments) {
    const found = hunks.filter((hunk) => hunk.path === path);
    if (found.length === 0) refuse('Path could not be resolved');
    const has = ([first, last], number) => first <= number && number <= last;
    const hunk = found.find((one) => has(one[side], line));
    if (!hunk) refuse('Line could not be resolved');
    if (start_side !== side || start > line || !has(hunk[side], start))
      refuse('Start line must be part of the same hunk');
  }
  for (const { path, line, body: text } of comments)
    state.threads.push({ path, line, isResolved: false, by: state.viewer, body: text });
  state.reviews.push({ commit_id, body });
  return { id: state.reviews.length };
}

function writeComment(id, { body }) {
  requireWriting();
  if (body.length > 65536) throw new Refused(422, 'Validation Failed', ['body is too long']);
  if (id === undefined) {
    const comment = { id: 3_000_000_000 + state.comments.length, by: state.viewer, body };
    state.comments.push(comment);
    return comment;
  }
  const comment = state.comments.find((one) => String(one.id) === id);
  if (!comment) throw new Refused(404, 'Not Found');
  if (comment.by !== state.viewer) throw new Refused(403, 'Must have admin rights to Repository.');
  comment.body = body;
  state.edits += 1;
  return comment;
}

function queryGraph({ query, owner, name, number, after }) {
  const resolved = [owner === '{owner}' ? 'octo' : owner, name === '{repo}' ? 'shop' : name].join('/');
  if (resolved !== 'octo/shop' || number !== String(state.number))
    throw new Refused(undefined, `Could not resolve to a PullRequest with the number of ${number}.`);
  if (query.includes('reviewThreads')) {
    const from = Number(after ?? 0);
    const to = from + 2;
    const nodes = state.threads.slice(from, to).map(({ path, line, isResolved, by, body }) => ({
      path,
      line,
      isResolved,
      comments: {
        nodes: [
          {
            body,
            author: { __typename: by.endsWith('[bot]') ? 'Bot' : 'User', login: by.replace('[bot]', '') },
          },
        ],
      },
    }));
    const hasNextPage = to < state.threads.length;
    const reviewThreads = { pageInfo: { hasNextPage, endCursor: String(to) }, nodes };
    return { data: { repository: { pullRequest: { reviewThreads } } } };
  }
  return {
    data: {
      viewer: { login: state.viewer },
      repository: {
        nameWithOwner: 'octo/shop',
        url: 'https://github.invalid/octo/shop',
        pullRequest: {
          title: state.title,
          body: state.body,
          baseRefOid: findBase(),
          baseRefName: 'main',
          headRefOid: findHead(),
        },
      },
    },
  };
}

function answer(endpoint, { method = 'GET', fields, input }) {
  if (endpoint === 'graphql') return queryGraph(fields);
  const [, path, search = ''] = /^repos\/octo\/shop\/([^?]+)(?:\?(.*))?$/.exec(endpoint) ?? [];
  if (method === 'GET' && path === `issues/${state.number}/comments`) {
    const { per_page: size, page } = Object.fromEntries(new URLSearchParams(search));
    return state.comments
      .slice(size * (page - 1), size * page)
      .map(({ id, by, body }) => ({ id, body, user: by === null ? null : { login: by } }));
  }
  if (method === 'POST' && path === `issues/${state.number}/comments`) return writeComment(undefined, input);
  if (method === 'PATCH' && path?.startsWith('issues/comments/'))
    return writeComment(path.split('/')[2], input);
  if (method === 'POST' && path === `pulls/${state.number}/reviews`) return createReview(input);
  throw new Refused(404, 'Not Found');
}

function main([command, endpoint, ...rest]) {
  if (command !== 'api') throw new Error(`fake gh: ${command} is not known`);
  const asked = { fields: {} };
  while (rest.length > 0) {
    const [option, value] = rest.splice(0, 2);
    if (option === '--method') asked.method = value;
    else if (option === '--input') asked.input = JSON.parse(readFileSync(0, 'utf8'));
    else asked.fields[value.slice(0, value.indexOf('='))] = value.slice(value.indexOf('=') + 1);
  }
  state.calls.push(`${asked.method ?? 'GET'} ${endpoint}`);
  try {
    if (process.env.GH_TOKEN === 'expired') throw new Refused(401, 'Bad credentials');
    process.stdout.write(JSON.stringify(answer(endpoint, asked)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, message, errors = [] } = error;
    process.stdout.write(JSON.stringify({ message, errors, status: String(status) }));
    process.stderr.write(status === undefined ? `gh: ${message}\n` : `gh: ${message} (HTTP ${status})\n`);
    process.exitCode = 1;
  } finally {
    save();
  }
}

main(process.argv.slice(2));
