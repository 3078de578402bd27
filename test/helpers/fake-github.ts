// A repository at a GitHub that is a file, with pull request 7, a clone of it, and a program `gh` that leads there.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

interface Said {
  by: string | null;
  body: string;
}

export interface GitHubState {
  origin: string;
  number: number;
  viewer: string;
  title: string;
  body: string;
  /** The token may not write, as that of a workflow that a fork has started. */
  readOnly: boolean;
  comments: (Said & { id: number })[];
  threads: (Said & { path: string; line: number; isResolved: boolean })[];
  reviews: { commit_id: string; body: string }[];
  edits: number;
  calls: string[];
}

export interface FakeGitHub {
  /** The clone, with `main` checked out. */
  root: string;
  env: NodeJS.ProcessEnv;
  base: string;
  head: string;
  read(): GitHubState;
  change(given: Partial<GitHubState>): void;
  git(...args: string[]): string;
  /** As it was when it was made, but for what was fetched. */
  reset(): void;
  /** Another commit of the pull request. */
  push(files: Record<string, string>): string;
  remove(): void;
}

/** Forty lines, of which the pull request changes the 20th, and removes the 30th. */
const BEFORE = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
const AFTER = BEFORE.map((line, at) => (at === 19 ? 'await charge(job)' : line)).filter((_, at) => at !== 29);

export function createFakeGitHub(): FakeGitHub {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'council-github-')));
  const [root, author, origin, bin, state] = ['project', 'author', 'octo/shop.git', 'bin', 'state.json'].map(
    (name) => join(folder, name),
  ) as [string, string, string, string, string];
  const run = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const commit = (files: Record<string, string>): string => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(join(author, name, '..'), { recursive: true });
      fs.writeFileSync(join(author, name), text);
    }
    run(author, 'add', '--all');
    run(author, 'commit', '-qm', 'A change');
    return run(author, 'rev-parse', 'HEAD');
  };
  const push = (files: Record<string, string>): string => {
    const head = commit(files);
    run(author, 'push', '-q', '--force', origin, 'HEAD:refs/pull/7/head');
    return head;
  };
  for (const name of [author, origin, bin]) fs.mkdirSync(name, { recursive: true });
  run(origin, 'init', '-q', '--bare', '-b', 'main');
  run(author, 'init', '-q', '-b', 'main');
  const base = commit({ 'src/queue.ts': `${BEFORE.join('\n')}\n` });
  run(author, 'push', '-q', origin, 'main');
  run(folder, 'clone', '-q', origin, root);
  const head = push({ 'src/queue.ts': `${AFTER.join('\n')}\n` });
  const program = join(import.meta.dirname, '..', 'fixtures', 'fake-gh.mjs');
  fs.writeFileSync(join(bin, 'gh'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  const read = (): GitHubState => JSON.parse(fs.readFileSync(state, 'utf8')) as GitHubState;
  const write = (given: GitHubState): void => fs.writeFileSync(state, JSON.stringify(given));
  const reset = (): void => {
    run(origin, 'update-ref', 'refs/pull/7/head', head);
    write({
      ...{ origin, number: 7, viewer: 'github-actions[bot]', title: 'Charge once', body: 'Please look.' },
      ...{ readOnly: false, comments: [], threads: [], reviews: [], edits: 0, calls: [] },
    });
  };
  reset();
  return {
    ...{ root, base, head, read, push, reset },
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      FAKE_GITHUB: state,
      GH_TOKEN: 'valid',
    },
    change: (given) => write({ ...read(), ...given }),
    git: (...args) => run(root, ...args),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
