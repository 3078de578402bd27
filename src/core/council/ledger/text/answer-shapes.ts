// Patterns for the layout of an answer to a challenge: ids, headers of tables and lists. Data only.
import { makeOnFirstUse } from '../../../base/memoize.ts';
import { AND } from './form-words.ts';
import { LANGUAGES } from './languages.ts';

const SPACE = '[ \\u00A0\\u202F]';
/** Code that contains more than an id is a quotation. */
const ID = '[*_[(]*(?:`@?c\\d{1,6}`|@?c\\d{1,6}(?![\\w`]))[*_\\])]*';
/** One id, or several: "c1, c2 and c3". */
const IDS = `${ID}(?:(?:${SPACE}?[,，、&+/]${SPACE}?(?:(?:${AND}) )?|${SPACE}(?:${AND}|&)${SPACE})${ID}){0,20}`;
const ABOUT =
  "(?:@[\\w-]+[,:]? )?(?:(?:my |the |ma |le |la )?(?:(?:answer|reply|response|réponse|antwort)s? (?:to|à|au|auf) )?(?:(?:re|regarding|concerning|for|on|to|as to|about|sur|pour|concernant|quant à|à|zu) )?(?:(?:the |le |l['’])?(?:challenges?|objections?|défis?|einwand) )?)";
const WHO = `(?:${SPACE}?[(（](?!c\\d)([^()（）\\n]{1,60})[)）])?`;
const IDS_FIRST = `^[\\s*_#]*(?:\\p{Extended_Pictographic}\\uFE0F? ?)?[*_]*${ABOUT}(${IDS})`;
const SEPARATOR = `(?:${SPACE}?[:：]${SPACE}*|[.。]${SPACE}*(?=\\P{N})|[,，]${SPACE}*(?=I |we |je |j['’]|ich )|${SPACE}?(?:→|⇒|[=-]+>|=)${SPACE}?|${SPACE}?[—–-]{1,2}${SPACE}|${SPACE}(?=\\S)|(?=\\n)|$)`;
export const FIRST = new RegExp(`${IDS_FIRST}${WHO}[*_\`]*(${SEPARATOR})[*_\`]*`, 'iu');
export const SIGN = /^[\p{Extended_Pictographic}✓✗✘]/u;
export const ALONE = new RegExp(`${IDS_FIRST}${WHO}[\\s:：*_\`.]*$`, 'iu');
export const LAST = new RegExp(
  `^(?:${SPACE}|[*_\`]*${SPACE}?[:：][*_\`]*${SPACE}*)(${IDS})(?=[\\s:：.,;!，。；—–-]|$)`,
  'iu',
);
export const CLOSING = /^[*_`)\]]*[ \u00A0\u202F]?[:：.。,，;；—–-]?[*_`:]*/;
/** Words before a head on the same line: "On reflection: c1 rejected". */
export const LEAD = /^[^:：\n]{1,40}[:：][ ]*(?=[*_`]*@?c\d)/i;
/** Where a second head may start on the same line: "c1 conceded, c2 rejected", "I concede c1 and reject c2". */
export const NEXT =
  /(?:[;,.]\s+|[；，。]\s*|\s+(?:and|et|und|but|while|mais)\s+)(?=[*_`]*@?c\d|\p{L}+[ ]@?c\d)/giu;

/** Neutral prefixes of an answer: "**Status:**", "both", a yes or no, a symbol. */
export const ANSWER_LEAD = makeOnFirstUse(
  () =>
    new RegExp(
      `^[\\s*_\`>:：–—-]*(?:(?:${LANGUAGES.map(({ column }) => column).join('|')})[*_]*[ \\u00A0]?[:：][\\s*_]*)?(?:(?:is|are|was|were|est|sont|both|all|les deux)\\s+|(?:(?<yes>yes|ok(?:ay)?|oui|ja|sí|sì|sim|${LANGUAGES.map((one) => one.right).join('|')})|(?<no>no|non|nein|não|nee))[ ]?[,.:;—–-]+\\s*|(?<sign>[\\p{Extended_Pictographic}✓✗✘])\\uFE0F?[\\s*_:]*)*[*_]*`,
      'iu',
    ),
);

export const COLUMN = makeOnFirstUse(
  () => new RegExp(`^[\\s*_]*(?:${LANGUAGES.map(({ column }) => column).join('|')})[\\s*_]*$`, 'iu'),
);

export const NOUN = makeOnFirstUse(
  () => new RegExp(`^(?: ?(?:${LANGUAGES.map((one) => one.challenges).join('|')}))?[\\s*_:：]*$`, 'iu'),
);
