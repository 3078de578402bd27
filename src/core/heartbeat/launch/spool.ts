// The private spool of a launch (process group, output, exit), and the log of its program's full output.
import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely, tryParseJson, toUnknownRecord } from '../../base/text.ts';
import { formatExitName, formatSpoolName } from '../../council/use/read-spools.ts';
import type { LaunchExit } from '../../council/use/read-spools.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { PrivateTexts } from '../../store/small-files.ts';
import { NO_RESULT, createNotLaunchedResult, getRunnerId } from './result.ts';
import type { LaunchResult, Launch } from './result.ts';
import { CouncilError } from '../../base/errors.ts';
import { memoizePerOwner } from '../../base/memoize.ts';
import type { PhaseName } from '../../council/state/allowed-values.ts';

/**
 * The private spool of one launch: its process group, output and exit. If a tick dies between the program's end
 * and the commit, nothing is lost: the next one records the complete spool instead of launching again.
 */
export interface Spool {
  group(): Promise<ProcessIdentity | undefined>;
  writeGroup(leader: ProcessIdentity): Promise<void>;
  /** Returns how the launch ended; undefined for an incomplete spool. */
  read(): Promise<LaunchResult | undefined>;
  write(result: LaunchResult): Promise<void>;
  /** Records, while this process is exiting, that the launch brought no result, unless the spool is complete. */
  noteInterruption(): void;
}

/** `part` is 1 for the answer itself, and increases each time its agent is asked again. */
export function createSpool(
  files: Pick<PrivateTexts, 'read' | 'write'>,
  conversationId: string,
  leaseId: string,
  part = 1,
): Spool {
  const name = (what: string) => `${formatSpoolName(leaseId, part)}-${what}`;
  const readJson = async (file: string): Promise<unknown> => {
    const bytes = await files.read(conversationId, file);
    return bytes && parseJsonSafely(Buffer.from(bytes).toString('utf8'));
  };
  return {
    group: async () => (await readJson(name('group.json'))) as ProcessIdentity | undefined,
    // A power cut ends the group as well, so only a crash of this process matters.
    async writeGroup(leader) {
      const bytes = Buffer.from(JSON.stringify(leader));
      await files.write(conversationId, name('group.json'), bytes, { durable: false });
    },
    async read() {
      const exit = (await readJson(formatExitName(leaseId, part))) as LaunchExit | undefined;
      const bytes = exit && (await files.read(conversationId, name('output')));
      const isWhole = bytes && (exit.sha256 === undefined || sha256(bytes) === exit.sha256);
      return isWhole ? fromExit(exit, bytes) : undefined;
    },
    async write(result) {
      await files.write(conversationId, name('output'), result.output, { durable: false });
      // Written last: a spool with this file is complete.
      await files.write(
        conversationId,
        formatExitName(leaseId, part),
        Buffer.from(JSON.stringify(asExit(result))),
      );
    },
    noteInterruption() {
      const result = createNotLaunchedResult('cancelled', 'interrupted');
      const exit = Buffer.from(JSON.stringify(asExit(result)));
      // Nothing waits for these writes. If one fails, the lease counts as a launch that did not survive.
      files.write(conversationId, name('output'), result.output, { durable: false }).catch(() => undefined);
      files.write(conversationId, formatExitName(leaseId, part), exit).catch(() => undefined);
    },
  };
}

/** Returns the contents of the exit file, which does not include the output. */
const asExit = ({ output, durationMs, stderrTail, record, ...told }: LaunchResult): LaunchExit => ({
  ok: told.ok,
  reason: told.reason,
  ms: durationMs,
  brief: told.safeReason,
  failure: told.failure,
  retryAfterMs: told.retryAfterMs,
  stderr: stderrTail,
  ...(record && { usage: record }),
  sha256: sha256(output),
});

function fromExit(exit: LaunchExit, bytes: Uint8Array): LaunchResult {
  const { ok, ms, failure, reason, brief, retryAfterMs, stderr, usage } = exit;
  return {
    ...NO_RESULT,
    ok,
    output: Buffer.from(bytes),
    cancelled: failure === 'cancelled',
    durationMs: ms,
    // Older versions wrote neither class nor kind.
    ...(!ok && {
      failure: failure ?? 'failed',
      reason: reason ?? 'it failed',
      safeReason: brief ?? 'it failed',
    }),
    retryAfterMs: retryAfterMs ?? null,
    usage: usage ?? null,
    stderrTail: stderr ?? '',
    record: usage ?? null,
  };
}

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
const KEPT = 20;

const BEGINNING = 'log-';
const formatLogPrefix = (participant: string): string => `${BEGINNING}${participant}.`;

/** A council's log names by participant, oldest first. */
type Names = Map<string, string[]>;

/**
 * Listing a large council's folder at each launch would cost more than the launch. Once is enough: later files
 * are this process's own, and those of other processes are cleaned up by the next one that lists.
 */
const listed = memoizePerOwner<Promise<Names>>(100);

const listOnce = (files: Pick<PrivateTexts, 'list'>, conversationId: string): Promise<Names> =>
  listed(files, conversationId, async () => {
    // If the folder cannot be listed, there is no cleanup.
    const all = await files.list(conversationId).catch((): string[] => []);
    const names = all.filter((name) => name.startsWith(BEGINNING)).sort();
    return Map.groupBy(names, (name) => name.slice(BEGINNING.length, name.indexOf('.')));
  });

/** Stores a launch's output; keeps only a participant's last few. Ignores failures: they must not cost a turn. */
export async function keepLog(files: PrivateTexts, launch: Launch, result: LaunchResult): Promise<void> {
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
    const names = await listOnce(files, conversationId);
    await files.write(conversationId, name, Buffer.from(JSON.stringify(logged)), { durable: false });
    const known = names.get(participant) ?? [];
    known.push(name);
    names.set(participant, known);
    for (const old of known.splice(0, known.length - KEPT)) await files.remove(conversationId, old);
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
    // It is no JSON where a power cut has truncated it.
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
