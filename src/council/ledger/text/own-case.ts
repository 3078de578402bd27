// Finds what an author says against the own position: the best case of the other side is no claim of theirs.
import { onFirstUse } from '../../../base/remember.ts';
import type { Block } from './blocks.ts';

const ADJECTIVE = '(?:best|strongest|most serious|main)';
const MINE = '(?:my|this|the|our)(?: own)? (?:position|claim|proposal|view|case|recommendation)';
/** How such words begin, and how they go on. */
const CASES: readonly (readonly [begins: string, goesOn: string])[] = [
  [`(?:the |my )?${ADJECTIVE} `, `(?:case|argument|objection|point) (?:against|to) (?:${MINE}|me|myself|us)`],
  ['(?:the )?case against ', `(?:${MINE}|me|myself)`],
  ['steel-?man', '\\b'],
  [
    '(?:le |la |ma |mon )?(?:meilleure?|plus forte?) ',
    '(?:argument |objection |plaidoyer |cas )?(?:contre|à) (?:ma|mon|cette|la|ce|moi)(?: propre)?(?: position| proposition| thèse| avis)?',
  ],
  [
    "l['’](?:argument|objection) ",
    '(?:le plus fort|la plus forte) contre (?:ma|cette|la)(?: propre)? position',
  ],
  ['le (?:meilleur |plus fort )?plaidoyer ', 'contre (?:ma|cette|la)(?: propre)? position'],
];
/** Most blocks begin otherwise, and the whole expression is slow to make: 3 ms. */
const BEGINS = new RegExp(CASES.map(([begins]) => begins).join('|'), 'iy');
const OWN_CASE = onFirstUse(() => new RegExp(CASES.map((one) => one.join('')).join('|'), 'iy'));

/** How the words begin, without list numbers, headings and emphasis; undefined where that names no own case. */
function leadOf(words: string): string | undefined {
  const from = /^(?:[\s#*_>"“(]|\d{1,2}[.)] )*/.exec(words)![0].length;
  BEGINS.lastIndex = from;
  if (!BEGINS.test(words)) return undefined;
  OWN_CASE().lastIndex = from;
  const found = OWN_CASE().exec(words)?.[0];
  return found === undefined ? undefined : words.slice(from + found.length);
}

/**
 * Which blocks of a contribution are its author's own case against what it holds: what such a heading stands over, a
 * paragraph or an item that begins so, and what follows a line that says no more than that.
 */
export function ownCaseBlocks(text: string, blocks: readonly Block[]): Set<Block> {
  const own = new Set<Block>();
  /** What goes on below: all up to the next heading, the next block with its list, or only what is attached. */
  let below: 'section' | 'next' | 'items' | 'attached' | undefined;
  for (const block of blocks) {
    const words = text.slice(block.start, Math.min(block.end, block.start + 300));
    const rest = leadOf(words);
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
