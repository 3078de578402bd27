// How a contribution names claims, challenges, and whose words it quotes. Data only: what is looked for, and its groups by name.

import { AND } from './form-words.ts';

const ID = String.raw`(?<name>[a-z0-9][a-z0-9-]{0,80})`;
const NUMBERED = String.raw`${ID}\.(?<number>\d{1,4})`;
const LEAD =
  "^[\\s*_`[({\"'>#-]*(?:(?:on|re|in|regarding|about|against|concerning|contrary to|as to|to|dans|sur|contre|concernant|quant à|à propos de|zu|in|gegen|en|sobre|su|em|op|tegen)[ :]+)?(?:(?:the |l['’])?(?:claim|affirmation) )?";
const MARK =
  '[*_`\\])}]*(?: ?\\([^)\\n]{1,60}\\))?[*_`]*(?:[ \\u00A0\\u202F]?[:：—–][*_`]*|[ ]-(?=[ ])|,(?=[ ])|\\.?$)';
const WHO = `(?:@|(?<label>participant) |)${ID}`;
const NUMBER = '(?:no\\. ?|n° ?|#)?(?<number>\\d{1,4})';

/** With its `@` an id can only be an address: brackets and emphasis may stand around it; `@sage.2.1` and `@sage.2-b` are something else. */
export const CERTAIN_ADDRESS = new RegExp(
  String.raw`^[\s*_\`[({"']*@${NUMBERED}(?![\w-]|\.\d)[*_\`\])}:]*`,
  'i',
);
/** "ada.2:", where a mark says that the words behind it are about that claim; "[ada.2] …", "ada, claim 2:" and "claim 2 of ada:". */
export const ADDRESSES = [
  new RegExp(`${LEAD}@?${NUMBERED}${MARK}`, 'im'),
  new RegExp(String.raw`^[\s*_>#-]*[[(]@?${NUMBERED}[\])][*_:]*`, 'i'),
  new RegExp(`${LEAD}${WHO}[*_]*(?:['’]s)?,? (?:claim|point|affirmation) ${NUMBER}${MARK}`, 'im'),
  new RegExp(`${LEAD}(?:claim|point|affirmation) ${NUMBER} (?:of|by|from|de) ${WHO}${MARK}`, 'im'),
];
/** An id and nothing beside it. */
export const ALONE = new RegExp(String.raw`^[\s*_\`[(]*@?${NUMBERED}[\s*_\`\])]*$`, 'i');
export const ANYWHERE = new RegExp(
  String.raw`(?<![\w.@-])@?(?:${NUMBERED}|(?<challenge>c\d{1,6}))(?![\w-]|\.\d)`,
  'gi',
);

/** What joins the ids of several claims, and a mark behind the last one. */
export const JOINED = new RegExp(
  `^[*_\`\\])}]*[ ]?(?:[,，、&+/]|[ ](?:${AND})(?=[ ]))(?: (?:${AND}))?[ ]?[*_\`[({@]*$`,
);
export const BEHIND_LEAD =
  /^[*_`\])}]*(?: ?\([^)\n]{1,60}\))?[*_`]*(?:[ \u00A0\u202F]?[:：—–?？→=][*_`]*|[ ]-(?=[ ]))/;

const NAME = String.raw`(?:@|(?<label>participant)[ \u00A0]|)(?<name>[\p{L}\p{N}][\p{L}\p{N}-]{0,80})`;
const CLAIM_NUMBER = String.raw`(?:[,.]? ?(?:claim|point|item|affirmation|argument|no\.|n°|#|§)? ?#?(?<number>\d{1,4}))?`;
const SAYS =
  '(?:writes?|wrote|says?|said|claims?|claimed|argues?|argued|states?|stated|asserts?|asserted|holds?|admits?|admitted|concedes?|notes?|thinks?|believes?|maintains?|insists?|écrit|dit|affirme|soutient|prétend|avance|note|admet|reconnaît|pense)';
/** Words in front of a quote: a name and nothing more, or a name and a verb of saying. */
export const NAMED_BEFORE = new RegExp(
  String.raw`(?:^|[.!?|\n]\s*)[\s*_>#|\d.)(–—-]*(?:(?:as|when|re|on|regarding|from|selon|comme|quand|d['’]après) )?${NAME}${CLAIM_NUMBER}[*_)]*(?:['’]s (?:claim|point)s?(?: ?#?\d{1,4})?)?(?: \([^()\n]{1,40}\))?[*_]*(?: ${SAYS}(?: [\p{L}'’]+){0,3})?[\s:：,|*_(—–-]*["“„«‘']?$`,
  'iu',
);
/** Words behind it. */
export const NAMED_BEHIND = new RegExp(
  String.raw`^["”“»’'*_.,;\s>]*(?:[—–]|--?|\()\s*[*_]*${NAME}[*_]*${CLAIM_NUMBER}\s*[*_)]*[.,]?(?:\s*$|\n| \|)`,
  'iu',
);

const LINE_NAME = String.raw`(?:\*{0,2}@?(?:[Pp]articipant [A-Za-z]{1,2}|\p{Lu}[\p{L}\p{N}_-]*(?: \p{Lu}[\p{L}\p{N}_-]*){0,2}|@[\p{L}\p{N}_-]+)\*{0,2})`;
const DETAIL = String.raw`(?:[,.]? ?\(?(?:(?:[Cc]laim|[Pp]oint|[Aa]ffirmation) ?)?[#.]?\d{1,4}\)?| ?\([^()\r\n]{1,40}\))?`;
/** A last line that says whose words they are. Behind a hyphen, which begins an item as well, it has to look like a name. */
export const NAMED_IN_LAST_LINE = new RegExp(
  String.raw`[\r\n]+[ \t>]*(?:[—–-]{1,2}[ \t]*${LINE_NAME}|(?:[—–]|--)[ \t]*[\p{L}\p{N}_-]+)${DETAIL}[.]?\s*$`,
  'u',
);
/** The same behind the mark that closes the whole. */
export const NAMED_BEHIND_MARK = new RegExp(
  String.raw`[ \t]*(?:\([^()\r\n]{1,60}\)|[—–-]{1,2}[ \t]*(?:${LINE_NAME}|[\p{L}\p{N}_-]+)${DETAIL})[.,]?\s*$`,
  'u',
);
/** What may stand in front of a quotation that is all of a quote: the marks of a quote, of an item, of emphasis. */
export const BEFORE_QUOTATION = /^[\s>*_]*(?:(?:[-*+•]|\d{1,3}[.)])[ ]+)?[\s>*_]*$/;
