// What was read in a contribution, as its author is told.
import { readForm } from '../ledger/text/form.ts';
import { asShare } from '../ledger/text/form-value-words.ts';
import { isSilent } from '../vote/synthesis-mark.ts';
import { listMissingStatements, wantedOfAnybody } from '../vote/missing-statements.ts';
import type { Unclear } from '../vote/missing-statements.ts';
import type { Council } from '../state/state.ts';
import type { ReadDebated, Written } from './debate-summary.ts';

export type { Written } from './debate-summary.ts';

/** What was read in a contribution, and what its phase needs and it does not have. */
export interface ReadBack extends Omit<ReadDebated, 'unanswered'> {
  position: string | null;
  vote: string | null;
  approve: string[];
  /** Groups of numbers, the best first; empty without a ranking. */
  rank: string[][];
  blocking: string[];
  confidence: number | null;
  agreed: boolean;
  done: boolean;
  /** What could not be read, and why. */
  unclear: Unclear[];
  /** Whether the form says, also by a word for none, what blocks. */
  saysBlocking: boolean;
  /** What could not be read where a mode has rules of its own, a sentence each. */
  gaps?: string[];
  /** `blocking` (what stands there may be an issue or none), `position`, `option` (it is none of the declared ones), `vote`, `rank`, `quote` (one stands nowhere), `decision` (a synthesis says nothing of it), `because` (a move without what moved its author), what a mode with rules of its own calls it, or ids of challenges. */
  missing: string[];
}

const NOTHING: ReadDebated = { quotes: [], challenges: [], answers: {}, unanswered: [] };

/**
 * What is read in a text. It tells nothing that its author has not written or cannot see: quotes are looked for in rounds
 * that are over. Without a council only what the text alone gives.
 */
export async function readBack(
  council: Council | null,
  written: Written,
  { unclear, saysBlocking }: Pick<ReadBack, 'unclear' | 'saysBlocking'>,
): Promise<ReadBack> {
  const { by, phase, text, verdict } = written;
  const isDebated = phase === 'CHALLENGE' || phase === 'RESOLVE';
  // It brings the Markdown parser.
  const debated = isDebated ? (await import('./debate-summary.ts')).readDebated(council, written) : NOTHING;
  const { unanswered, ...found } = debated;
  const wanted =
    council && by !== null
      ? listMissingStatements(council.state, { ...written, by })
      : wantedOfAnybody(council?.state, written);
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

/** What was read at first, with what was missing there out of what was added. */
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
    answers: { ...first.answers, ...ofIds(answers, given) },
    missing: first.missing.filter((what) => !given.includes(what)),
  };
}

const ofIds = (answers: ReadBack['answers'], ids: readonly string[]): ReadBack['answers'] =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => ids.includes(id)));

const DECLARED = new Set(['position', 'option', 'vote']);

/** Where it is not part of the verdict, as in a council without a ballot. */
function readFormConfidence(text: string): number | null {
  const fields = readForm(text).fields.filter(({ name }) => name === 'confidence');
  const [value] = fields.flatMap((field) => field.value);
  return asShare(value ?? '') ?? null;
}
