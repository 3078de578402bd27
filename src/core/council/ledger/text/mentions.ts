// Recognizes mentions of claims and challenges in a contribution, and the attributions of its quotes.
import { findMarked } from './marks.ts';
import type { TextRange } from './limits.ts';
import { AND } from './form-words.ts';

const ID = String.raw`(?<name>[a-z0-9][a-z0-9-]{0,80})`;
const NUMBERED = String.raw`${ID}\.(?<number>\d{1,4})`;
const LEAD =
  "^[\\s*_`[({\"'>#-]*(?:(?:on|re|in|regarding|about|against|concerning|contrary to|as to|to|dans|sur|contre|concernant|quant à|à propos de|zu|in|gegen|en|sobre|su|em|op|tegen)[ :]+)?(?:(?:the |l['’])?(?:claim|affirmation) )?";
const MARK =
  '[*_`\\])}]*(?: ?\\([^)\\n]{1,60}\\))?[*_`]*(?:[ \\u00A0\\u202F]?[:：—–][*_`]*|[ ]-(?=[ ])|,(?=[ ])|\\.?$)';
const WHO = `(?:@|(?<label>participant) |)${ID}`;
const NUMBER = '(?:no\\. ?|n° ?|#)?(?<number>\\d{1,4})';

/** With `@`, an id is always an address, even in brackets or emphasis; `@sage.2.1` and `@sage.2-b` are not. */
const CERTAIN_ADDRESS = new RegExp(String.raw`^[\s*_\`[({"']*@${NUMBERED}(?![\w-]|\.\d)[*_\`\])}:]*`, 'i');
/** "ada.2:", where a mark shows what the words are about; "[ada.2] …", "ada, claim 2:", "claim 2 of ada:". */
const ADDRESSES = [
  new RegExp(`${LEAD}@?${NUMBERED}${MARK}`, 'im'),
  new RegExp(String.raw`^[\s*_>#-]*[[(]@?${NUMBERED}[\])][*_:]*`, 'i'),
  new RegExp(`${LEAD}${WHO}[*_]*(?:['’]s)?,? (?:claim|point|affirmation) ${NUMBER}${MARK}`, 'im'),
  new RegExp(`${LEAD}(?:claim|point|affirmation) ${NUMBER} (?:of|by|from|de) ${WHO}${MARK}`, 'im'),
];
/** Only an id. */
const ALONE = new RegExp(String.raw`^[\s*_\`[(]*@?${NUMBERED}[\s*_\`\])]*$`, 'i');
const ANYWHERE = new RegExp(
  String.raw`(?<![\w.@-])@?(?:${NUMBERED}|(?<challenge>c\d{1,6}))(?![\w-]|\.\d)`,
  'gi',
);

/** A separator between the ids of several claims. */
const JOINED = new RegExp(
  `^[*_\`\\])}]*[ ]?(?:[,，、&+/]|[ ](?:${AND})(?=[ ]))(?: (?:${AND}))?[ ]?[*_\`[({@]*$`,
);
const BEHIND_LEAD =
  /^[*_`\])}]*(?: ?\([^)\n]{1,60}\))?[*_`]*(?:[ \u00A0\u202F]?[:：—–?？→=][*_`]*|[ ]-(?=[ ]))/;

const NAME = String.raw`(?:@|(?<label>participant)[ \u00A0]|)(?<name>[\p{L}\p{N}][\p{L}\p{N}-]{0,80})`;
const CLAIM_NUMBER = String.raw`(?:[,.]? ?(?:claim|point|item|affirmation|argument|no\.|n°|#|§)? ?#?(?<number>\d{1,4}))?`;
const SAYS =
  '(?:writes?|wrote|says?|said|claims?|claimed|argues?|argued|states?|stated|asserts?|asserted|holds?|admits?|admitted|concedes?|notes?|thinks?|believes?|maintains?|insists?|écrit|dit|affirme|soutient|prétend|avance|note|admet|reconnaît|pense)';
/** Words before a quote: a name alone, or a name with a verb of speech. */
const NAMED_BEFORE = new RegExp(
  String.raw`(?:^|[.!?|\n]\s*)[\s*_>#|\d.)(–—-]*(?:(?:as|when|re|on|regarding|from|selon|comme|quand|d['’]après) )?${NAME}${CLAIM_NUMBER}[*_)]*(?:['’]s (?:claim|point)s?(?: ?#?\d{1,4})?)?(?: \([^()\n]{1,40}\))?[*_]*(?: ${SAYS}(?: [\p{L}'’]+){0,3})?[\s:：,|*_(—–-]*["“„«‘']?$`,
  'iu',
);
/** An attribution after a quote. */
const NAMED_BEHIND = new RegExp(
  String.raw`^["”“»’'*_.,;\s>]*(?:[—–]|--?|\()\s*[*_]*${NAME}[*_]*${CLAIM_NUMBER}\s*[*_)]*[.,]?(?:\s*$|\n| \|)`,
  'iu',
);

const LINE_NAME = String.raw`(?:\*{0,2}@?(?:[Pp]articipant [A-Za-z]{1,2}|\p{Lu}[\p{L}\p{N}_-]*(?: \p{Lu}[\p{L}\p{N}_-]*){0,2}|@[\p{L}\p{N}_-]+)\*{0,2})`;
const DETAIL = String.raw`(?:[,.]? ?\(?(?:(?:[Cc]laim|[Pp]oint|[Aa]ffirmation) ?)?[#.]?\d{1,4}\)?| ?\([^()\r\n]{1,40}\))?`;
/** An attribution on the last line. After a hyphen, which may also be a list marker, it must look like a name. */
const NAMED_IN_LAST_LINE = new RegExp(
  String.raw`[\r\n]+[ \t>]*(?:[—–-]{1,2}[ \t]*${LINE_NAME}|(?:[—–]|--)[ \t]*[\p{L}\p{N}_-]+)${DETAIL}[.]?\s*$`,
  'u',
);
/** The same, after the closing quotation mark. */
const NAMED_BEHIND_MARK = new RegExp(
  String.raw`[ \t]*(?:\([^()\r\n]{1,60}\)|[—–-]{1,2}[ \t]*(?:${LINE_NAME}|[\p{L}\p{N}_-]+)${DETAIL})[.,]?\s*$`,
  'u',
);
/** Markup allowed before a quotation that is the whole quote: block quote, list and emphasis markers. */
const BEFORE_QUOTATION = /^[\s>*_]*(?:(?:[-*+•]|\d{1,3}[.)])[ ]+)?[\s>*_]*$/;

/** A claim as a contribution names it: `@sage.2`, or `@b.2` if the reader knew its author as Participant B. */
export interface Mention {
  name: string;
  number: number;
}

/** A claim that words are addressed to. */
interface Address extends Mention {
  length: number;
  /** True with `@`; without it, the address counts only if the claim exists. */
  isCertain: boolean;
}

/** A name as written, "participant-b" for a label, and a claim number if given. */
interface Attribution {
  name: string;
  number: number | null;
}

const asAttribution = ({ groups = {} }: RegExpMatchArray): Attribution => ({
  name: `${groups.label === undefined ? '' : `${groups.label}-`}${groups.name}`.toLowerCase(),
  number: groups.number === undefined ? null : Number(groups.number),
});
const asMention = (found: RegExpMatchArray): Mention => {
  const { name, number } = asAttribution(found);
  return { name, number: Number(number) };
};

/** Returns the claim that a paragraph, list item or line is addressed to, and the address's length. */
export function findAddress(text: string): Address | undefined {
  const words = text.slice(0, 200);
  const certain = CERTAIN_ADDRESS.exec(words);
  const found = certain ?? ADDRESSES.map((shape) => shape.exec(words)).find((one) => one !== null);
  return found ? { ...asMention(found), length: found[0].length, isCertain: certain !== null } : undefined;
}

/** The claims that words are about, the length of the opening naming them, and the text before the first id. */
interface Lead {
  mentions: Mention[];
  length: number;
  lead: string;
}

/** A longer opening is an argument, in characters. */
const LONGEST_LEAD = 60;

/**
 * Finds existing claims that words start with or name in their first clause: "ada.2 and ben.1 both …",
 * "target: ada.2", "The problem with ada.2 is …". Later mentions do not count.
 */
export function findLead(words: string, isClaim: (mention: Mention) => boolean): Lead | undefined {
  const head = words.slice(0, 200);
  const found = [...head.matchAll(ANYWHERE)].filter(({ groups }) => groups?.challenge === undefined);
  const [first] = found;
  if (!first || !isClaim(asMention(first))) return undefined;
  const before = head.slice(0, first.index);
  const lead = before.replace(/[\s*_`>[({"'#@.)\d-]*$/, '');
  if (lead.length > LONGEST_LEAD || /[.!?。！？"“„«\n|]/.test(lead.replace(/^[\s\d.)]+/, '')))
    return undefined;
  const mentions = [asMention(first)];
  let length = first.index + first[0].length;
  for (const next of found.slice(1)) {
    if (!isClaim(asMention(next)) || !JOINED.test(head.slice(length, next.index))) break;
    mentions.push(asMention(next));
    length = next.index + next[0].length;
  }
  const [mark = ''] = BEHIND_LEAD.exec(head.slice(length)) ?? [];
  return { mentions, length: length + mark.length, lead };
}

/** Returns where words soon name an existing claim; their length if they do not. */
export const findClaim = (words: string, isClaim: (mention: Mention) => boolean): number =>
  [...words.slice(0, 200).matchAll(ANYWHERE)].find(
    (found) => found.groups?.challenge === undefined && isClaim(asMention(found)),
  )?.index ?? words.length;

/** Returns the claim that a table cell names, if the cell contains nothing else. */
export function findOnlyMention(cell: string): Mention | undefined {
  const found = ALONE.exec(cell);
  return found ? asMention(found) : undefined;
}

/** Returns every claim (`sage.2`, `@sage.2`) and challenge (`c3`) that a text names, in order. */
export const findMentions = (text: string): (Mention | { challenge: string })[] =>
  [...text.matchAll(ANYWHERE)].map((found) => {
    const challenge = found.groups?.challenge;
    return challenge === undefined ? asMention(found) : { challenge: challenge.toLowerCase() };
  });

/** Returns the name right before or after a quote; undefined if there is none. */
export function findAttribution(text: string, quote: TextRange, from: number): Attribution | undefined {
  const last = text.slice(Math.max(quote.start, quote.end - 100), quote.end);
  const line = last.slice(last.lastIndexOf('\n') + 1).replace(/^[ \t>]+/, '');
  const places: readonly (readonly [RegExp, string])[] = [
    [NAMED_BEFORE, text.slice(Math.max(from, quote.start - 160), quote.start)],
    [NAMED_BEHIND, text.slice(quote.end, quote.end + 120)],
    [NAMED_BEHIND, line.replace(/^- ?(?=[@*\p{Lu}])/u, '— ')],
    [NAMED_BEHIND, /["”»’'][*_]*\s*((?:[—–]|--|\().*)$/su.exec(last)?.[1] ?? ''],
  ];
  // A single letter without "participant" or `@` is taken as a word.
  return places
    .map(([shape, words]) => shape.exec(words))
    .filter((one) => one !== null)
    .filter(
      ({ 0: whole, groups = {} }) =>
        groups.label !== undefined || groups.name!.length > 1 || whole.includes('@'),
    )
    .map(asAttribution)[0];
}

/** In longer texts, a quotation around the whole is not searched for. */
const MAX_WHOLE = 5000;

/** Removes the attribution at the end of a quote. Searching all of it would take quadratic time. */
export function cutAttribution(quote: string): string {
  const [begin, end] = [quote.slice(0, -200), quote.slice(-200)];
  const cut = begin + end.replace(NAMED_IN_LAST_LINE, '');
  if (cut !== quote) return cut;
  const found = NAMED_BEHIND_MARK.exec(end);
  const words = found ? begin + end.slice(0, found.index) : quote;
  const [whole, ...others] = found && words.length <= MAX_WHOLE ? findMarked(words) : [];
  const isAlone = whole && others.length === 0 && BEFORE_QUOTATION.test(words.slice(0, whole.start));
  return isAlone && /^[*_.,]*$/.test(words.slice(whole.end)) ? words : quote;
}
