import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { adopt, readingEdit, restoreRevision } from '../../council/use/restore.ts';
import { parse } from '../../council/document/document.ts';
import type { LegacyCommand } from '../spec.ts';
import { councilName, openWorkspace } from '../../app/workspace.ts';

export const historyCommand: LegacyCommand = async (cli, _args, options) => {
  const workspace = openWorkspace(cli);
  const { store } = workspace;
  const name = await councilName(cli, workspace, options.name);
  // It heals a state file that is out of date, and warns of one that was changed by hand.
  await store.read(name);
  const versions = [];
  for (const version of await store.versions(name)) {
    const text = version.bytes > 0 ? await store.readVersion(name, version.revision) : undefined;
    if (text === undefined) continue;
    const { state } = parse(text, `revision ${version.revision} of "${name}"`);
    const { action, by, actor } = state.change;
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
    });
  }
  if (versions.length === 0) {
    throw new CouncilError('unknown_council', `No revision of "${name}" is kept.`, {
      hint: 'Archived councils: council list. Active ones: council status.',
    });
  }
  const text = versions
    .map(
      (v) =>
        `${String(v.revision).padStart(5)}  ${v.at}  ${v.phase.padEnd(10)} ${oneLine(v.action)}${v.by ? ` ${v.by}` : ''}  (${oneLine(v.actor)}, ${v.bytes} bytes)`,
    )
    .join('\n');
  return { json: { name, versions }, text };
};

export const restoreCommand: LegacyCommand = async (cli, [wanted], options) => {
  const workspace = openWorkspace(cli);
  const { edits, ports } = workspace;
  const name = await councilName(cli, workspace, options.name);
  const { revision } = await readCouncil(ports, name);
  if (wanted === undefined) {
    if (!(await edits.isEdited(name)))
      return {
        json: { name, revision, dropped: null },
        text: `The state file of "${name}" was not edited: nothing to restore.`,
      };
    const dropped = (await edits.dropEdit(name)) ?? null;
    return {
      json: { name, revision, dropped },
      text: `The hand edit is dropped; a copy is ${dropped}. The file shows revision ${revision}.`,
    };
  }
  if (!/^[1-9]\d{0,9}$/.test(wanted))
    throw new CouncilError('usage', `Not a revision: ${JSON.stringify(wanted)}.`, {
      hint: `See the kept ones: council history --name ${name}`,
    });
  const done = await restoreRevision(ports, name, Number(wanted));
  return {
    json: { name, revision: done.revision, restored: Number(wanted), kept: done.kept, again: done.again },
    text: [
      `Revision ${wanted} of "${name}" is now revision ${done.revision}.`,
      ...done.kept.map((path) => `Kept: ${path}`),
      ...done.again.map(
        (id) => `${id} has to respond again: the text of that revision was replaced, and is gone.`,
      ),
    ].join('\n'),
  };
};

export const adoptCommand: LegacyCommand = async (cli, _args, options) => {
  const workspace = openWorkspace(cli);
  const { edits, ports } = workspace;
  const name = await councilName(cli, workspace, options.name);
  await readCouncil(ports, name);
  const edited = await readingEdit(name, () => edits.editedText(name));
  if (edited === undefined)
    throw new CouncilError(
      'usage',
      `The state file of "${name}" was not edited: there is nothing to adopt.`,
      { hint: `It is ${edits.projectionPath(name)}` },
    );
  const { revision, kept } = await adopt(ports, name, edited);
  await edits.dropEdit(name);
  return {
    json: { name, revision, kept },
    text: [
      `The hand edit is revision ${revision} of "${name}".`,
      ...kept.map((path) => `Kept: ${path}`),
    ].join('\n'),
  };
};
