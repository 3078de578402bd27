// Findings of the doctor: the type, and helpers to make and guard them.
import { isStoreAway } from '../../store/trouble.ts';
import { CouncilError } from '../../base/errors.ts';
import { shellWord } from '../../base/text.ts';
import type { Copy } from '../../store/census.ts';

/** What the doctor looked at, in the order of the report. */
export type Check =
  | 'node'
  | 'templates'
  | 'project'
  | 'config'
  | 'agents'
  | 'trust'
  | 'modes'
  | 'file-system'
  | 'git'
  | 'store'
  | 'database'
  | 'archives'
  | 'private'
  | 'messages'
  | 'programs'
  | 'probe'
  | 'schedule'
  | 'heartbeats';

/** One thing the doctor has to say. */
export interface Finding {
  /** An error keeps councils from working, or their secrets from being kept; a warning may. */
  level: 'ok' | 'warning' | 'error';
  check: Check;
  /** What is the case, and where. */
  message: string;
  /** The command that mends it; null where there is nothing to mend. */
  fix: string | null;
}

/** A file that is not used, because another one stands for the same. */
export const copyFinding = (check: Check, { path, of }: Copy): Finding =>
  about(check).warning(
    `${path} is a copy of ${of} and is not used.`,
    `diff ${shellWord(of)} ${shellWord(path)}, then: mv ${shellWord(path)} ${shellWord(of)} (takes the copy over), or: rm ${shellWord(path)}`,
  );

type Say = (message: string, fix?: string) => Finding;

/** Makes the findings of one check, by their level; `fix` is the command that helps. */
export function about(check: Check): { ok: (message: string) => Finding; warning: Say; error: Say } {
  const say =
    (level: Finding['level']): Say =>
    (message, fix) => ({ level, check, message, fix: fix ?? null });
  return { ok: say('ok'), warning: say('warning'), error: say('error') };
}

/** The findings of a check; one that cannot look says so as an error, and the others go on. `fix` where the error names none. */
export async function runGuardedCheck(
  check: Check,
  look: () => Finding[] | Promise<Finding[]>,
  fix = 'council help doctor',
): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    // Every further look would wait for the store as well.
    if (!(error instanceof CouncilError) || isStoreAway(error)) throw error;
    return [about(check).error(error.message, error.hint ?? fix)];
  }
}

/** The first few of many, for a line that people read. */
export function some(items: string[], most = 3): string {
  const rest = items.length - most;
  return `${items.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
