import { parseJsonSafely } from '../base/text.ts';
import type { PrivateFiles } from '../council/ports.ts';
import { exitName } from '../council/spooled.ts';
import type { Exit } from '../council/spooled.ts';
import type { ProcessIdentity } from '../store/liveness.ts';

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
  const write = (file: string, data: string | Uint8Array) =>
    void files.write(conversationId, file, typeof data === 'string' ? Buffer.from(data) : data);
  return {
    group: () => readJson(name('group.json')) as ProcessIdentity | undefined,
    writeGroup: (leader) => write(name('group.json'), JSON.stringify(leader)),
    output() {
      const exit = readJson(exitName(leaseId)) as Exit | undefined;
      const bytes = exit && files.read(conversationId, name('output'));
      return exit && bytes ? { exit, bytes } : undefined;
    },
    writeOutput(exit, bytes) {
      write(name('output'), bytes);
      // Written last: a spool with this file is complete.
      write(exitName(leaseId), JSON.stringify(exit));
    },
  };
}
