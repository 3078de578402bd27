import { join } from 'node:path';
import { reserveArchivePath } from '../../../src/core/archive/limit-archives.ts';
import type { ArchivePorts } from '../../../src/core/archive/write.ts';
import { archiveFiles, openLateFiles } from '../../../src/core/store/file/archive-files.ts';

import { isAlive, identifyThisProcess } from '../../../src/core/store/local/liveness.ts';
import { openPrivateDir } from '../../../src/core/store/file/private-dir.ts';
import type { Documents } from '../../../src/core/store/documents.ts';

/** Real files around any store, with a fixed clock. */
export function archivePorts(store: Documents, project: string, stateHome: string): ArchivePorts {
  const archives = archiveFiles({ root: project });
  return {
    store,
    clock: { now: () => Date.parse('2026-02-08T23:10:05.000Z'), clocks: () => undefined },
    random: { uuid: () => '11111111-2222-4333-8444-555555555555', hex: (count) => 'ab'.repeat(count) },
    privateFiles: openPrivateDir({ env: { XDG_STATE_HOME: stateHome }, projectRoot: project }),
    lateFiles: openLateFiles(join(project, 'memory', 'shared')),
    processes: { self: identifyThisProcess, isAlive },
    reserveArchive: (topic, endMs) => reserveArchivePath(archives, topic, endMs),
    actor: 'me@here via test',
    place: 'me@here',
    archives,
  };
}
