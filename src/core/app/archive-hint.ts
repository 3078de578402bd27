// Adds a matching archive to errors about a council that is no longer active.
import { formatDueTime } from '../base/local-time.ts';
import { locate, readArchiveFile } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import { DEFAULT_NAME } from '../council/use/commit-change.ts';
import type { App } from './app.ts';
import { findWorkspace } from './workspace.ts';

/** Commands that read an archive as they read an active council. */
const READS_BOTH = ['ledger', 'metrics', 'logs'];

/**
 * Adds a matching archive (by name, stem, path or conversationId) to the error of `command` about a
 * council that is not active.
 */
export async function withArchive(app: App, error: CouncilError, command: string): Promise<CouncilError> {
  const ref = findMissingCouncilName(error);
  const workspace = ref === undefined ? undefined : findWorkspace(app);
  if (ref === undefined || !workspace) return error;
  const { archives } = workspace.ports;
  const found = await locate(archives, ref)
    .then((path) => (path === undefined ? undefined : readArchiveFile(archives, path)))
    .catch((reason: unknown) => {
      if (!(reason instanceof CouncilError)) throw reason;
      return reason;
    });
  if (found === undefined) return error;
  if (found instanceof CouncilError) return isTold(found) ? found : error;
  const { meta } = found.archive;
  return new CouncilError(
    'unknown_council',
    `${meta.name === DEFAULT_NAME ? 'The council' : `The council "${meta.name}"`} is not active any more: it ended ${formatDueTime(meta.endedAt, Date.now())} (${meta.status}).`,
    {
      hint: `Its archive: council ${READS_BOTH.includes(command) ? command : 'show'} ${meta.id}`,
      details: { ...error.details, name: meta.name, archive: meta.path },
      cause: error,
    },
  );
}

const findMissingCouncilName = ({ code, details }: CouncilError): string | undefined =>
  code === 'unknown_council' && typeof details.name === 'string' ? details.name : undefined;

/**
 * Whether the archive error says more than "no such council": several match, or the archive is
 * damaged.
 */
const isTold = ({ code, details }: CouncilError): boolean =>
  code === 'corrupt' || details.matching !== undefined;
