// Use cases `history`, `restore` and `adopt`: revisions of a council.
import { CouncilError } from '../base/errors.ts';
import { parse } from '../council/document/document.ts';
import { adopt as take, readingEdit, restoreRevision } from '../council/use/restore.ts';
import { readCouncil } from '../council/use/update-council.ts';
import type { App, Result } from './app.ts';
import type { AdoptInput, HistoryInput, RestoreInput } from './input/archive.ts';
import { councilName, openWorkspace } from './workspace.ts';

/** The kept revisions of a council. Throws `unknown_council` where none is. */
export async function history(app: App, { name: given }: HistoryInput) {
  const workspace = openWorkspace(app);
  const { store } = workspace;
  const name = await councilName(workspace, given);
  // It heals a state file that is out of date, and warns of one that was changed by hand.
  await store.read(name);
  const versions = [];
  for (const version of await store.versions(name)) {
    const text = version.bytes > 0 ? await store.readVersion(name, version.revision) : undefined;
    if (text === undefined) continue;
    const { state } = parse(text, `revision ${version.revision} of "${name}"`);
    const { action, by, actor, also } = state.change;
    versions.push({
      revision: version.revision,
      at: state.updatedAt,
      bytes: version.bytes,
      conversationId: state.conversationId,
      phase: state.currentPhase,
      tour: state.tour,
      action,
      by,
      actor,
      ...(also && { also }),
    });
  }
  if (versions.length === 0) {
    throw new CouncilError('unknown_council', `No revision of "${name}" is kept.`, {
      hint: 'Archived councils: council list. Active ones: council status.',
      details: { name },
    });
  }
  return { document: { name, versions } } satisfies Result;
}

/** What a restore did. */
export type RestoreDocument =
  | { name: string; revision: number; dropped: string | null }
  | { name: string; revision: number; restored: number; kept: string[]; again: string[] };

/** Goes back to a revision; without one, drops a hand edit. Throws `unknown_revision`. */
export async function restore(app: App, input: RestoreInput): Promise<Result<RestoreDocument>> {
  const workspace = openWorkspace(app);
  const { edits, ports } = workspace;
  const name = await councilName(workspace, input.name);
  const { revision } = await readCouncil(ports, name);
  const { revision: restored } = input;
  if (restored === undefined) {
    const dropped = (await edits.isEdited(name)) ? ((await edits.dropEdit(name)) ?? null) : null;
    return { document: { name, revision, dropped } };
  }
  const done = await restoreRevision(ports, name, restored);
  return {
    document: { name, revision: done.revision, restored, kept: done.kept, again: done.again },
  };
}

/** Takes a hand edit of the state file as the next revision. Throws `usage` where there is none. */
export async function adopt(app: App, { name: given }: AdoptInput) {
  const workspace = openWorkspace(app);
  const { edits, ports } = workspace;
  const name = await councilName(workspace, given);
  await readCouncil(ports, name);
  const edited = await readingEdit(name, () => edits.editedText(name));
  if (edited === undefined)
    throw new CouncilError(
      'usage',
      `The state file of "${name}" was not edited: there is nothing to adopt.`,
      { hint: `It is ${edits.projectionPath(name)}` },
    );
  const { revision, kept } = await take(ports, name, edited);
  await edits.dropEdit(name);
  return { document: { name, revision, kept } } satisfies Result;
}
