// Describes to an author what was read in their contribution.
import { readForm } from '../ledger/text/form.ts';
import { asShare } from '../ledger/text/form-value-words.ts';
import { isSilent } from '../vote/synthesis-mark.ts';
import { listMissingStatements, listMissingForAnyone } from '../vote/missing-statements.ts';
import type { UnclearField } from '../vote/missing-statements.ts';
import type { Council } from '../state/state.ts';
import type { ReadDebated, PhaseText } from './debate-summary.ts';

export type { PhaseText } from './debate-summary.ts';

/** What was read in a contribution, and what its phase requires and is missing. */
export interface ReadBack extends Omit<ReadDebated, 'unanswered'> {
  position: string | null;
  vote: string | null;
  approve: string[];
  /** Groups of numbers, best first; empty without a ranking. */
  rank: string[][];
  blocking: string[];
  confidence: number | null;
  agreed: boolean;
  done: boolean;
  /** What could not be read, and why. */
  unclear: UnclearField[];
  /** Whether the form states blocking issues, even if only "none". */
  saysBlocking: boolean;
  /** What could not be read by a mode's own rules, one sentence each. */
  gaps?: string[];
  /**
   * `blocking` (there may be an issue or none), `position`, `option` (it is not a declared one), `vote`,
   * `rank`, `quote` (one was not found), `decision` (a synthesis does not mention it), `because` (a move
   * without a reason), names given by a mode's own rules, or ids of challenges.
   */
  missing: string[];
}

const NOTHING: ReadDebated = { quotes: [], challenges: [], answers: {}, unanswered: [] };

/**
 * Reads a text for its author. Reveals nothing that the author has not written or cannot see: quotes are only
 * searched in past rounds. Without a council, reads only what the text alone gives.
 */
export async function readBack(
  council: Council | null,
  written: PhaseText,
  { unclear, saysBlocking }: Pick<ReadBack, 'unclear' | 'saysBlocking'>,
): Promise<ReadBack> {
  const { by, phase, text, verdict } = written;
  const isDebated = phase === 'CHALLENGE' || phase === 'RESOLVE';
  // It loads the Markdown parser.
  const debated = isDebated ? (await import('./debate-summary.ts')).readDebated(council, written) : NOTHING;
  const { unanswered, ...found } = debated;
  const wanted =
    council && by !== null
      ? listMissingStatements(council.state, { ...written, by })
      : listMissingForAnyone(council?.state, written);
  return {
    position: verdict.position,
    vote: verdict.vote ?? null,
    approve: verdict.approve ?? [],
    rank: verdict.rank ?? [],
    blocking: verdict.blocking,
    confidence: verdict.confidence ?? readFormConfidence(text),
    agreed: verdict.agreed,
    done: verdict.done,
    ...found,
    unclear,
    saysBlocking,
    missing: [
      ...wanted,
      ...(unclear.some(({ field }) => field === 'blocking') ? ['blocking'] : []),
      ...(phase === 'SYNTHESIZE' && council && isSilent(text, council.state) ? ['decision'] : []),
      ...(found.quotes.some(({ status }) => status === 'not_found') ? ['quote'] : []),
      ...unanswered,
    ],
  };
}

/** Merges the first reading with what was missing there from the addition. */
export function mergeReadBacks(first: ReadBack, added: ReadBack): ReadBack {
  const isGiven = (what: string): boolean => {
    if (what === 'decision') return !added.missing.includes('decision');
    if (what === 'quote') return added.quotes.length > 0 && !added.missing.includes('quote');
    if (what === 'blocking') return added.saysBlocking && !added.missing.includes('blocking');
    if (what === 'rank') return added.rank.length > 0;
    if (DECLARED.has(what)) return added.position !== null && !added.missing.includes('option');
    return Object.hasOwn(added.answers, what);
  };
  const given = first.missing.filter(isGiven);
  const { position, vote, rank, quotes, challenges, answers } = added;
  return {
    ...first,
    ...(given.some((what) => DECLARED.has(what)) && { position, vote }),
    ...(given.includes('rank') && { position: position ?? first.position, vote, rank }),
    ...(first.missing.includes('quote') && {
      quotes: [...first.quotes, ...quotes],
      challenges: [...first.challenges, ...challenges],
    }),
    blocking: [...new Set([...(given.includes('blocking') ? [] : first.blocking), ...added.blocking])],
    unclear: [
      ...first.unclear.filter(({ field }) => !given.includes(field === 'position' ? 'vote' : field)),
      ...added.unclear,
    ],
    answers: { ...first.answers, ...pickAnswers(answers, given) },
    missing: first.missing.filter((what) => !given.includes(what)),
  };
}

const pickAnswers = (answers: ReadBack['answers'], ids: readonly string[]): ReadBack['answers'] =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => ids.includes(id)));

const DECLARED = new Set(['position', 'option', 'vote']);

/** Reads the confidence if it is not part of the verdict, as in a council without a ballot. */
function readFormConfidence(text: string): number | null {
  const fields = readForm(text).fields.filter(({ name }) => name === 'confidence');
  const [value] = fields.flatMap((field) => field.value);
  return asShare(value ?? '') ?? null;
}
