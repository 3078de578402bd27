// Switches off the programs with which the settings of a repository convert files.
import type { Git } from './git-calls.ts';

/** Programs that convert files: git's own name for it, and what git-lfs adds to it. */
const CONVERTING = '^(filter|lfs\\.extension)\\..*\\.(clean|smudge|process)$';

/** What helps where that fails. */
export const CANNOT_SWITCH_OFF = 'Look at .git/config, or update git (2.31 or later).';

/**
 * Turns off the filters that the repository defines, since their programs are not trusted, and asks
 * git whether it still sees any. Resolves to the reason if that fails.
 */
export async function withoutFilters(
  git: Git,
  call: (off: [key: string, value: string][]) => Git | undefined,
): Promise<Git | string> {
  const listed = await git('config', '-z', '--show-scope', '--name-only', '--get-regexp', CONVERTING);
  // It ends with 1 where there is none.
  if (listed.failed && listed.exitCode !== 1) return because(listed.why);
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
  if (!quiet || !now || (now.failed && now.exitCode !== 1)) return because(now?.why ?? 'no git');
  const values = new Map(
    now.stdout.split('\0').map((entry): [string, string] => {
      const end = entry.indexOf('\n');
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
  const left = [...keys].filter((key) => values.get(key) !== '');
  return left.length > 0 ? because(left.map((key) => JSON.stringify(key)).join(', ')) : quiet;
}

const because = (why: string): string =>
  `the programs that the repository's settings convert files with cannot be switched off: ${why.trim()}`;
