// Finds where an author argues against their own position: the other side's best case is not their claim.
import { makeOnFirstUse } from '../../../base/memoize.ts';
import { replaceApostrophes } from './answer-words.ts';
import type { Block } from './blocks.ts';
import { SIDE_WORDS } from './support-words.ts';

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
 * Returns the blocks in which the author argues against their own position: everything under such a heading,
 * paragraphs and items that start like this, and whatever follows a line that only announces it.
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
