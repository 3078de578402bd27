// Tells what a contribution to CHALLENGE says for others and what against them. Only known phrases
// count as support: anything uncertain stays a challenge.
import { onFirstUse } from '../../../base/memoize.ts';
import { plainApostrophes } from './answer-words.ts';
import type { Block } from './blocks.ts';
import { LANGUAGES } from './languages.ts';
import { SIDE_WORDS } from './support-words.ts';

const WORD = String.raw`^[\s#>*_\d.)(-]*(?:\p{Extended_Pictographic}\uFE0F? ?)?[*_]*`;
const END = String.raw`[*_)]*[ \u00A0\u202F]?`;

const patterns = onFirstUse(() => {
  const join = (column: 'for' | 'against' | 'held') => SIDE_WORDS.map((one) => one[column]).join('|');
  const make = (pattern: string) => new RegExp(pattern, 'iu');
  const alone = (words: string) => make(`${WORD}(?:${words})${END}(?:[:：][*_]*)?\\s*$`);
  const atStart = (words: string) => make(`${WORD}(?:${words})${END}[:："“«「]`);
  const [sideFor, against] = [join('for'), join('against')];
  const back = LANGUAGES.flatMap((one) => [one.but, one.if]).join('|');
  return {
    alone: { for: alone(sideFor), against: alone(against) },
    atStart: { for: atStart(sideFor), against: atStart(against) },
    held: make(join('held')),
    /** What takes such a sentence back, or asks something. */
    doubt: make(`[?？]|(?<!\\p{sc=Latin})(?:${back})(?!\\p{sc=Latin})`),
  };
});

type Side = 'for' | 'against';
const findSide = (words: string, by: Record<Side, RegExp>): Side | undefined =>
  (['for', 'against'] as const).find((side) => by[side].test(plainApostrophes(words.slice(0, 200))));

/** Follows the blocks of a text in their order, and says of each whether it speaks for what it names. */
export function sideReader(): (text: string, block: Block) => boolean {
  let isFor = false;
  /** How deep the heading is that decides: one below it changes nothing. */
  let depth = 0;
  return (text, { kind, start, end }) => {
    const words = text.slice(start, Math.min(end, start + 200));
    const side = kind === 'break' || kind === 'prose' ? findSide(words, patterns().alone) : undefined;
    const level = /^#{1,6}/.exec(words)?.[0].length ?? 7;
    if (side) [isFor, depth] = [side === 'for', level];
    else if (kind === 'break' && level <= depth) isFor = false;
    return isFor;
  };
}

/** What a line says of itself: "for: ada.2", "holds: ada.2", "contre : …"; undefined where it says nothing. */
export const readSide = (line: string): Side | undefined => findSide(line, patterns().atStart);

/** Longer words argue. */
const LONGEST = 2000;

/** Whether words say that a claim stood when their author tried to break it, and nothing behind that takes it back. */
export function saysItHolds(words: string): boolean {
  if (words.length > LONGEST) return false;
  const said = plainApostrophes(words.replace(/[*_`]/g, ''));
  const found = patterns().held.exec(said);
  const behind = found ? said.slice(found.index + found[0].length) : '?';
  return found !== null && !patterns().doubt.test(behind) && !/[?？]/.test(said.slice(0, found.index));
}
