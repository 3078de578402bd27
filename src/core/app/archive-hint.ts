// Adds a matching archive to errors about a council that is no longer active.
import { formatDueTime } from '../base/local-time.ts';
import { findArchive } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
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
  const meta = await findArchive(workspace.ports.archives, ref).then(
    ({ archive }) => archive.meta,
    (reason: unknown) => {
      if (!(reason instanceof CouncilError)) throw reason;
      return reason;
    },
  );
  if (meta instanceof CouncilError) return isTold(meta) ? meta : error;
  return new CouncilError(
    'unknown_council',
    `The council "${meta.name}" is not active any more: it ended ${formatDueTime(meta.endedAt, Date.now())} (${meta.status}).`,
    {
      hint: `Its archive: council ${READS_BOTH.includes(command) ? command : 'show'} ${meta.id}`,
      details: { ...error.details, name: meta.name, archive: meta.path },
      cause: error,
    },
  );
}

/** The name that was given for the council: unknown, or not even a valid name, such as a path. */
function findMissingCouncilName({ code, details }: CouncilError): string | undefined {
  if (code === 'unknown_council' && typeof details.name === 'string') return details.name;
  if (code !== 'invalid_id' || details.key !== 'name') return undefined;
  const { received } = details;
  return typeof received === 'string' && /^".*"$/.test(received)
    ? (JSON.parse(received) as string)
    : undefined;
}

/**
 * Whether the archive error says more than "no such council": several match, or the archive is
 * damaged.
 */
const isTold = ({ code, details }: CouncilError): boolean =>
  code === 'corrupt' || details.matching !== undefined;
