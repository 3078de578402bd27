// Puts the absences of one participant for one reason together: people are told them once.
import { oneLine } from '../base/text.ts';
import { KNOWN_BEFORE, nameFailure } from '../base/words/reasons.ts';
import type { Absence } from '../council/state/state.ts';

export interface AbsenceGroup {
  participant: string;
  /** The fullest of its reasons: a launch that is spared names the failure alone. */
  reason: Absence['reason'];
  rounds: Pick<Absence, 'phase' | 'tour'>[];
  /** What its program printed to stderr, each text once, where the reason does not quote it already. */
  printed: string[];
}

export function groupAbsences(absences: readonly Absence[]): AbsenceGroup[] {
  const groups = Map.groupBy(absences, ({ participant, reason }) => `${participant} ${nameFailure(reason)}`);
  return [...groups.values()].map((same) => {
    const { participant, reason } = same.reduce((fullest, one) =>
      rankReason(one.reason) > rankReason(fullest.reason) ? one : fullest,
    );
    const printed = same.map(({ stderr = '' }) => stderr.trim());
    return {
      participant,
      reason,
      rounds: same,
      printed: [...new Set(printed)].filter((text) => text !== '' && !reason.includes(oneLine(text))),
    };
  });
}

const rankReason = (reason: string): number => (reason.endsWith(KNOWN_BEFORE) ? 0 : reason.length);
