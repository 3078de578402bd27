// The ledger as threads: each claim with the challenges to it, and the words that they quote as marks in the text.
import type { Challenge, Claim } from '../../core/council/state/state.ts';
import { anchor } from './show.ts';
import type { Mark, MarkdownText } from './markdown/markdown-text.ts';
import type { Seen } from './seen.ts';

export interface Thread {
  /** `text`: null where the claim stands in words beside its thread. */
  claim: (ClaimLine & { text: MarkdownText | null }) | null;
  challenges: Raised[];
  /** Those whose words stand on another page, and how many more there are. */
  elsewhere: Named[];
  more: number;
}

/** A challenge without its words. */
export type Named = Pick<Challenge, 'id' | 'by' | 'against' | 'tour' | 'quote' | 'status' | 'unexplained'>;

/** A challenge with its words and those of its answer. */
export interface Raised extends Named {
  text: MarkdownText;
  answer: MarkdownText | null;
}

interface ClaimLine {
  id: string;
  by: string;
  tour: number;
  /** As it was written. */
  words: string;
}

export interface Threads {
  threads: Thread[];
  /** Those that were said on this page. */
  unchallenged: ClaimLine[];
  /** Unanswered challenges of all rounds, with their words as they were written. */
  silent: (Pick<Challenge, 'id' | 'by' | 'against'> & { words: string })[];
}

/** So many challenges that stand elsewhere are named beside their claim. */
const NAMED = 20;

/** The claims that were challenged with what was said about them, and those that were not: of what stands on this page. */
export function buildThreads(
  { archive: { meta }, ledger, part }: Seen,
  {
    listMarks,
    isHere,
    keep,
    reveal,
  }: {
    /** Whether the contribution with this claim stands on the page. */
    isHere(claim: Claim): boolean;
    listMarks(claim: Claim): readonly Mark[];
    keep(text: MarkdownText): MarkdownText;
    /** Puts names in place of letters. */
    reveal(text: string): string;
  },
): Threads {
  const { claims, challenges } = meta.ledger;
  const words = new Map(ledger.challenges.map((one) => [one.id, one]));
  const texts = new Map(ledger.claims.map(({ id, text }) => [id, text]));
  const isThere = new Set(claims.map(({ id }) => id));
  const findTarget = ({ target }: Challenge): string | null =>
    target !== null && isThere.has(target) ? target : null;
  const toRaised = (challenge: Challenge): Raised => {
    const { text = '', answer = null } = words.get(challenge.id) ?? {};
    const keepText = (kind: string, said: string): MarkdownText =>
      keep({ text: said, prefix: `${anchor(kind, challenge.id)}-`, level: 3, marks: [] });
    return {
      ...challenge,
      text: keepText('challenge', text),
      answer: answer === null ? null : keepText('answer', answer),
    };
  };
  const shown = new Set(part ? challenges.filter(part.isHere) : challenges);
  const here = Map.groupBy(shown, findTarget);
  const elsewhere = Map.groupBy(
    challenges.filter((one) => !shown.has(one)),
    findTarget,
  );
  const line = ({ id, by, tour }: Claim): ClaimLine => ({ id, by, tour, words: reveal(texts.get(id) ?? '') });
  const listThreads = (claim: Claim | null): Thread[] => {
    const own = here.get(claim?.id ?? null) ?? [];
    const isBeside = claim !== null && isHere(claim);
    const others = isBeside ? (elsewhere.get(claim.id) ?? []) : [];
    if (own.length + others.length === 0) return [];
    const text =
      claim && !isBeside ? keep(claimText(claim, texts.get(claim.id) ?? '', listMarks(claim))) : null;
    const named = others.slice(0, NAMED);
    return [
      {
        claim: claim && { ...line(claim), text },
        challenges: own.map(toRaised),
        elsewhere: named,
        more: others.length - named.length,
      },
    ];
  };
  return {
    threads: [...claims, null].flatMap(listThreads),
    unchallenged: claims
      .filter((claim) => (part?.isHere(claim) ?? true) && !here.has(claim.id) && !elsewhere.has(claim.id))
      .map(line),
    silent: challenges
      .filter(({ status }) => status === 'open' || status === 'unanswered')
      .map(({ id, by, against }) => ({ id, by, against, words: reveal(words.get(id)?.text ?? '') })),
  };
}

const claimText = ({ id, start }: Claim, text: string, marks: readonly Mark[]): MarkdownText => ({
  text,
  prefix: `${anchor('claim', id)}-`,
  level: 3,
  marks: shiftMarks(marks, start, text.length),
});

/** The marks in a stretch of a text, counted from its beginning. */
export const shiftMarks = (marks: readonly Mark[], start: number, length: number): Mark[] =>
  marks
    .filter((mark) => mark.start < start + length && start < mark.end)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - start), end: mark.end - start }));
