// Use cases `history`, `restore` and `adopt`: revisions of a council.
import { CouncilError } from '../base/errors.ts';
import { decodeText } from '../base/text.ts';
import { parse } from '../council/document/document.ts';
import { findDamage } from '../council/use/altered-revision.ts';
import { adopt as adoptEdit, addDropHint, restoreRevision } from '../council/use/restore.ts';
import { readCouncil } from '../council/use/council-access.ts';
import type { Documents } from '../store/documents.ts';
import type { App, Result } from './app.ts';
import { adoptAside, toAsideDocument } from './conflict-answers.ts';
import type { Aside } from './conflict-answers.ts';
import type { AdoptInput, HistoryInput, RestoreInput } from './input/archive.ts';
import type { TextSource } from './input/fields.ts';
import { resolveCouncilName } from './council-reference.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** Lists the stored revisions of a council. Throws `unknown_council` if there is none. */
export async function listRevisions(app: App, { name: given }: HistoryInput) {
  const workspace = openWorkspace(app);
  const { store } = workspace;
  const name = await resolveCouncilName(workspace, given);
  // Reading repairs an outdated state file, and warns about one that was edited by hand.
  const damage = await findDamage(workspace.ports, name);
  const versions = [];
  for (const version of await store.versions(name)) {
    const text = version.bytes > 0 ? await readVersionOrNote(app, store, name, version.revision) : undefined;
    if (text === undefined) continue;
    const { state } = parse(text, `revision ${version.revision} of "${name}"`);
    const { action, by, actor, why, also } = state.change;
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
      ...(why !== undefined && { why }),
      ...(also && { also }),
    });
  }
  if (versions.length === 0) {
    if (damage) throw damage;
    const problem = given === undefined ? 'No council is active.' : `No revision of "${name}" is kept.`;
    throw new CouncilError('unknown_council', problem, {
      hint: 'Archived councils: council list, and what one said: council show ID. Active ones: council status.',
      details: { name },
    });
  }
  return { document: { name, versions } } satisfies Result;
}

/** Returns the text of a revision; reports a damaged one. */
async function readVersionOrNote(
  app: App,
  store: Documents,
  name: string,
  revision: number,
): Promise<string | undefined> {
  try {
    return await store.readVersion(name, revision);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'corrupt') throw error;
    app.note(error.message);
    return undefined;
  }
}

export type RestoreDocument =
  | { name: string; revision: number; dropped: string | null }
  | { name: string; revision: number; restored: number; kept: string[]; again: string[] };

/** Restores a revision; without one, discards a hand edit. Throws `unknown_revision`. */
export async function restore(app: App, input: RestoreInput): Promise<Result<RestoreDocument>> {
  const workspace = openWorkspace(app);
  const { edits, ports } = workspace;
  const name = await resolveCouncilName(workspace, input.name);
  const { revision: restored } = input;
  if (restored === undefined) {
    const { revision } = await readCouncil(ports, name);
    const dropped = (await edits.isEdited(name)) ? ((await edits.dropEdit(name)) ?? null) : null;
    return { document: { name, revision, dropped } };
  }
  // An invalid name is reported before errors about revisions.
  if (!(await findDamage(ports, name))) await readCouncil(ports, name);
  const done = await restoreRevision(ports, name, restored);
  return {
    document: { name, revision: done.revision, restored, kept: done.kept, again: done.again },
  };
}

/** Records a hand edit, of the state file or a given copy, as the next revision. Throws `usage` if there is none. */
export async function adopt(app: App, { name: given, text }: AdoptInput): Promise<Result<AdoptDocument>> {
  const workspace = openWorkspace(app);
  const { edits, ports } = workspace;
  const name = await resolveCouncilName(workspace, given);
  await readCouncil(ports, name);
  if (text) return { document: await adoptGiven(app, workspace, name, text) };
  const edited = await addDropHint(name, () => edits.editedText(name));
  if (edited === undefined)
    throw new CouncilError(
      'usage',
      `The state file of "${name}" was not edited: there is nothing to adopt.`,
      { hint: `It is ${edits.projectionPath(name)}. An edited copy is taken with --file.` },
    );
  const { revision, kept } = await adoptEdit(ports, name, edited);
  await edits.dropEdit(name);
  return { document: { name, revision, kept } };
}

/** The result of `adopt`: `taken` are answers of another machine that were recorded, `left` those that were not. */
export interface AdoptDocument {
  name: string;
  revision: number;
  kept: string[];
  taken?: Aside[];
  left?: Aside[];
}

/** Throws unless an edit is based on the newest revision. */
async function adoptGiven(
  app: App,
  workspace: Workspace,
  name: string,
  { from, bytes }: TextSource,
): Promise<AdoptDocument> {
  try {
    const text = decodeText(await bytes(), `The edited text ${from}`);
    const aside = await adoptAside(app, workspace, name, { path: from, text });
    if (!aside) return { name, ...(await adoptEdit(workspace.ports, name, text)) };
    const { revision, kept, taken, left } = aside;
    return { name, revision, kept, taken: taken.map(toAsideDocument), left: left.map(toAsideDocument) };
  } catch (error) {
    if (!(error instanceof CouncilError) || !['corrupt', 'invalid_text', 'hand_edit'].includes(error.code))
      throw error;
    const { code, message, details } = error;
    throw new CouncilError(code, message, {
      hint: 'Make the edit again on the text of the newest revision.',
      details,
      cause: error,
    });
  }
}
