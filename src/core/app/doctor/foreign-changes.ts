// Doctor: outside changes to council's files: conflict copies, git, and altered archives.
import { examineArchives, listArchives } from '../../archive/read.ts';
import { quoteShellWord, formatCount, toOneLine } from '../../base/text.ts';
import type { Archives } from '../../store/archives.ts';
import type { UnusedCopy } from '../../store/census.ts';
import { GIT_IGNORES } from '../../store/local/git.ts';
import { toAsideDocument, tellOfAside } from '../conflict-answers.ts';
import type { AsideCouncil } from '../conflict-answers.ts';
import { createFindingReporter, createCopyFinding, formatFirstFew } from './finding.ts';
import type { Finding } from './finding.ts';
import { createGitRunner, findIrregularGitFile } from '../git-calls.ts';

/**
 * Reports answers in conflict copies, then copies without answers or unreadable ones. `others` are copies of
 * files other than councils.
 */
export function checkAsideAnswers(councils: AsideCouncil[], others: UnusedCopy[]): Finding[] {
  const { warning } = createFindingReporter('store');
  return [
    ...councils.flatMap(({ name, isOver, answers }) =>
      answers.map((one) => {
        const fix = `council adopt --name ${name} --file ${quoteShellWord(one.path)}`;
        return warning(tellOfAside(name, toAsideDocument(one), isOver), isOver ? undefined : fix);
      }),
    ),
    // Until its answers are adopted, other copies with the same content are not reported.
    ...listUnansweredCopies(councils).map(([copy, isWhole]) => toConflictCopyFinding(copy, isWhole)),
    ...others.map((copy) => toConflictCopyFinding(copy, false)),
  ];
}

/** One folder may be a copy of the histories of many councils. */
function listUnansweredCopies(councils: AsideCouncil[]): [UnusedCopy, boolean][] {
  const told = councils.flatMap(({ branches, answers }) =>
    branches.copies.map((copy) => {
      const isWhole = branches.whole.includes(copy.path);
      return { copy, isWhole, isOffered: isWhole && answers.length > 0 };
    }),
  );
  return [...Map.groupBy(told, ({ copy }) => copy.path).values()].flatMap((same) =>
    same.some(({ isOffered }) => isOffered)
      ? []
      : [[same[0]!.copy, same.every(({ isWhole }) => isWhole)] as [UnusedCopy, boolean]],
  );
}

function toConflictCopyFinding({ path, of, isFolder }: UnusedCopy, isKnown: boolean): Finding {
  const [compare, remove] = isFolder ? ['diff -r', 'rm -r'] : ['diff', 'rm'];
  return createFindingReporter('store').warning(
    isKnown
      ? `${path} is a copy of ${of}, and every answer in it stands in the council as well.`
      : `${path} is a copy of ${of}, and council does not look at what it says.`,
    isKnown
      ? `${remove} ${quoteShellWord(path)}`
      : `${compare} ${quoteShellWord(of)} ${quoteShellWord(path)}, then: ${remove} ${quoteShellWord(path)}`,
  );
}

const BACK = 'Take the file back from your version control or a backup';

export async function archiveFindings(files: Archives): Promise<Finding[]> {
  const { ok, warning, error } = createFindingReporter('archives');
  const [{ sound, unreadable, altered }, { copies }] = [
    await examineArchives(files),
    await listArchives(files),
  ];
  const findings = [
    ...unreadable.map(({ message, hint }) => error(message, hint ?? BACK)),
    ...altered.map(({ path, what }) =>
      warning(`${path} is not what was recorded: ${formatFirstFew(what)}.`, BACK),
    ),
    ...copies.map((copy) => createCopyFinding('archives', copy)),
  ];
  return findings.length > 0 || sound === 0
    ? findings
    : [ok(`${sound} archive(s), all as they were recorded`)];
}

/** What git reports about the folders that only council may change; a text if it fails, undefined without git. */
type GitFacts = { tracked: string[]; seen: string[] } | { untold: string; fix?: string } | undefined;

const NO_REPOSITORY = /not a git repository/i;

/** Asks git, if installed, what it tracks or would add of the project in `root`. */
export async function readGitFacts(root: string, env: NodeJS.ProcessEnv): Promise<GitFacts> {
  const ask = createGitRunner(root, env);
  if (!ask) return undefined;
  const odd = findIrregularGitFile(root, GIT_IGNORES);
  if (odd) return { untold: odd.message, fix: odd.hint ?? 'ls -l' };
  const listed = await ask('ls-files', '-z', '--', ...GIT_IGNORES);
  if (listed.failed) return { untold: listed.why };
  // It lists ignored paths, and exits with 1 if there are none.
  const inside = GIT_IGNORES.map((folder) => `${folder}x`);
  const ignored = await ask('check-ignore', '--', ...inside);
  if (ignored.failed && ignored.exitCode !== 1) return { untold: ignored.why };
  const names = new Set(ignored.stdout.split('\n'));
  return {
    tracked: listed.stdout.split('\0').filter((name) => name !== ''),
    seen: GIT_IGNORES.filter((_, at) => !names.has(inside[at]!)),
  };
}

/** Checks that git ignores what only council may change. */
export function checkGit(facts: GitFacts): Finding[] {
  const { ok, warning } = createFindingReporter('git');
  if (facts === undefined) return [ok('git is not installed')];
  if ('untold' in facts)
    return [
      NO_REPOSITORY.test(facts.untold)
        ? ok('not in a git repository')
        : warning(
            `git does not say which files it tracks: ${toOneLine(facts.untold, 300)}`,
            facts.fix ?? 'git status',
          ),
    ];
  const { tracked, seen } = facts;
  const findings: Finding[] = [];
  if (tracked.length > 0)
    findings.push(
      warning(
        `git tracks ${formatCount(tracked.length, 'file')} that only council may change: ${formatFirstFew(tracked)}. A checkout would bring old ones back.`,
        `git rm -r -q --cached ${listTrackedFolders(tracked).map(quoteShellWord).join(' ')}`,
      ),
    );
  if (seen.length > 0)
    findings.push(
      warning(`git does not ignore ${seen.join(', ')}.`, 'council init (adds the lines to .gitignore)'),
    );
  return findings.length > 0 ? findings : [ok('git ignores what only council may change')];
}

const listTrackedFolders = (tracked: string[]): string[] =>
  GIT_IGNORES.filter((folder) => tracked.some((name) => name.startsWith(folder)));
