// How a decision came about: what the blind votes alone would have decided, and what became of it.
import type { Origin } from '../state/choices.ts';
import { normalisePosition } from '../state/position.ts';
import type { Count, Ruling } from './ruling.ts';
import type { Support } from './tally.ts';

/** The blind votes; null where COLLECT was open. */
type BlindVotes = { support: readonly Support[]; denominator: number; position: string | null } | null;

/** Undefined where no position was to be decided. */
export function nameOrigin(
  { rule, leaders }: Pick<Count, 'rule' | 'leaders'>,
  { reason, position }: Ruling,
  before: BlindVotes,
): Origin | undefined {
  if (rule === 'none') return undefined;
  if (reason !== 'accepted') return 'undecided';
  if (position === null) return undefined;
  const isIt = (one: string | undefined) =>
    one !== undefined && normalisePosition(one) === normalisePosition(position);
  if (!before || before.position === null) return 'debate';
  if (!isIt(before.position)) return 'overturned';
  const [first] = leaders;
  if (rule === 'blind-first' && (leaders.length !== 1 || !isIt(first?.position))) return 'blind-stood';
  return before.support[0]?.heads === before.denominator ? 'blind-unanimous' : 'blind-kept';
}
