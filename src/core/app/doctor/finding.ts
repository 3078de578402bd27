// Findings of the doctor: the type, and helpers to create and guard them.
import { isStoreAway } from '../../store/availability.ts';
import { CouncilError } from '../../base/errors.ts';
import { quoteShellWord } from '../../base/text.ts';
import type { UnusedCopy } from '../../store/census.ts';

/** The checks of the doctor, in the order of the report. */
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

/** One finding of the doctor. */
export interface Finding {
  /** An error breaks councils or exposes secrets; a warning can lead to that. */
  level: 'ok' | 'warning' | 'error';
  check: Check;
  /** What was found, and where. */
  message: string;
  /** The command that fixes it; null if there is nothing to fix. */
  fix: string | null;
}

export const createCopyFinding = (check: Check, { path, of }: UnusedCopy): Finding =>
  createFindingReporter(check).warning(
    `${path} is a copy of ${of} and is not used.`,
    `diff ${quoteShellWord(of)} ${quoteShellWord(path)}, then: mv ${quoteShellWord(path)} ${quoteShellWord(of)} (takes the copy over), or: rm ${quoteShellWord(path)}`,
  );

type CreateFinding = (message: string, fix?: string) => Finding;

/** Creates findings of one check, by level; `fix` is the command that helps. */
export function createFindingReporter(check: Check): {
  ok: (message: string) => Finding;
  warning: CreateFinding;
  error: CreateFinding;
} {
  const say =
    (level: Finding['level']): CreateFinding =>
    (message, fix) => ({ level, check, message, fix: fix ?? null });
  return { ok: say('ok'), warning: say('warning'), error: say('error') };
}

/**
 * Runs a check; if it cannot run, that is an error, and other checks go on. `fix` is used if the error has no
 * hint. Rethrows `store_away`, and anything that is no CouncilError.
 */
export async function runGuardedCheck(
  check: Check,
  look: () => Finding[] | Promise<Finding[]>,
  fix = 'council help doctor',
): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    // Every further check would wait for the store as well.
    if (!(error instanceof CouncilError) || isStoreAway(error)) throw error;
    return [createFindingReporter(check).error(error.message, error.hint ?? fix)];
  }
}

/** Formats the first few of many, for people. */
export function formatFirstFew(items: string[], most = 3): string {
  const rest = items.length - most;
  return `${items.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
