// The private spool of a launch: process group, output and exit.
import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely } from '../../base/text.ts';
import { exitName, spoolName } from '../../council/use/read-spools.ts';
import type { Exit } from '../../council/use/read-spools.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { PrivateTexts } from '../../store/private-texts.ts';
import { NO_RESULT, notLaunched } from './result.ts';
import type { LaunchResult } from './result.ts';

/**
 * The private spool of one launch: who the process group is, what it printed, how it ended. A tick that dies between
 * the program's end and the commit loses nothing: the next one records the complete spool instead of launching again.
 */
export interface Spool {
  group(): Promise<ProcessIdentity | undefined>;
  writeGroup(leader: ProcessIdentity): Promise<void>;
  /** How the launch ended; undefined for a spool that is not complete. */
  read(): Promise<LaunchResult | undefined>;
  write(result: LaunchResult): Promise<void>;
  /** Records, while this process is ending, that the launch brought no result. A spool that is complete stays as it is. */
  noteInterruption(): void;
}

/** `part` is 1 for the answer itself, and goes up each time its agent is asked once more. */
export function createSpool(
  files: Pick<PrivateTexts, 'read' | 'write'>,
  conversationId: string,
  leaseId: string,
  part = 1,
): Spool {
  const name = (what: string) => `${spoolName(leaseId, part)}-${what}`;
  const readJson = async (file: string): Promise<unknown> => {
    const bytes = await files.read(conversationId, file);
    return bytes && parseJsonSafely(Buffer.from(bytes).toString('utf8'));
  };
  return {
    group: async () => (await readJson(name('group.json'))) as ProcessIdentity | undefined,
    // A power cut ends the group as well: only a death of this process matters.
    async writeGroup(leader) {
      const bytes = Buffer.from(JSON.stringify(leader));
      await files.write(conversationId, name('group.json'), bytes, { durable: false });
    },
    async read() {
      const exit = (await readJson(exitName(leaseId, part))) as Exit | undefined;
      const bytes = exit && (await files.read(conversationId, name('output')));
      const isWhole = bytes && (exit.sha256 === undefined || sha256(bytes) === exit.sha256);
      return isWhole ? fromExit(exit, bytes) : undefined;
    },
    async write(result) {
      await files.write(conversationId, name('output'), result.output, { durable: false });
      // Written last: a spool with this file is complete.
      await files.write(conversationId, exitName(leaseId, part), Buffer.from(JSON.stringify(asExit(result))));
    },
    noteInterruption() {
      const result = notLaunched('cancelled', 'interrupted');
      const exit = Buffer.from(JSON.stringify(asExit(result)));
      // Nothing waits for these writes. If one fails, the lease counts as a launch that did not
      // survive.
      files.write(conversationId, name('output'), result.output, { durable: false }).catch(() => undefined);
      files.write(conversationId, exitName(leaseId, part), exit).catch(() => undefined);
    },
  };
}

/** What lies in the file, beside what the program printed. */
const asExit = ({ output, durationMs, stderrTail, record, ...told }: LaunchResult): Exit => ({
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

function fromExit(exit: Exit, bytes: Uint8Array): LaunchResult {
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
