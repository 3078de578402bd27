// Leaves lock files, generated and vendored files, council's own and those in `.councilignore` out of a change.

import ignore from 'ignore';
import type { GitRunner } from '../core/app/git-calls.ts';
import type { Change, DiffFile } from './change.ts';
import type { LeftOut } from './report.ts';
import { runAtBase } from './repository.ts';
import type { GuardedRepository } from './repository.ts';
import { join } from 'node:path';
import { parseAgent } from '../core/agents/agent.ts';
import { renderAgent } from '../core/agents/render-agent.ts';
import { PROGRAMS } from '../core/agents/runners/detect-programs.ts';
import { CouncilError } from '../core/base/errors.ts';
import { GIT_LINES } from '../core/store/local/git.ts';
import { renderCouncilTemplate, readMarkdownFiles, findPackageDir } from '../core/store/local/project.ts';

/** Left out by name, unless the attributes in the base commit say otherwise. */
const NAMES: { pattern: RegExp; reason: LeftOut['reason'] }[] = [
  {
    pattern: /(?:^|\/)(?:[^/]*[.-]lock(?:b|\.json|\.ya?ml)?|npm-shrinkwrap\.json|go\.sum)$/i,
    reason: 'lock',
  },
  { pattern: /(?:^|\/)(?:node_modules|vendor|third_party)\//, reason: 'vendored' },
  { pattern: /(?:^|\/)(?:memory\/shared|conseils)\//, reason: 'own' },
];

const ATTRIBUTES = { 'linguist-generated': 'generated', 'linguist-vendored': 'vendored' } as const;
const AT_ONCE = 400;

/**
 * Returns the change without these files, and lists each with its reason. The rules come from the base
 * commit, so that a change cannot hide itself.
 */
export async function leaveOutUnwritten(
  repository: GuardedRepository | undefined,
  change: Change,
): Promise<Change> {
  const { base, files } = change;
  const paths = files.map(({ path }) => path);
  const attributes =
    repository && base !== null
      ? await readAttributes(repository, base, paths)
      : new Map<string, AttributeReason>();
  const ignored = repository && base !== null ? await readIgnored(repository.git, base) : () => false;
  const own = new Set(files.filter(isWrittenByCouncil).map(({ path }) => path));
  const explain = (path: string): LeftOut['reason'] | undefined => {
    if (ignored(path)) return 'ignored';
    const said = attributes.get(path);
    if (said === undefined && own.has(path)) return 'own';
    return said === KEPT_ANYWAY
      ? undefined
      : (said ?? NAMES.find(({ pattern }) => pattern.test(path))?.reason);
  };
  const written = files.filter(({ path }) => explain(path) === undefined);
  const leftOut = files.flatMap(({ path }): LeftOut[] => {
    const reason = explain(path);
    return reason === undefined ? [] : [{ path, reason }];
  });
  return {
    ...change,
    files: written.map(cutLongLines),
    leftOut: foldFolders([
      ...change.leftOut,
      ...leftOut,
      ...written.filter(hasLongLine).map(({ path }): LeftOut => ({ path, reason: 'long' })),
    ]),
  };
}

/** Maximum characters of a line shown to reviewers: longer ones were hardly written by hand, and would not fit. */
const LONGEST_LINE = 20_000;

const hasLongLine = ({ hunks }: DiffFile): boolean =>
  hunks.some(({ lines }) => lines.some(({ text }) => text.length > LONGEST_LINE));

const cutLongLines = (file: DiffFile): DiffFile =>
  hasLongLine(file)
    ? {
        ...file,
        hunks: file.hunks.map((hunk) => ({
          ...hunk,
          lines: hunk.lines.map((line) => ({
            ...line,
            text: line.text.slice(0, LONGEST_LINE).toWellFormed(),
          })),
        })),
      }
    : file;

/** Above this number, left out files are listed by folder. */
const MOST_NAMES = 100;

function foldFolders(leftOut: LeftOut[]): LeftOut[] {
  if (leftOut.length <= MOST_NAMES) return leftOut;
  const folders = Map.groupBy(
    leftOut,
    ({ path, reason }) => `${reason} ${path.split('/').slice(0, -1)[0] ?? path}`,
  );
  return [...folders.values()].map((all) =>
    all.length === 1
      ? all[0]!
      : { path: `${all[0]!.path.split('/')[0]}/`, reason: all[0]!.reason, files: all.length },
  );
}

/** For an attribute such as `-linguist-generated`: the file is kept even if its name would be left out. */
const KEPT_ANYWAY = '';
type AttributeReason = LeftOut['reason'] | typeof KEPT_ANYWAY;

/** Returns by path why the attributes in the base commit leave a file out, or `KEPT`. */
const readAttributes = (
  repository: GuardedRepository,
  base: string,
  paths: readonly string[],
): Promise<Map<string, AttributeReason>> =>
  runAtBase(repository, base, async (git) => {
    const found = new Map<string, AttributeReason>();
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const names = paths.slice(from, from + AT_ONCE);
      const said = await git('check-attr', '--cached', '-z', ...Object.keys(ATTRIBUTES), '--', ...names);
      const fields = said.stdout.split('\0');
      for (let at = 0; at + 2 < fields.length; at += 3) {
        const [path, name, value] = fields.slice(at, at + 3) as [string, keyof typeof ATTRIBUTES, string];
        if (value === 'set' || value === 'true') found.set(path, ATTRIBUTES[name]);
        else if ((value === 'unset' || value === 'false') && !found.has(path)) found.set(path, KEPT_ANYWAY);
      }
    }
    return found;
  });

async function readIgnored(git: GitRunner, base: string): Promise<(path: string) => boolean> {
  const said = await git('cat-file', 'blob', `${base}:.councilignore`);
  if (said.failed) return () => false;
  const rules = ignore().add(said.stdout);
  return (path) => rules.ignores(path);
}

/**
 * Returns whether council wrote all new lines of a file. A file with even one other line belongs to the user.
 */
function isWrittenByCouncil({ path, change, hunks }: DiffFile): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter(({ mark }) => mark !== ' ');
  if (lines.some(({ mark }) => mark === '-')) return false;
  const [name = '', folder] = path.split('/').toReversed();
  if (Object.hasOwn(GIT_LINES, name)) return lines.every(({ text }) => GIT_LINES[name]!.includes(text));
  if (change !== 'added') return false;
  const text = lines.map((line) => `${line.text}\n`).join('');
  if (name === 'COUNCIL.md')
    return [undefined, 'en', 'fr'].some((lang) => renderCouncilTemplate(lang) === text);
  return folder === 'agents' && name.endsWith('.md') && isSeatOfProgram(text, path);
}

/** Returns whether an agent's file only sets a program, a model and one of council's personas. */
function isSeatOfProgram(text: string, path: string): boolean {
  try {
    const { id, title, emoji, description, model, runner, seat, persona } = parseAgent(text, path, 'project');
    const bare = {
      id,
      title,
      emoji,
      description,
      model,
      runner,
      persona,
      ...(seat !== undefined && { seat }),
    };
    return (
      PROGRAMS.some(({ preset }) => preset === runner) &&
      (persona === '' || listOwnPersonas().some((own) => own.trimEnd().endsWith(persona))) &&
      renderAgent(bare) === text
    );
  } catch (error) {
    if (error instanceof CouncilError) return false;
    throw error;
  }
}

const listOwnPersonas = (): string[] =>
  readMarkdownFiles(join(findPackageDir(), 'templates', 'personas')).map((file) => file.text ?? '');
