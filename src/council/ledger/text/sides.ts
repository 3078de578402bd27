// Tells what a contribution to CHALLENGE brings forward for others and what against them. Only forms that are known speak for
// somebody: whatever is not certain stays a challenge.
import { LANGUAGES } from './languages.ts';
import type { Block } from './blocks.ts';

const BREAK = '(?:break|refute|falsify|disprove)';
const CASSER = '(?:réfuter|casser|contredire|démentir)';
/** How headings and lines begin that speak for what they name, and those that speak against it. */
const FOR = [
  'for|pro|pros|in favou?r|supports?|supporting|agreements?|points? of agreement|i agree with|what i accept|what convinces me',
  '(?:what|claims? that|which) (?:holds?|held|stands?)(?: up)?|holds?(?: up)?|not broken|unbroken',
  `(?:(?:the )?claims? (?:that |which )?)?(?:(?:i|we) )?(?:(?:have )?tried (?:and failed )to ${BREAK}|(?:have )?tried to ${BREAK},? (?:and|but) (?:could not|couldn't|failed)|(?:could not|couldn't|failed to) ${BREAK})`,
  "pour|soutiens?|appuis?|accords?|points? d[’']accord|ce que j[’']accepte|(?:ce qui )?tient|tiennent|(?:affirmations? )?non réfutées?",
  `(?:(?:les )?affirmations? que )?(?:je n['’]ai|nous n['’]avons) pas (?:pu|réussi à) ${CASSER}|(?:(?:les )?affirmations? que )?(?:j['’]ai|nous avons) (?:essayé|tenté) de ${CASSER},? (?:en vain|sans (?:succès|y parvenir))`,
].join('|');
const AGAINST = 'against|con|cons|challenges?|objections?|disagreements?|contre|défis?|désaccords?';

/** One sign of a sentence; the stop in "ada.2" does not end it. */
const SAME = '(?:[^.!?;]|\\.(?=\\d))';
/** What a sentence says of a claim that stood: that its author tried to break it, and could not. */
const HELD = new RegExp(
  [
    `(?:tried|attempted|sought) to ${BREAK}${SAME}{0,160}?(?:and|but) (?:could not|couldn't|failed|did not succeed)(?: ${BREAK} (?:it|this|that|them))?`,
    `(?:i|we) (?:could not|couldn't|failed to|was unable to|were unable to) ${BREAK} (?:it|this|that|them)`,
    `looked for (?:an? )?counter-?examples?${SAME}{0,80}? and found none`,
    '(?<=[.!:—–] ?)(?:it|this|the claim) (?:holds|stands)(?: up)?(?=[.!])',
    `(?:essayé|tenté) de (?:la |le )?${CASSER}${SAME}{0,160}?,? (?:en vain|sans (?:succès|y parvenir))`,
    `je n['’]ai pas (?:pu|réussi à) (?:la |le )${CASSER}`,
    `cherché un contre-exemple${SAME}{0,80}? (?:en vain|sans en trouver|et n['’]en ai trouvé aucun)`,
  ].join('|'),
  'iu',
);
/** What takes such a sentence back, or asks something: then it is not certain. */
const DOUBT = new RegExp(
  `[?？]|(?<![\\p{L}])(?:${LANGUAGES.slice(0, 2)
    .map((one) => `${one.but}|if|though|although|si|à condition`)
    .join('|')})(?![\\p{L}])`,
  'iu',
);

const WORD = String.raw`^[\s#>*_\d.)(-]*(?:\p{Extended_Pictographic}\uFE0F? ?)?[*_]*`;
const END = String.raw`[*_)]*[ \u00A0\u202F]?(?:[:：][*_]*)?`;
const alone = (words: string) => new RegExp(`${WORD}(?:${words})${END}\\s*$`, 'iu');
const atStart = (words: string) => new RegExp(`${WORD}(?:${words})[*_)]*[ \\u00A0\\u202F]?[:："“«]`, 'iu');
const [FOR_ALONE, AGAINST_ALONE, FOR_AT_START, AGAINST_AT_START] = [
  alone(FOR),
  alone(AGAINST),
  atStart(FOR),
  atStart(AGAINST),
];

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

/** What a line says of itself: "for: ada.2", "holds: ada.2", "contre : …"; undefined where it says nothing. */
export function sideAt(line: string): 'for' | 'against' | undefined {
  const words = line.slice(0, 200);
  if (FOR_AT_START.test(words)) return 'for';
  return AGAINST_AT_START.test(words) ? 'against' : undefined;
}

/** Longer words argue. */
const LONGEST = 2000;

/** Whether words say that a claim stood when their author tried to break it, and nothing behind that takes it back. */
export function saysItHolds(words: string): boolean {
  if (words.length > LONGEST) return false;
  const said = words.replace(/[*_`]/g, '').replaceAll('’', "'");
  const found = HELD.exec(said);
  return (
    found !== null &&
    !DOUBT.test(said.slice(found.index + found[0].length)) &&
    !said.slice(0, found.index).includes('?')
  );
}
