// Calls git without running the repository's programs: its filters and helpers are disabled.
import { join, dirname, resolve } from 'node:path';
import { findSystemProgram } from '../agents/runners/find-command.ts';
import { CouncilError } from '../base/errors.ts';
import { findWorkTree } from '../store/local/git.ts';
import { readStart } from '../store/local/read.ts';

/** Git's output and exit status. */
export interface GitResult {
  failed: boolean;
  exitCode: number | undefined;
  stdout: string;
  why: string;
}
export type GitRunner = (...args: string[]) => Promise<GitResult>;

/**
 * Every git call goes through here: the repository is not trusted, and its settings can name
 * programs. Those that a read would run are turned off, nothing is fetched (which could run a
 * program, too), and a bare repository among the project files is not used.
 */
const QUIET = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.askPass=',
  'core.sshCommand=false',
  'core.alternateRefsCommand=false',
  'gpg.program=false',
  'credential.helper=',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting]);
const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
};
const LONGEST_MS = 5000;

/**
 * Returns a function that runs git in `root`; undefined if the only git came with the project. `settings`
 * with names from the repository override its own.
 */
export function createGitRunner(
  root: string,
  env: NodeJS.ProcessEnv,
  settings: readonly [key: string, value: string][] = [],
  longestMs = LONGEST_MS,
): GitRunner | undefined {
  const git = findSystemProgram('git', root, env);
  if (!git) return undefined;
  return async (...args) => {
    const { execa } = await import('execa');
    const said = await execa(git.file, [...QUIET, '--no-pager', ...args], {
      cwd: root,
      extendEnv: false,
      env: {
        PATH: git.PATH,
        ...(env.HOME && { HOME: env.HOME }),
        ...buildGitIndexEnv(root, env),
        ...ENVIRONMENT,
        ...toGitEnvironment(settings),
      },
      reject: false,
      timeout: longestMs,
      stdin: 'ignore',
    });
    const { failed, exitCode, stdout } = said;
    const why = said.timedOut ? describeTimeout(longestMs) : said.stderr || said.shortMessage || '';
    return { failed, exitCode, stdout, why };
  };
}

const describeTimeout = (limit: number): string =>
  `git gave no answer in ${limit / 1000} s; a file that it reads (.gitattributes, or what include.path in its settings names) may be a FIFO`;

/** `-c` splits at the first `=`, so a name containing `=` would not be overridden. */
const toGitEnvironment = (settings: readonly [key: string, value: string][]): NodeJS.ProcessEnv =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]) as NodeJS.ProcessEnv;

/** Git gives its hooks the index to be committed, relative to the top of the work tree. */
const buildGitIndexEnv = (root: string, { GIT_INDEX_FILE: index }: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  index ? { GIT_INDEX_FILE: resolve(findWorkTree(root)?.top ?? root, index) } : {};

/**
 * Finds the first path that git would read for `folders` of `root` and that is no regular file: a
 * FIFO would block it forever. Undefined if all are files or missing. Throws `io`.
 */
export function findIrregularGitFile(root: string, folders: string[]): CouncilError | undefined {
  const tree = findWorkTree(root);
  if (!tree) return undefined;
  const repository = [
    'config',
    'config.worktree',
    'commondir',
    'HEAD',
    'index',
    'info/exclude',
    'info/attributes',
  ];
  const paths = [
    ...(tree.isFolder ? repository.map((name) => join('.git', name)) : ['.git']).map((name) =>
      join(tree.top, name),
    ),
    join(tree.top, '.gitattributes'),
    join(root, '.gitattributes'),
    ...folders.flatMap((folder) => listIgnoreFiles(tree.top, join(root, folder))),
  ];
  for (const path of new Set(paths)) {
    try {
      readStart(path, 1);
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      if (error.code === 'not_a_file') return error;
      // git cannot read it either, and reports that at once.
      if (error.code !== 'io') throw error;
    }
  }
  return undefined;
}

/** Lists the `.gitignore` of a folder and its parents, up to the top of the work tree. */
function listIgnoreFiles(top: string, folder: string): string[] {
  const here = join(folder, '.gitignore');
  return folder === top || dirname(folder) === folder
    ? [here]
    : [...listIgnoreFiles(top, dirname(folder)), here];
}

/** Programs that convert files: git's filters, and git-lfs extensions. */
const CONVERTING = '^(filter|lfs\\.extension)\\..*\\.(clean|smudge|process)$';

/** What to do if that fails. */
export const CANNOT_SWITCH_OFF = 'Look at .git/config, or update git (2.31 or later).';

/**
 * Disables the filters that the repository defines, since their programs are not trusted, and verifies it
 * with git. Resolves to the reason if that fails.
 */
export async function disableFilters(
  git: GitRunner,
  call: (off: [key: string, value: string][]) => GitRunner | undefined,
): Promise<GitRunner | string> {
  const listed = await git('config', '-z', '--show-scope', '--name-only', '--get-regexp', CONVERTING);
  // It exits with 1 if there are none.
  if (listed.failed && listed.exitCode !== 1) return describeFilterProblem(listed.why);
  const parts = listed.stdout.split('\0');
  const keys = new Set(
    parts.filter((_, at) => at % 2 === 1 && !['global', 'system'].includes(parts[at - 1] ?? '')),
  );
  const off = [...keys].flatMap((key): [string, string][] => [
    [key, ''],
    [key.replace(/\.\w+$/, '.required'), 'false'],
  ]);
  const quiet = call(off);
  const now = await quiet?.('config', '-z', '--get-regexp', CONVERTING);
  if (!quiet || !now || (now.failed && now.exitCode !== 1))
    return describeFilterProblem(now?.why ?? 'no git');
  const values = new Map(
    now.stdout.split('\0').map((entry): [string, string] => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
  const left = [...keys].filter((key) => values.get(key) !== '');
  return left.length > 0 ? describeFilterProblem(left.map((key) => JSON.stringify(key)).join(', ')) : quiet;
}

const describeFilterProblem = (why: string): string =>
  `the programs that the repository's settings convert files with cannot be switched off: ${why.trim()}`;
