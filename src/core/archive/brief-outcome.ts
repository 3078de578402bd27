// What a council came to in a few words, for a row of a list (pure).
import { oneLine } from '../base/text.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { explain } from '../council/vote/explain.ts';
import type { ArchiveMeta } from './archive.ts';

/** Of a position or a reason; of the whole where it is a sentence. */
const LONGEST = { part: 80, whole: 160 };

/** "Decided: P2 Buy, 2 of 3"; why it was not where it was not, and why it was cancelled where it was. */
export function describeOutcomeBriefly(
  { decision, why }: Pick<ArchiveMeta, 'decision' | 'why'>,
  w: Words,
): string {
  if (!decision)
    return why === null
      ? w.archive.noDecision
      : fill(w.archive.cancelledWhy, { why: oneLine(why, LONGEST.part) });
  const { decided, position, number, denominator, rule, votes, approvals } = decision;
  if (decided && position !== null) {
    const named = [number, oneLine(position, LONGEST.part)].filter(Boolean).join(' ');
    const count = (rule === 'approval' ? approvals : undefined)?.[position] ?? votes[position];
    return count === undefined
      ? fill(w.outcome.decidedFor, { position: named })
      : fill(w.outcome.decidedWith, { position: named, count, denominator });
  }
  const reason = explain(decision, w, { text: (words) => oneLine(words, LONGEST.part) });
  if (rule === 'none') return oneLine(reason, LONGEST.whole);
  const sentence = decided ? w.outcome.decidedBriefly : w.outcome.undecidedBriefly;
  return oneLine(fill(sentence, { why: reason }), LONGEST.whole);
}
