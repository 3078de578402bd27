// Splits contributions to COLLECT into numbered claims.
import { sha256 } from '../../base/ids.ts';
import { cutBlocks } from './text/blocks.ts';
import type { TextRange } from './text/text-range.ts';
import { MAX_CLAIMS } from './text/limits.ts';
import { findOwnCaseBlocks } from './text/other-side-case.ts';
import type { Contribution, Claim } from '../state/state.ts';

/**
 * Returns the ranges of a contribution's claims: its paragraphs and top-level list items, nested items
 * included. Code, quotes, tables and HTML belong to the claim before them, unless a heading or a rule comes
 * between.
 * What the author says against their own position is not a claim. Returns at most `MAX_CLAIMS`; the last one
 * includes everything that follows.
 */
export function splitClaims(text: string): TextRange[] {
  const claims = cutClaims(text);
  const rest = claims[MAX_CLAIMS - 1];
  if (!rest) return claims;
  return [...claims.slice(0, MAX_CLAIMS - 1), { start: rest.start, end: claims.at(-1)?.end ?? rest.end }];
}

/** Counts a text's claims, without the limit. */
export const countClaims = (text: string): number => cutClaims(text).length;

function cutClaims(text: string): TextRange[] {
  const claims: TextRange[] = [];
  let growing: TextRange | undefined;
  const blocks = cutBlocks(text);
  const ownCase = findOwnCaseBlocks(text, blocks);
  for (const block of blocks) {
    const { kind, start, end } = block;
    if (kind === 'break' || ownCase.has(block)) growing = undefined;
    else if (kind === 'prose' || kind === 'item') {
      growing = { start, end };
      claims.push(growing);
    } else if (growing) growing.end = end;
  }
  return claims;
}

/** Returns the ranges in which the author argues against their own position. */
export function findOwnCases(text: string): TextRange[] {
  const blocks = cutBlocks(text);
  return [...findOwnCaseBlocks(text, blocks)].map(({ start, end }) => ({ start, end }));
}

/** Returns the claims of all contributions, numbered within each. */
export function readClaims(contributions: readonly Contribution[]): Claim[] {
  return contributions.flatMap(({ by, tour, text }) =>
    splitClaims(text).map(({ start, end }, index): Claim => ({
      id: `${by}.${index + 1}`,
      by,
      tour,
      start,
      end,
      sha256: sha256(text.slice(start, end)).slice(0, 16),
    })),
  );
}
