import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely } from '../../base/text.ts';
import { exitName } from '../../council/use/spooled.ts';
import type { Exit } from '../../council/use/spooled.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { PrivateTexts } from '../../store/private-texts.ts';

/**
 * The private spool of one launch: who the process group is, what it printed, how it ended. A tick that dies between
 * the program's end and the commit loses nothing: the next one records the complete spool instead of launching again.
 */
export interface Spool {
  group(): Promise<ProcessIdentity | undefined>;
  writeGroup(leader: ProcessIdentity): Promise<void>;
  output(): Promise<{ exit: Exit; bytes: Uint8Array } | undefined>;
  writeOutput(exit: Exit, bytes: Uint8Array): Promise<void>;
  /** Leaves word, in a process that is ending, that nothing came of the launch. A spool that is complete stays as it is. */
  noteInterruption(): void;
}

export function spoolOf(
  files: Pick<PrivateTexts, 'read' | 'write'>,
  conversationId: string,
  leaseId: string,
): Spool {
  const name = (part: string) => `lease-${leaseId}-${part}`;
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
    async output() {
      const exit = (await readJson(exitName(leaseId))) as Exit | undefined;
      const bytes = exit && (await files.read(conversationId, name('output')));
      const isWhole = bytes && (exit.sha256 === undefined || sha256(bytes) === exit.sha256);
      return isWhole ? { exit, bytes } : undefined;
    },
    async writeOutput(exit, bytes) {
      await files.write(conversationId, name('output'), bytes, { durable: false });
      // Written last: a spool with this file is complete.
      const told: Exit = { ...exit, sha256: sha256(bytes) };
      await files.write(conversationId, exitName(leaseId), Buffer.from(JSON.stringify(told)));
    },
    noteInterruption() {
      const nothing = new Uint8Array();
      const brief = 'interrupted';
      const exit: Exit = {
        ok: false,
        reason: brief,
        brief,
        failure: 'cancelled',
        ms: 0,
        sha256: sha256(nothing),
      };
      // Nobody is left to wait for either. Should one fail, the lease counts as a launch that did not survive.
      files.write(conversationId, name('output'), nothing, { durable: false }).catch(() => undefined);
      files
        .write(conversationId, exitName(leaseId), Buffer.from(JSON.stringify(exit)))
        .catch(() => undefined);
    },
  };
}
