// Doctor: does git ignore the files that only council may change?
import { shellWord } from '../../base/shell.ts';
import { formatCount, oneLine } from '../../base/text.ts';
import { GIT_IGNORES } from '../../store/local/git-lines.ts';
import { about, some } from './finding.ts';
import type { Finding } from './finding.ts';
import { createGitRunner, notForGit } from './git-calls.ts';

/** What git says of the folders that only council may change; a text where it cannot tell, undefined without git. */
type GitFacts = { tracked: string[]; seen: string[] } | { untold: string; fix?: string } | undefined;

const NO_REPOSITORY = /not a git repository/i;

/** Asks git, if it is there, what it tracks or would take of the project in `root`. */
export async function gitFacts(root: string, env: NodeJS.ProcessEnv): Promise<GitFacts> {
  const ask = createGitRunner(root, env);
  if (!ask) return undefined;
  const odd = notForGit(root, GIT_IGNORES);
  if (odd) return { untold: odd.message, fix: odd.hint ?? 'ls -l' };
  const listed = await ask('ls-files', '-z', '--', ...GIT_IGNORES);
  if (listed.failed) return { untold: listed.why };
  // It names those that it ignores, and ends with 1 where there is none.
  const inside = GIT_IGNORES.map((folder) => `${folder}x`);
  const ignored = await ask('check-ignore', '--', ...inside);
  if (ignored.failed && ignored.exitCode !== 1) return { untold: ignored.why };
  const names = new Set(ignored.stdout.split('\n'));
  return {
    tracked: listed.stdout.split('\0').filter((name) => name !== ''),
    seen: GIT_IGNORES.filter((_, at) => !names.has(inside[at]!)),
  };
}

/** Does git leave alone what only council may change? */
export function gitFindings(facts: GitFacts): Finding[] {
  const { ok, warning } = about('git');
  if (facts === undefined) return [ok('git is not installed')];
  if ('untold' in facts)
    return [
      NO_REPOSITORY.test(facts.untold)
        ? ok('not in a git repository')
        : warning(
            `git does not say which files it tracks: ${oneLine(facts.untold, 300)}`,
            facts.fix ?? 'git status',
          ),
    ];
  const { tracked, seen } = facts;
  const findings: Finding[] = [];
  if (tracked.length > 0)
    findings.push(
      warning(
        `git tracks ${formatCount(tracked.length, 'file')} that only council may change: ${some(tracked)}. A checkout would bring old ones back.`,
        `git rm -r -q --cached ${listTrackedFolders(tracked).map(shellWord).join(' ')}`,
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
