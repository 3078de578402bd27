// In-memory ports for the use cases of a council: for replays, and for tests of programs that use the package.
import { reserveArchivePath } from '../../archive/limit-archives.ts';
import type { ArchivePorts } from '../../archive/write.ts';
import { systemRandom } from '../../store/local/system.ts';
import {
  createMemoryArchives,
  createMemoryLateFiles,
  createMemoryTexts,
  memoryStore,
} from '../../store/memory/memory-store.ts';

/**
 * Creates ports for `start`, `respond` and `advance` that keep everything in memory. Each call creates an independent set, without
 * files and other processes. `now` is the clock, in milliseconds since the epoch (default: the system's).
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
