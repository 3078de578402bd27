// Leaves lock files, generated and vendored files, and what `.councilignore` names out of a change.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ignore from 'ignore';
import type { App } from '../core/app/app.ts';
import { createGitRunner } from '../core/app/git-calls.ts';
import type { Git } from '../core/app/git-calls.ts';
import type { Change } from './change.ts';
import type { Repository } from './git-change.ts';
import { isWrittenByCouncil } from './own-files.ts';

const OWN = 'written by council itself';

/** By the name alone, where the attributes of the base do not say otherwise. */
const NAMES: { pattern: RegExp; reason: string }[] = [
  {
    pattern: /(?:^|\/)(?:[^/]*[.-]lock(?:b|\.json|\.ya?ml)?|npm-shrinkwrap\.json|go\.sum)$/i,
    reason: 'a lock file',
  },
  { pattern: /(?:^|\/)(?:node_modules|vendor|third_party)\//, reason: 'vendored' },
  { pattern: /(?:^|\/)(?:memory\/shared|conseils)\//, reason: OWN },
];

const ATTRIBUTES = { 'linguist-generated': 'generated', 'linguist-vendored': 'vendored' } as const;
/** Names in one call of git. */
const AT_ONCE = 400;

/** The change without these, each named with its reason. What is left out is said by the base, never by the change itself. */
export async function leaveOutUnwritten(
  app: Pick<App, 'env'>,
  repository: Repository | undefined,
  change: Change,
): Promise<Change> {
  const { base, files } = change;
  const paths = files.map(({ path }) => path);
  const attributes =
    repository && base !== null
      ? await readAttributes(app, repository, base, paths)
      : new Map<string, string>();
  const ignored = repository && base !== null ? await readIgnored(repository.git, base) : () => false;
  const own = new Set(files.filter(isWrittenByCouncil).map(({ path }) => path));
  const explain = (path: string): string | undefined => {
    if (ignored(path)) return 'in .councilignore';
    const said = attributes.get(path);
    if (said === undefined && own.has(path)) return OWN;
    return said === KEPT ? undefined : (said ?? NAMES.find(({ pattern }) => pattern.test(path))?.reason);
  };
  return {
    ...change,
    files: files.filter(({ path }) => explain(path) === undefined),
    leftOut: [
      ...change.leftOut,
      ...paths.flatMap((path) => {
        const reason = explain(path);
        return reason === undefined ? [] : [{ path, reason }];
      }),
    ],
  };
}

/** Says an attribute such as `-linguist-generated` of a file that looks like one that is left out. */
const KEPT = '';

/** Why the attributes of the base leave a file out, or `KEPT`, by path. An index of its own holds them: git 2.39 reads them nowhere else. */
async function readAttributes(
  { env }: Pick<App, 'env'>,
  { top }: Repository,
  base: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const folder = fs.mkdtempSync(join(tmpdir(), 'council-review-'));
  const index = join(folder, 'index');
  const found = new Map<string, string>();
  try {
    const git = createGitRunner(top, { ...env, GIT_INDEX_FILE: index });
    const read = await git?.('read-tree', base);
    if (!git || !read || read.failed) return found;
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const names = paths.slice(from, from + AT_ONCE);
      const said = await git('check-attr', '--cached', '-z', ...Object.keys(ATTRIBUTES), '--', ...names);
      const fields = said.stdout.split('\0');
      for (let at = 0; at + 2 < fields.length; at += 3) {
        const [path, name, value] = fields.slice(at) as [string, keyof typeof ATTRIBUTES, string];
        if (value === 'set' || value === 'true') found.set(path, ATTRIBUTES[name]);
        else if ((value === 'unset' || value === 'false') && !found.has(path)) found.set(path, KEPT);
      }
    }
    return found;
  } finally {
    fs.rmSync(index, { force: true });
    fs.rmdirSync(folder);
  }
}

async function readIgnored(git: Git, base: string): Promise<(path: string) => boolean> {
  const said = await git('cat-file', 'blob', `${base}:.councilignore`);
  if (said.failed) return () => false;
  const rules = ignore().add(said.stdout);
  return (path) => rules.ignores(path);
}
