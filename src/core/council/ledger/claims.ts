// Splits contributions to COLLECT into numbered claims.
import { sha256 } from '../../base/ids.ts';
import { cutBlocks } from './text/blocks.ts';
import type { Stretch } from './text/text-range.ts';
import { MAX_CLAIMS } from './text/limits.ts';
import { findOwnCaseBlocks } from './text/other-side-case.ts';
import type { Contribution, Claim } from '../state/state.ts';

/**
 * Where the claims of a contribution stand: its paragraphs and top-level list items, nested items included.
 * Code, quotes, tables and HTML belong to the claim before them, unless a heading or a rule stands between.
 * What its author says against the own position is no claim.
 * At most `MAX_CLAIMS`; what follows belongs to the last one.
 */
export function splitClaims(text: string): Stretch[] {
  const claims = cutClaims(text);
  const rest = claims[MAX_CLAIMS - 1];
  if (!rest) return claims;
  return [...claims.slice(0, MAX_CLAIMS - 1), { start: rest.start, end: claims.at(-1)?.end ?? rest.end }];
}

/** How many claims a text would have without a limit. */
export const countClaims = (text: string): number => cutClaims(text).length;

function cutClaims(text: string): Stretch[] {
  const claims: Stretch[] = [];
  let growing: Stretch | undefined;
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

/** Where the author of a contribution speaks against the own position. */
export function findOwnCases(text: string): Stretch[] {
  const blocks = cutBlocks(text);
  return [...findOwnCaseBlocks(text, blocks)].map(({ start, end }) => ({ start, end }));
}

/** The claims of contributions, numbered within each of them. */
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
