// Commands `history`, `restore` and `adopt`.
import type { AdoptInput, HistoryInput, RestoreInput } from '../../app/input/archive.ts';
import type { Aside } from '../../app/conflict-answers.ts';
import { adopt, history, restore } from '../../app/revisions.ts';
import { renderHistory } from '../history-lines.ts';
import { toldInLines, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const historyCommand: Command<HistoryInput> = async (cli, input) => {
  const result = await history(cli, input);
  return toldInLines(result, renderHistory(result.document.versions, Date.now()).join('\n'));
};

export const restoreCommand: Command<RestoreInput> = async (cli, input) => {
  const result = await restore(cli, input);
  const { document } = result;
  const { name, revision } = document;
  if (!('restored' in document))
    return toTextOutcome(
      result,
      document.dropped === null
        ? `The state file of "${name}" was not edited: nothing to restore.`
        : `The hand edit is dropped; a copy is ${document.dropped}. The file shows revision ${revision}.`,
    );
  const { restored, kept, again } = document;
  const lines = [
    `Revision ${restored} of "${name}" is now revision ${revision}.`,
    ...kept.map((path) => `Kept: ${path}`),
    ...again.map((id) => `${id} has to respond again: the text of that revision was replaced, and is gone.`),
  ];
  return toTextOutcome(result, lines.join('\n'));
};

export const adoptCommand: Command<AdoptInput> = async (cli, input) => {
  const result = await adopt(cli, input);
  const { name, revision, kept, taken, left = [] } = result.document;
  const called = ({ participant, phase, tour }: Aside): string => `${participant} (${phase}, round ${tour})`;
  const lines = [
    ...(taken ?? []).map((one) => `Taken over: ${called(one)}. It is revision ${revision} of "${name}".`),
    ...kept.map((path) => `Kept: ${path}`),
    ...left.map(
      (one) =>
        `Not taken over yet: ${called(one)}. The open phase has no place for it; it stays in its file.`,
    ),
  ];
  return toTextOutcome(
    result,
    [...(taken ? [] : [`The hand edit is revision ${revision} of "${name}".`]), ...lines].join('\n'),
  );
};
