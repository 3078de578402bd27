// Finds the active council or the archive that a name refers to.
import { archiveId, toSaid } from '../archive/archive.ts';
import { findArchive, listArchiveNames, locate } from '../archive/read.ts';
import type { ReadArchive } from '../archive/parse.ts';
import { readCouncil } from '../council/use/update-council.ts';
import { CouncilError } from '../base/errors.ts';
import { findByPart, LAST } from '../base/unknown-name.ts';
import type { ModeSummary } from '../council/state/mode-reading.ts';
import type { Council } from '../council/state/state.ts';
import type { App } from './app.ts';
import { councilName, findNewestCouncil } from './council-reference.ts';
import type { EitherInput } from './input/archive.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

export type Deliberation = { council: Council } | { archive: ReadArchive; summary?: ModeSummary | undefined };

/**
 * What `council` names: an active council, else an archive (its stem, path, conversationId or name), else the only one of both
 * that has it in its name. Wherever an archive may be named, `last` is the council that ended last, so that one word means one
 * council in every command; here it is the active one that began last where none has ended. Without it the active council that
 * `name` gives. Throws `unknown_council` and `unknown_archive`.
 */
export async function findDeliberation(
  app: App,
  { council: ref, name: given }: EitherInput,
): Promise<Deliberation> {
  const workspace = openWorkspace(app);
  const { ports } = workspace;
  const name =
    ref === undefined ? await councilName(workspace, given) : await findActiveCouncil(workspace, ref);
  if (name !== undefined) return { council: (await readCouncil(ports, name)).council };
  return { archive: (await findArchive(ports.archives, ref!).catch(namingBoth(ref!))).archive };
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

/** The active council that `ref` means; undefined where it means an archive, or nothing. */
async function findActiveCouncil(workspace: Workspace, ref: string): Promise<string | undefined> {
  const { store, ports } = workspace;
  const active = await store.list();
  if (active.includes(ref)) return ref;
  if (ref === LAST)
    return (await ports.archives.list()).length === 0 ? findNewestCouncil(workspace) : undefined;
  if (active.length === 0 || (await locate(ports.archives, ref)) !== undefined) return undefined;
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

const namingBoth =
  (ref: string) =>
  (error: unknown): never => {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_archive') throw error;
    if (error.details.matching !== undefined) throw error;
    const { hint, details } = error;
    throw new CouncilError(error.code, `There is no active council and no archive ${JSON.stringify(ref)}.`, {
      ...(hint !== undefined && { hint }),
      details,
      cause: error,
    });
  };
