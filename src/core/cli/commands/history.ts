// Commands `history`, `restore` and `adopt`; the history shows one minute of a phase as one line.
import type { AdoptInput, HistoryInput, RestoreInput } from '../../app/input/archive.ts';
import type { Aside } from '../../app/conflict-answers.ts';
import { adopt, listRevisions, restore } from '../../app/revisions.ts';
import { toProseOutcome, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { formatLocalTime } from '../../base/local-time.ts';
import { toOneLine } from '../../base/text.ts';

export const performHistory: Command<HistoryInput> = async (cli, input) => {
  const result = await listRevisions(cli, input);
  return toProseOutcome(result, renderHistory(result.document.versions, Date.now()).join('\n'));
};

export const performRestore: Command<RestoreInput> = async (cli, input) => {
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

export const performAdopt: Command<AdoptInput> = async (cli, input) => {
  const result = await adopt(cli, input);
  const { name, revision, kept, taken, left = [] } = result.document;
  const nameAside = ({ participant, phase, tour }: Aside): string =>
    `${participant} (${phase}, round ${tour})`;
  const lines = [
    ...(taken ?? []).map((one) => `Taken over: ${nameAside(one)}. It is revision ${revision} of "${name}".`),
    ...kept.map((path) => `Kept: ${path}`),
    ...left.map(
      (one) =>
        `Not taken over yet: ${nameAside(one)}. The open phase has no place for it; it stays in its file.`,
    ),
  ];
  return toTextOutcome(
    result,
    [...(taken ? [] : [`The hand edit is revision ${revision} of "${name}".`]), ...lines].join('\n'),
  );
};

/** One revision from `history`. */
export interface Revision extends RevisionAction {
  revision: number;
  at: string;
  phase: string;
  actor: string;
  also?: RevisionAction[];
}

interface RevisionAction {
  action: string;
  by: string | null;
  why?: string;
}

/** Describes an action by several participants. */
const ACTION_WORDS: Readonly<Record<string, (who: string) => string>> = {
  start: () => 'opened',
  close: () => 'phase opened',
  launch: (who) => `asked ${who}`,
  respond: (who) => `${who} answered`,
  attempt_failed: (who) => `${who} failed`,
  interrupted: (who) => `${who} interrupted`,
  excuse: (who) => `${who} excused`,
  extend: () => 'given more time',
  cancel: () => 'cancelled',
  restore: () => 'an earlier revision restored',
  adopt: () => 'a hand edit adopted',
  continue: () => 'continued by the person who asked',
  retry: (who) => `${who} to be asked again`,
  recuse_failed: () => 'those who failed recused',
  budget: () => 'no room in the budget',
  clock: () => 'deadline moved',
  outside: () => 'agent files changed',
  reveal: (who) => `the sealed text of ${who} brought back`,
};

/** Renders revisions as lines, joining those of one actor, phase and minute. */
export function renderHistory(revisions: readonly Revision[], now: number): string[] {
  const lines: Revision[][] = [];
  const getKey = ({ at, phase, actor }: Revision): string => `${formatLocalTime(at, now)} ${phase} ${actor}`;
  for (const one of revisions) {
    const last = lines.at(-1);
    if (last && getKey(last[0]!) === getKey(one)) last.push(one);
    else lines.push([one]);
  }
  return lines.map((same) => {
    const { at, phase, actor } = same[0]!;
    const numbers =
      same.length === 1 ? `${same[0]!.revision}` : `${same[0]!.revision}-${same.at(-1)!.revision}`;
    const deeds = same.flatMap((one) => [one, ...(one.also ?? [])]);
    return `${numbers.padStart(7)}  ${formatLocalTime(at, now)}  ${phase}: ${describeDeeds(deeds)}  (${toOneLine(actor)})`;
  });
}

/** Groups participants by action; repeated ones are named once. */
function describeDeeds(deeds: readonly RevisionAction[]): string {
  const groups = Map.groupBy(deeds, ({ action, why }) => JSON.stringify([action, why]));
  return [...groups.values()]
    .map((same) => {
      const { action, why } = same[0]!;
      const times = Map.groupBy(
        same.flatMap(({ by }) => by ?? []),
        (by) => by,
      );
      const who = [...times]
        .map(([by, { length }]) => (length > 1 ? `${by} (${length} times)` : by))
        .join(', ');
      const tell =
        ACTION_WORDS[action] ?? ((whom: string) => `${toOneLine(action)}${whom === '' ? '' : ` ${whom}`}`);
      return `${tell(who)}${why ? ` ("${toOneLine(why)}")` : ''}`;
    })
    .join('; ');
}
