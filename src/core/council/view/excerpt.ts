// Reads the claims and challenges that a reader may see, with their words.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { toOneLine } from '../../base/text.ts';
import type { TextRange } from '../ledger/text/limits.ts';
import { mapClaimIds, getLabels } from '../naming/labels.ts';
import { formatTurnKey } from '../state/state.ts';
import type { Contribution, Council, Challenge, ContributionSpan } from '../state/state.ts';
import type { ChallengeStatus, QuoteStatus } from '../state/allowed-values.ts';
import type { Mask, MaskedText } from '../naming/mask.ts';

/** A claim with its id in views: "sage.1", or "b.1" in an anonymous council. */
export interface SeenClaim {
  id: string;
  text: string;
}

/** A challenge with the words of both sides. `by` and `against` are labels. */
export interface SeenChallenge {
  id: string;
  by: string;
  /** Null without an addressee. */
  against: string | null;
  /** The claim it is aimed at, verbatim; null if unknown. */
  claim: SeenClaim | null;
  text: string;
  quote: QuoteStatus;
  status: ChallengeStatus;
}

/** Longer openings of claims are cut, in characters. */
const FIRST_WORDS = 60;

/** Reads the ledger's ranges from the contributions, as `reader` may see them: their own words stay unmasked. */
export function createExcerptReader(
  { state, contributions }: Council,
  getSeenText: (span: ContributionSpan) => ShowText,
  reader: string,
) {
  const labels = getLabels(state);
  const names = mapClaimIds(state);
  const claims = new Map(state.ledger.claims.map((claim) => [claim.id, claim]));
  const byTurn = new Map(contributions.map((said) => [formatTurnKey(said), said.text]));
  const cutMasked = (span: ContributionSpan, short: (text: string) => string = (text) => text): string => {
    const text = byTurn.get(formatTurnKey(span)) ?? '';
    const stretch = trimSpan(text, span);
    return short(
      span.by === reader ? text.slice(stretch.start, stretch.end) : getSeenText(span)(text, stretch).text,
    );
  };
  const getLabel = (id: string) => labels.get(id) ?? id;
  const listClaims = (id: string, short?: (text: string) => string): SeenClaim[] => {
    const claim = claims.get(id);
    const text = claim ? cutMasked(claim, short) : '';
    return text === '' ? [] : [{ id: names.get(id) ?? id, text }];
  };
  return {
    /** Returns the claims of one contribution with their first words, in text order. */
    claims: ({ by, tour }: Pick<Contribution, 'by' | 'tour'>): SeenClaim[] =>
      state.ledger.claims
        .filter((claim) => claim.by === by && claim.tour === tour)
        .flatMap(({ id }) => listClaims(id, cutFirstWords)),
    challenge: (challenge: Challenge): SeenChallenge => ({
      id: challenge.id,
      by: getLabel(challenge.by),
      against: challenge.against === null ? null : getLabel(challenge.against),
      claim: challenge.target === null ? null : (listClaims(challenge.target)[0] ?? null),
      text: cutMasked(challenge),
      quote: challenge.quote,
      status: challenge.status,
    }),
  };
}

/** Trims a range to its words. Front matter, with its confidence, is not part of a claim. */
function trimSpan(text: string, { start, end }: ContributionSpan): TextRange {
  const block = cutFrontMatter(text);
  const from = Math.min(end, block ? Math.max(start, text.length - block.body.length) : start);
  const words = text.slice(from, end);
  return { start: from + words.length - words.trimStart().length, end: from + words.trimEnd().length };
}

function cutFirstWords(text: string): string {
  const line = toOneLine(text.slice(0, 20 * FIRST_WORDS), 20 * FIRST_WORDS);
  const chars = [...line];
  if (chars.length <= FIRST_WORDS) return line;
  const beginning = chars.slice(0, FIRST_WORDS).join('');
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf(' '), FIRST_WORDS / 2))}…`;
}

/** Shows a text, or a range of it, as one reader sees it. */
export type ShowText = (text: string, stretch?: TextRange) => MaskedText;

/** Words or sentence ends around a label that identify a passage; searched within `WIDEST` UTF-16 units. */
const [BESIDE, WIDEST] = [3, 160];
const WORD = /[\p{L}\p{N}\p{M}]+|(?:[.!?…"“”«»„。「」()[\]]|\n\s*\n)+/gu;

/**
 * Masks the texts of others, except for names in passages that the reader wrote. A quote that came back with a
 * label in place of a name would tell the reader, who wrote that name, whose label it is.
 */
export function maskForReader(own: readonly string[], mask: Mask): ShowText {
  const written = new Map<string, string>();
  const labels = new Set<string>();
  for (const { text, places } of own.map((words) => mask(words)))
    for (const { at, label, name } of places) {
      labels.add(label);
      for (const words of listSurroundings(text, at, at + label.length, label))
        if (!written.has(words)) written.set(words, name);
    }
  if (labels.size === 0) return mask;
  const anyLabel = new RegExp([...labels].map(makeBroken).join('|'), 'gu');
  return (text, stretch) => {
    const seen = mask(text, stretch);
    const restore = (label: string, at: number): string => {
      const beside = listSurroundings(seen.text, at, at + label.length, label.replace(/[\s>]+/g, ' '));
      return beside.map((words) => written.get(words)).find((name) => name !== undefined) ?? label;
    };
    return { ...seen, text: seen.text.replace(anyLabel, restore) };
  };
}

/** Returns the label with its neighbouring words, in every split of `BESIDE` words before and after. */
function listSurroundings(text: string, start: number, end: number, label: string): string[] {
  const before = ['.', ...splitWords(text.slice(Math.max(0, start - WIDEST), start))].slice(-BESIDE);
  const behind = [...splitWords(text.slice(end, end + WIDEST)), '.'].slice(0, BESIDE);
  return Array.from({ length: BESIDE + 1 }, (_, from) => [
    from === 0 ? [] : before.slice(-from),
    behind.slice(0, BESIDE - from),
  ])
    .filter(([left, right]) => left!.length + right!.length === BESIDE)
    .map(([left, right]) => [...left!, label, ...right!].join(' '));
}

const splitWords = (text: string): string[] =>
  (text.match(WORD) ?? []).map((word) => (/[\p{L}\p{N}]/u.test(word) ? word.toLowerCase() : '.'));

/** Makes a pattern for a label, which may be broken over two quoted lines. */
const makeBroken = (label: string): string =>
  String.raw`(?<![\p{L}\p{N}])${label.replace(/[[\]]/g, String.raw`\$&`).replace(/\s+/g, String.raw`[\s>]+`)}(?![\p{L}\p{N}])`;

/** Renders claims for a prompt, one per line. */
export const renderClaims = (claims: readonly SeenClaim[]): string =>
  claims.map(({ id, text }) => `@${id} ${text}`).join('\n');
