// Splits contributions to COLLECT into numbered claims.
import { sha256 } from '../../base/ids.ts';
import { cutBlocks } from './text/blocks.ts';
import type { TextRange } from './text/limits.ts';
import { MAX_CLAIMS } from './text/limits.ts';
import type { Contribution, Claim } from '../state/state.ts';
import { makeOnFirstUse } from '../../base/memoize.ts';
import { replaceApostrophes } from './text/answer-words.ts';
import type { Block } from './text/blocks.ts';
import { SIDE_WORDS } from './text/support-words.ts';

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

const OWN_CASE = makeOnFirstUse(
  () =>
    new RegExp(
      `^(?:[\\s#*_>"“(]|\\d{1,2}[.)] )*(?:${SIDE_WORDS.map(({ ownCase }) => ownCase).join('|')})`,
      'i',
    ),
);

/** Returns the text after such an opening, ignoring numbers, heading marks and emphasis; undefined if none. */
function findBehindCase(words: string): string | undefined {
  const found = OWN_CASE().exec(replaceApostrophes(words))?.[0];
  return found === undefined ? undefined : words.slice(found.length);
}

/**
 * Returns the blocks in which the author argues against their own position: all blocks below a heading such as
 * "The best case against my position", a block that begins with these words, and the block after a line that has
 * only these words.
 */
export function findOwnCaseBlocks(text: string, blocks: readonly Block[]): Set<Block> {
  const own = new Set<Block>();
  /** How much belongs to it: up to the next heading, the next block with its list, or only attached blocks. */
  let below: 'section' | 'next' | 'items' | 'attached' | undefined;
  for (const block of blocks) {
    const words = text.slice(block.start, Math.min(block.end, block.start + 300));
    const rest = findBehindCase(words);
    if (block.kind === 'break') below = rest === undefined ? undefined : 'section';
    else if (rest !== undefined) {
      own.add(block);
      below = below === 'section' ? below : /^[\s*_:.)]*$/.test(rest) ? 'next' : 'attached';
    } else if (below === 'section') own.add(block);
    else if (block.kind === 'attached' || block.kind === 'quote') {
      if (below !== undefined) own.add(block);
    } else if (below === 'next' || (below === 'items' && block.kind === 'item')) {
      own.add(block);
      below = block.kind === 'item' ? 'items' : 'attached';
    } else below = undefined;
  }
  return own;
}
