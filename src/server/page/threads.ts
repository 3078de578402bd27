// The ledger as threads: each claim with the challenges to it, and the words that they quote as marks in the text.
import type { Challenge, Claim } from '../../core/council/state/state.ts';
import { anchor } from './show.ts';
import type { Mark, MarkdownText } from './markdown/markdown-text.ts';
import { inRounds } from './seen.ts';
import type { Seen } from './seen.ts';
import type { QuotedPlace } from '../../core/council/ledger/quoted-places.ts';

export interface Thread {
  /** `text`: null where the claim stands in words beside its thread. */
  claim: (ClaimLine & { text: MarkdownText | null }) | null;
  challenges: Raised[];
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
  /** Challenges of other rounds; `isHere`: their claim has a thread above. */
  foldedThreads: { claim: (ClaimLine & { isHere: boolean }) | null; challenges: Named[] }[];
  unchallenged: ClaimLine[];
  /** Unanswered challenges of all rounds, with their words as they were written. */
  silent: (Pick<Challenge, 'id' | 'by' | 'against'> & { words: string })[];
}

/** The claims that were challenged with what was said about them, and those that were not. */
export function buildThreads(
  { archive: { meta }, ledger, rounds }: Seen,
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
  const shown = new Set(inRounds(challenges, rounds));
  const here = Map.groupBy(shown, findTarget);
  const elsewhere = Map.groupBy(
    challenges.filter((one) => !shown.has(one)),
    findTarget,
  );
  const line = ({ id, by, tour }: Claim): ClaimLine => ({ id, by, tour, words: reveal(texts.get(id) ?? '') });
  const listThreads = (claim: Claim | null): Thread[] => {
    const own = here.get(claim?.id ?? null);
    if (!own) return [];
    const isBeside = claim !== null && isHere(claim);
    const text =
      claim && !isBeside ? keep(claimText(claim, texts.get(claim.id) ?? '', listMarks(claim))) : null;
    return [{ claim: claim && { ...line(claim), text }, challenges: own.map(toRaised) }];
  };
  const listFolded = (claim: Claim | null): Threads['foldedThreads'] => {
    const own = elsewhere.get(claim?.id ?? null);
    return own ? [{ claim: claim && { ...line(claim), isHere: here.has(claim.id) }, challenges: own }] : [];
  };
  return {
    threads: [...claims, null].flatMap(listThreads),
    foldedThreads: [...claims, null].flatMap(listFolded),
    unchallenged: claims.filter(({ id }) => !here.has(id) && !elsewhere.has(id)).map(line),
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

export const toPageMark = ({ challenge, start, end }: QuotedPlace): Mark => ({
  challenge,
  start,
  end,
  href: `#${anchor('challenge', challenge)}`,
});

/** The marks in a stretch of a text, counted from its beginning. */
export const shiftMarks = (marks: readonly Mark[], start: number, length: number): Mark[] =>
  marks
    .filter((mark) => mark.start < start + length && start < mark.end)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - start), end: mark.end - start }));
