// Finds the active council or the archive that a name refers to.
import { findArchive } from '../archive/read.ts';
import type { ReadArchive } from '../archive/parse.ts';
import { readCouncil } from '../council/use/update-council.ts';
import { CouncilError } from '../base/errors.ts';
import type { Council } from '../council/state/state.ts';
import type { App } from './app.ts';
import type { EitherInput } from './input/archive.ts';
import { councilName, openWorkspace } from './workspace.ts';

/** A council that goes on, or one that is archived. */
export type Deliberation = { council: Council } | { archive: ReadArchive };

/**
 * What `council` names: an active council, else an archive (its stem, path, conversationId or name). Without it the active
 * council that `name` gives. Throws `unknown_council` and `unknown_archive`.
 */
export async function findDeliberation(
  app: App,
  { council: ref, name: given }: EitherInput,
): Promise<Deliberation> {
  const workspace = openWorkspace(app);
  const { store, ports } = workspace;
  if (ref !== undefined && !(await store.list(ref)).includes(ref)) {
    return { archive: (await findArchive(ports.archives, ref).catch(namingBoth(ref))).archive };
  }
  const name = ref ?? (await councilName(workspace, given));
  return { council: (await readCouncil(ports, name)).council };
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
