import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely } from '../../base/text.ts';
import type { PrivateFiles } from '../../council/use/ports.ts';
import { exitName } from '../../council/use/spooled.ts';
import type { Exit } from '../../council/use/spooled.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';

/**
 * The private spool of one launch: who the process group is, what it printed, how it ended. A tick that dies between
 * the program's end and the commit loses nothing: the next one records the complete spool instead of launching again.
 */
export interface Spool {
  group(): ProcessIdentity | undefined;
  writeGroup(leader: ProcessIdentity): void;
  output(): { exit: Exit; bytes: Uint8Array } | undefined;
  writeOutput(exit: Exit, bytes: Uint8Array): void;
}

export function spoolOf(
  files: Pick<PrivateFiles, 'read' | 'write'>,
  conversationId: string,
  leaseId: string,
): Spool {
  const name = (part: string) => `lease-${leaseId}-${part}`;
  const readJson = (file: string): unknown => {
    const bytes = files.read(conversationId, file);
    return bytes && parseJsonSafely(Buffer.from(bytes).toString('utf8'));
  };
  return {
    group: () => readJson(name('group.json')) as ProcessIdentity | undefined,
    // A power cut ends the group as well: only a death of this process matters.
    writeGroup: (leader) =>
      void files.write(conversationId, name('group.json'), Buffer.from(JSON.stringify(leader)), {
        durable: false,
      }),
    output() {
      const exit = readJson(exitName(leaseId)) as Exit | undefined;
      const bytes = exit && files.read(conversationId, name('output'));
      const isWhole = bytes && (exit.sha256 === undefined || sha256(bytes) === exit.sha256);
      return isWhole ? { exit, bytes } : undefined;
    },
    writeOutput(exit, bytes) {
      files.write(conversationId, name('output'), bytes, { durable: false });
      // Written last: a spool with this file is complete.
      const told: Exit = { ...exit, sha256: sha256(bytes) };
      files.write(conversationId, exitName(leaseId), Buffer.from(JSON.stringify(told)));
    },
  };
}
