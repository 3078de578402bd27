// The private spool of a launch: process group, output, exit.
import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely } from '../../base/text.ts';
import { formatExitName, formatSpoolName } from '../../council/use/read-spools.ts';
import type { LaunchExit } from '../../council/use/read-spools.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { PrivateTexts } from '../../store/small-files.ts';
import { NO_RESULT, createNotLaunchedResult } from './result.ts';
import type { LaunchResult } from './result.ts';

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
  /**
   * Records, while this process is exiting, that the launch brought no result. A complete spool stays as it is:
   * `files.write` refuses to overwrite.
   */
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
      return isWhole ? fromExitFile(exit, bytes) : undefined;
    },
    async write(result) {
      await files.write(conversationId, name('output'), result.output, { durable: false });
      // Written last: a spool with this file is complete.
      await files.write(
        conversationId,
        formatExitName(leaseId, part),
        Buffer.from(JSON.stringify(toExitFile(result))),
      );
    },
    noteInterruption() {
      const result = createNotLaunchedResult('cancelled', 'interrupted');
      const exit = Buffer.from(JSON.stringify(toExitFile(result)));
      // Nothing waits for these writes. If one fails, the launch counts as lost.
      files.write(conversationId, name('output'), result.output, { durable: false }).catch(() => undefined);
      files.write(conversationId, formatExitName(leaseId, part), exit).catch(() => undefined);
    },
  };
}

/** Returns the contents of the exit file, which does not include the output. */
const toExitFile = (result: LaunchResult): LaunchExit => ({
  ok: result.ok,
  reason: result.reason,
  ms: result.durationMs,
  brief: result.safeReason,
  failure: result.failure,
  retryAfterMs: result.retryAfterMs,
  stderr: result.stderrTail,
  ...(result.record && { usage: result.record }),
  sha256: sha256(result.output),
});

function fromExitFile(exit: LaunchExit, output: Uint8Array): LaunchResult {
  const { ok, ms, failure, reason, brief: safeReason, retryAfterMs, stderr, usage: record = null } = exit;
  return {
    ...NO_RESULT,
    ok,
    output: Buffer.from(output),
    cancelled: failure === 'cancelled',
    durationMs: ms,
    // Older versions wrote only ok, reason and ms.
    ...(!ok && {
      failure: failure ?? 'failed',
      reason: reason ?? 'it failed',
      safeReason: safeReason ?? 'it failed',
    }),
    retryAfterMs: retryAfterMs ?? null,
    usage: record,
    stderrTail: stderr ?? '',
    record,
  };
}
