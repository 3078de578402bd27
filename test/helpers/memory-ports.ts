import { reserveArchivePath } from '../../src/core/archive/limit-archives.ts';
import type { ArchivePorts } from '../../src/core/archive/write.ts';
import { memoryPorts } from '../../src/core/app/storage/memory-ports.ts';
import { yielding, yieldingDocuments } from './yielding.ts';
import type { Pause } from './yielding.ts';

/** The ports of one process on memory drivers that `pause` before every call, and the same drivers without: `quiet`. */
export function pausingMemoryPorts(now: number, pause: Pause): { ports: ArchivePorts; quiet: ArchivePorts } {
  let drawn = 0;
  const quiet: ArchivePorts = {
    ...memoryPorts(() => now),
    random: {
      uuid: () => '11111111-2222-4333-8444-555555555555',
      hex: (count) => String(drawn++).padStart(2 * count, '0'),
    },
    actor: 'me@here via test',
    place: 'me@here',
  };
  const slowArchives = yielding(quiet.archives, pause, ['absolute']);
  const ports: ArchivePorts = {
    ...quiet,
    store: yieldingDocuments(quiet.store, pause),
    privateFiles: yielding(quiet.privateFiles, pause, ['path']),
    lateFiles: yielding(quiet.lateFiles, pause),
    archives: slowArchives,
    reserveArchive: (topic, endMs) => reserveArchivePath(slowArchives, topic, endMs),
  };
  return { ports, quiet };
}
