// The ledger as threads: each claim with its challenges, whose quotes are marked in the text.
import type { Challenge, Claim } from '../../core/council/state/state.ts';
import { formatAnchor } from './page-formats.ts';
import type { QuoteMark, MarkdownText } from './markdown/markdown-text.ts';
import type { SeenCouncil } from './seen-council.ts';

export interface ClaimThread {
  /** `text`: null if the claim's text is shown next to its thread. */
  claim: (ClaimLine & { text: MarkdownText | null }) | null;
  challenges: ChallengeTexts[];
  /** Challenges with their text on another page. */
  elsewhere: ChallengeFacts[];
  /** How many more there are elsewhere. */
  more: number;
}

/** A challenge without its text. */
export type ChallengeFacts = Pick<
  Challenge,
  'id' | 'by' | 'against' | 'tour' | 'quote' | 'status' | 'unexplained'
>;

/** A challenge with its text and answer. */
export interface ChallengeTexts extends ChallengeFacts {
  text: MarkdownText;
  answer: MarkdownText | null;
}

interface ClaimLine {
  id: string;
  by: string;
  tour: number;
  /** As written. */
  words: string;
}

export interface Threads {
  threads: ClaimThread[];
  /** Claims of this page that nobody challenged. */
  unchallenged: ClaimLine[];
  /** Open or unanswered challenges of all rounds, with their texts as written. */
  silent: (Pick<Challenge, 'id' | 'by' | 'against'> & { words: string })[];
}

/** Maximum number of challenges on other pages that are listed with their claim. */
const NAMED = 20;

/** Builds the threads of this page, and its claims without challenges. */
export function buildThreads(
  { archive: { meta }, ledger, part }: SeenCouncil,
  {
    listMarks,
    isHere,
    keep,
    reveal,
  }: {
    /** Returns whether the contribution with this claim is on the page. */
    isHere(claim: Claim): boolean;
    listMarks(claim: Claim): readonly QuoteMark[];
    /** Registers a text to be formatted; returns it with names revealed. */
    keep(text: MarkdownText): MarkdownText;
    /** Replaces letters by names. */
    reveal(text: string): string;
  },
): Threads {
  const { claims, challenges } = meta.ledger;
  const words = new Map(ledger.challenges.map((one) => [one.id, one]));
  const texts = new Map(ledger.claims.map(({ id, text }) => [id, text]));
  const isThere = new Set(claims.map(({ id }) => id));
  const findTarget = ({ target }: Challenge): string | null =>
    target !== null && isThere.has(target) ? target : null;
  const toRaised = (challenge: Challenge): ChallengeTexts => {
    const { text = '', answer = null } = words.get(challenge.id) ?? {};
    const keepText = (kind: string, said: string): MarkdownText =>
      keep({ text: said, prefix: `${formatAnchor(kind, challenge.id)}-`, level: 3, marks: [] });
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
  const toClaimLine = ({ id, by, tour }: Claim): ClaimLine => ({
    id,
    by,
    tour,
    words: reveal(texts.get(id) ?? ''),
  });
  const listThreads = (claim: Claim | null): ClaimThread[] => {
    const own = here.get(claim?.id ?? null) ?? [];
    const isBeside = claim !== null && isHere(claim);
    const others = isBeside ? (elsewhere.get(claim.id) ?? []) : [];
    if (own.length + others.length === 0) return [];
    const text =
      claim && !isBeside ? keep(buildClaimText(claim, texts.get(claim.id) ?? '', listMarks(claim))) : null;
    const named = others.slice(0, NAMED);
    return [
      {
        claim: claim && { ...toClaimLine(claim), text },
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
      .map(toClaimLine),
    silent: challenges
      .filter(({ status }) => status === 'open' || status === 'unanswered')
      .map(({ id, by, against }) => ({ id, by, against, words: reveal(words.get(id)?.text ?? '') })),
  };
}

const buildClaimText = ({ id, start }: Claim, text: string, marks: readonly QuoteMark[]): MarkdownText => ({
  text,
  prefix: `${formatAnchor('claim', id)}-`,
  level: 3,
  marks: shiftMarks(marks, start, text.length),
});

/** Returns the marks in a part of a text, relative to its start; one that goes on behind the part keeps its end. */
export const shiftMarks = (marks: readonly QuoteMark[], start: number, length: number): QuoteMark[] =>
  marks
    .filter((mark) => mark.start < start + length && start < mark.end)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - start), end: mark.end - start }));
