// Reads a text without recording it.
import { splitParts } from '../ledger/text/contribution-parts.ts';
import type { InParts } from '../ledger/text/contribution-parts.ts';
import type { Council } from '../state/state.ts';
import { mergeReadBacks, readBack } from '../view/read-back.ts';
import type { ReadBack, Written } from '../view/read-back.ts';
import { NO_FLAGS, readPartVerdict } from './parts.ts';
import { ADVOCATE, isAsked } from './submission.ts';
import type { VerdictFlags } from './verdict.ts';

interface ToRead extends Omit<Written, 'verdict' | 'text'>, InParts {
  flags?: VerdictFlags;
}

/**
 * Reads a text that is, or could be, a contribution to a phase; `council` is null without one. Adds unusable
 * parts to `warnings`.
 */
export async function readText(
  council: Council | null,
  { flags = NO_FLAGS, text: whole, parts, ...turn }: ToRead,
  warnings: string[] = [],
): Promise<ReadBack> {
  const readPart = async (text: string, said: VerdictFlags): Promise<ReadBack> => {
    const {
      verdict: stated,
      warnings: unread,
      ...more
    } = readPartVerdict(council?.state, turn.by, text, said);
    warnings.push(...unread);
    const isForAnother = council !== null && turn.by !== null && isAsked(council.state, turn.by, turn.tour);
    const verdict = isForAnother ? { ...ADVOCATE, done: stated.done } : stated;
    return readBack(council, { ...turn, text, verdict }, more);
  };
  const [first = '', ...others] = splitParts({ text: whole, ...(parts && { parts }) });
  let read = await readPart(first, flags);
  for (const text of others) read = mergeReadBacks(read, await readPart(text, NO_FLAGS));
  const isUnexplained = council !== null && (await movesUnexplained(council, { ...turn, text: whole }, read));
  return isUnexplained ? { ...read, missing: [...read.missing, 'because'] } : read;
}

/** Whether the whole text changes a position without naming the reason. */
async function movesUnexplained(
  council: Council,
  { by, phase, tour, text }: Omit<Written, 'verdict'>,
  { position }: ReadBack,
): Promise<boolean> {
  if (by === null || position === null || tour === 1) return false;
  // It loads the Markdown parser.
  const { isUnexplainedMove } = await import('../ledger/moves.ts');
  return isUnexplainedMove(council, { by, phase, tour, text, position });
}
