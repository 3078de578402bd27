// Resolves a reference to an active council or an archive, also for errors about councils that have ended.
import { archiveId, toSaid } from '../archive/archive.ts';
import { findArchive, listArchiveNames, locateArchive, readArchiveFile } from '../archive/read.ts';
import type { ReadArchive } from '../archive/parse.ts';
import { readCouncil } from '../council/use/council-access.ts';
import { CouncilError } from '../base/errors.ts';
import { findByPart, LAST } from '../base/unknown-name.ts';
import type { ModeSummary } from '../council/state/mode-reading.ts';
import type { Council } from '../council/state/state.ts';
import type { App } from './app.ts';
import { resolveCouncilName, findNewestCouncil } from './council-reference.ts';
import type { EitherInput } from './input/archive.ts';
import { openWorkspace, findWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { formatDueTime } from '../base/local-time.ts';
import { DEFAULT_NAME } from '../council/use/unknown-council.ts';

export type Deliberation = { council: Council } | { archive: ReadArchive; summary?: ModeSummary | undefined };

/**
 * Resolves `council`: an active council, else an archive (its stem, path, conversationId or name), else the
 * only one of both with it in its name. If an archive is allowed, `last` is the council that ended last, so
 * that it means the same in every command; if none has ended, the active one that started last. Without a
 * reference, the active council that `name` gives. Throws `unknown_council` and `unknown_archive`.
 */
export async function findDeliberation(
  app: App,
  { council: ref, name: given }: EitherInput,
): Promise<Deliberation> {
  const workspace = openWorkspace(app);
  const { ports } = workspace;
  const name =
    ref === undefined ? await resolveCouncilName(workspace, given) : await findActiveCouncil(workspace, ref);
  if (name !== undefined) return { council: (await readCouncil(ports, name)).council };
  return {
    archive: (await findArchive(ports.archives, ref!).catch(explainUnknownDeliberation(ref!))).archive,
  };
}

/** Adds the summary of an archived council, if its mode has rules of its own. */
export async function addSummary(
  { modeReading }: Workspace['ports'],
  found: Deliberation,
): Promise<Deliberation> {
  if ('council' in found) return found;
  const reading = await modeReading?.(found.archive.meta.mode);
  return { ...found, summary: reading?.summarize(toSaid(found.archive)) };
}

/** Returns the active council of `ref`; undefined if it means an archive, or nothing. */
async function findActiveCouncil(workspace: Workspace, ref: string): Promise<string | undefined> {
  const { store, ports } = workspace;
  const active = await store.list();
  if (active.includes(ref)) return ref;
  if (ref === LAST)
    return (await ports.archives.list()).length === 0 ? findNewestCouncil(workspace) : undefined;
  if (active.length === 0 || (await locateArchive(ports.archives, ref)) !== undefined) return undefined;
  const both = [
    ...active.map((name) => ({ name, names: [name] })),
    ...(await listArchiveNames(ports.archives)),
  ];
  const meant = findByPart(ref, both, {
    plural: 'councils',
    code: 'unknown_archive',
    listNames: (one) => one.names,
    show: (one) => ('name' in one ? one.name : archiveId(one.path)),
  });
  return meant && 'name' in meant ? meant.name : undefined;
}

const explainUnknownDeliberation =
  (ref: string) =>
  (error: unknown): never => {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_archive') throw error;
    if (error.details.matching !== undefined) throw error;
    const { hint, details } = error;
    throw new CouncilError(error.code, `There is no active council and no archive ${JSON.stringify(ref)}.`, {
      hint,
      details,
      cause: error,
    });
  };

/** Commands that read archives like active councils. */
const READS_BOTH = ['ledger', 'metrics', 'logs'];

/**
 * Adds a matching archive (by name, stem, path or conversationId) to the error of `command` about a
 * council that is not active.
 */
export async function mentionArchive(app: App, error: CouncilError, command: string): Promise<CouncilError> {
  const ref = findMissingCouncilName(error);
  const workspace = ref === undefined ? undefined : findWorkspace(app);
  if (ref === undefined || !workspace) return error;
  const { archives } = workspace.ports;
  const found = await locateArchive(archives, ref)
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

/** Whether the archive error says more than "no such council": several match, or the archive is damaged. */
const isTold = ({ code, details }: CouncilError): boolean =>
  code === 'corrupt' || details.matching !== undefined;
