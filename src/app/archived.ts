// Adds a matching archive to errors about a council that is no longer active.
import { when } from '../base/when.ts';
import { archiveOfName } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import type { App } from './app.ts';
import { openWorkspace } from './workspace.ts';

/** Commands that read an archive as they read an active council. */
const READS_BOTH = ['ledger', 'metrics'];

/** The error of `command` about a council that is not active, with the archive of that name where there is one. */
export async function withArchive(app: App, error: CouncilError, command: string): Promise<CouncilError> {
  const { name } = error.details;
  const archive =
    typeof name === 'string' ? await archiveOfName(openWorkspace(app).ports.archives, name) : undefined;
  if (!archive) return error;
  return new CouncilError(
    error.code,
    `The council "${archive.name}" is not active any more: it ended ${when(archive.endedAt, Date.now())} (${archive.status}).`,
    {
      hint: `Its archive: council ${READS_BOTH.includes(command) ? command : 'show'} ${archive.id}`,
      details: { ...error.details, archive: archive.path },
      cause: error,
    },
  );
}
