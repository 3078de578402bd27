// Finds what an author says against the own position: the best case of the other side is no claim of theirs.
import { onFirstUse } from '../../../base/memoize.ts';
import { plainApostrophes } from './answer-words.ts';
import type { Block } from './blocks.ts';
import { SIDE_WORDS } from './support-words.ts';

const OWN_CASE = onFirstUse(
  () =>
    new RegExp(
      `^(?:[\\s#*_>"“(]|\\d{1,2}[.)] )*(?:${SIDE_WORDS.map(({ ownCase }) => ownCase).join('|')})`,
      'i',
    ),
);

/** What stands behind such words at the beginning, without list numbers, headings and emphasis; undefined where there are none. */
function findBehindCase(words: string): string | undefined {
  const found = OWN_CASE().exec(plainApostrophes(words))?.[0];
  return found === undefined ? undefined : words.slice(found.length);
}

/**
 * Which blocks of a contribution are its author's own case against what it holds: what such a heading stands over, a
 * paragraph or an item that begins so, and what follows a line that says no more than that.
 */
export function findOwnCaseBlocks(text: string, blocks: readonly Block[]): Set<Block> {
  const own = new Set<Block>();
  /** What goes on below: all up to the next heading, the next block with its list, or only what is attached. */
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
