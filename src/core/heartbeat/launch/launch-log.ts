// The private log of launches: what a program printed in full, for `council logs`.
import { CouncilError } from '../../base/errors.ts';
import { createOwnerCache } from '../../base/memoize.ts';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import type { PhaseName } from '../../council/state/allowed-values.ts';
import type { PrivateTexts } from '../../store/small-files.ts';
import { getRunnerId } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';

/** One launch with its program's full output. */
export interface LoggedLaunch {
  participant: string;
  /** The agent whose file was launched: the lender's if the runner is borrowed. */
  agent: string;
  phase: PhaseName;
  tour: number;
  attempt: number;
  /** When it ended, ISO 8601 UTC. */
  at: string;
  /** Milliseconds from start to end. */
  ms: number;
  ok: boolean;
  /** Ended by a person or by council: not a failure. */
  cancelled?: true;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Why it failed; null if it did not. */
  reason: string | null;
  stdout: string;
  stderr: string;
}

/** Number of launches stored per participant of a council. */
const MAX_LOGS = 20;

const LOG_PREFIX = 'log-';
const formatLogPrefix = (participant: string): string => `${LOG_PREFIX}${participant}.`;

/** A council's log names by participant, oldest first. */
type LogNames = Map<string, string[]>;

/**
 * Listing a large council's folder at each launch would cost more than the launch. Once is enough: later files
 * are this process's own and added here, and those of other processes are cleaned up by the next one that lists.
 */
const logNameCache = createOwnerCache<Promise<LogNames>>(100);

const listLogNamesOnce = (files: Pick<PrivateTexts, 'list'>, conversationId: string): Promise<LogNames> =>
  logNameCache(files, conversationId, async () => {
    // If the folder cannot be listed, there is no cleanup.
    const all = await files.list(conversationId).catch((): string[] => []);
    const names = all.filter((name) => name.startsWith(LOG_PREFIX)).sort();
    return Map.groupBy(names, (name) => name.slice(LOG_PREFIX.length, name.indexOf('.')));
  });

/** Stores a launch's output; keeps only a participant's last few. Ignores failures: they must not cost a turn. */
export async function storeLog(files: PrivateTexts, launch: Launch, result: LaunchResult): Promise<void> {
  const { state, participant, lease } = launch;
  const { renderPrinted, record } = result;
  if (!renderPrinted || !record) return;
  const { ok, exitCode, signal, timedOut, reason, durationMs: ms } = result;
  const { phase, tour, at } = record;
  const logged: LoggedLaunch = {
    participant,
    agent: getRunnerId(launch),
    phase,
    tour,
    attempt: lease.attempt,
    at,
    ms,
    ok,
    ...(record.cancelled && { cancelled: true }),
    exitCode,
    signal,
    timedOut,
    reason,
    ...renderPrinted(),
  };
  const { conversationId } = state;
  // Sorts by name, so that the oldest are removed first.
  const name = `${formatLogPrefix(participant)}${String(Date.parse(at)).padStart(15, '0')}`;
  try {
    const names = await listLogNamesOnce(files, conversationId);
    await files.write(conversationId, name, Buffer.from(JSON.stringify(logged)), { durable: false });
    const all = [...(names.get(participant) ?? []), name];
    names.set(participant, all.slice(-MAX_LOGS));
    for (const old of all.slice(0, -MAX_LOGS)) await files.remove(conversationId, old);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
  }
}

/** Returns the stored launches of a participant on this machine, oldest first. */
export async function readLogs(
  files: Pick<PrivateTexts, 'read' | 'list'>,
  conversationId: string,
  participant: string,
): Promise<LoggedLaunch[]> {
  const names = await listLogNames(files, conversationId, participant);
  const texts = await Promise.all(names.map((name) => files.read(conversationId, name)));
  return texts.flatMap((bytes) => {
    if (!bytes) return [];
    // A power cut can leave a truncated file that is not JSON.
    const logged = tryParseJson(Buffer.from(bytes).toString('utf8'));
    return isLogged(logged) ? [logged] : [];
  });
}

/** A file with this name but other contents is not ours. */
function isLogged(value: unknown): value is LoggedLaunch {
  const keys = toUnknownRecord(value);
  return (
    ['stdout', 'stderr', 'agent', 'phase', 'at'].every((key) => typeof keys[key] === 'string') &&
    ['tour', 'attempt', 'ms'].every((key) => typeof keys[key] === 'number')
  );
}

const listLogNames = async (
  files: Pick<PrivateTexts, 'list'>,
  conversationId: string,
  participant: string,
): Promise<string[]> =>
  (await files.list(conversationId)).filter((name) => name.startsWith(formatLogPrefix(participant))).sort();
