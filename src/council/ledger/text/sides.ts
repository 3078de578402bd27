// Tells what a contribution to CHALLENGE brings forward for others and what against them.
import type { Block } from './blocks.ts';

const FOR =
  "for|pro|pros|in favou?r|supports?|supporting|agreements?|points? of agreement|i agree with|what i accept|what convinces me|pour|soutiens?|appuis?|accords?|points? d[’']accord|ce que j[’']accepte";
const AGAINST = 'against|con|cons|challenges?|objections?|disagreements?|contre|défis?|désaccords?';
const WORD = String.raw`^[\s#>*_\d.)(-]*(?:\p{Extended_Pictographic}\uFE0F? ?)?`;
const END = String.raw`[*_)]*[ \u00A0\u202F]?(?:[:：][*_]*)?`;
const [FOR_ALONE, AGAINST_ALONE, FOR_AT_START, AGAINST_AT_START] = [
  new RegExp(`${WORD}(?:${FOR})${END}\\s*$`, 'iu'),
  new RegExp(`${WORD}(?:${AGAINST})${END}\\s*$`, 'iu'),
  new RegExp(`${WORD}(?:${FOR})[*_)]*[ \\u00A0\\u202F]?[:："“«]`, 'iu'),
  new RegExp(`${WORD}(?:${AGAINST})[*_)]*[ \\u00A0\\u202F]?[:："“«]`, 'iu'),
] as const;

/** Follows the blocks of a text in their order, and says of each whether it speaks for what it names. */
export function sideReader(): (text: string, block: Block) => boolean {
  let isFor = false;
  /** How deep the heading is that decides: one below it changes nothing. */
  let depth = 0;
  return (text, block) => {
    const words = text.slice(block.start, Math.min(block.end, block.start + 200));
    const isLabel = block.kind === 'break' || block.kind === 'prose';
    const level = /^#{1,6}/.exec(words)?.[0].length ?? 7;
    if (isLabel && FOR_ALONE.test(words)) [isFor, depth] = [true, level];
    else if (isLabel && AGAINST_ALONE.test(words)) [isFor, depth] = [false, level];
    else if (block.kind === 'break' && level <= depth) isFor = false;
    return isFor;
  };
}

/** What a line says of itself: "for: ada.2", "contre : …"; undefined where it says nothing. */
export function sideAt(line: string): 'for' | 'against' | undefined {
  const words = line.slice(0, 100);
  if (FOR_AT_START.test(words)) return 'for';
  return AGAINST_AT_START.test(words) ? 'against' : undefined;
}
