// All that the use cases of a council need, in memory: for replays, and for tests of programs that use the package.
import { reserveArchivePath } from '../../archive/limit-archives.ts';
import type { ArchivePorts } from '../../archive/write.ts';
import { systemRandom } from '../../store/local/system.ts';
import {
  createMemoryArchives,
  createMemoryLateFiles,
  createMemoryTexts,
} from '../../store/memory/memory-files.ts';
import { memoryStore } from '../../store/memory/memory-store.ts';

/**
 * Ports for `start`, `respond` and `advance` that keep everything in memory: each call makes a world of its own, without files and
 * other processes. `now` is the clock, in milliseconds since the epoch; the system's where it is left out.
 */
export function memoryPorts(now: () => number = () => Date.now()): ArchivePorts {
  const archives = createMemoryArchives();
  const self = { host: 'memory', bootId: '', pid: 1, startTime: '' };
  return {
    store: memoryStore(),
    privateFiles: createMemoryTexts(),
    lateFiles: createMemoryLateFiles(),
    archives,
    clock: { now, clocks: () => undefined },
    random: systemRandom,
    processes: { self: () => self, isAlive: () => true },
    reserveArchive: (topic, endMs) => reserveArchivePath(archives, topic, endMs),
    actor: 'memory',
    place: 'memory',
  };
}
