// Recognizes which claims and challenges a contribution names, and whose words it says that it quotes.
import { findMarked } from './marks.ts';
import type { Stretch } from './text-range.ts';
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
const CERTAIN_ADDRESS = new RegExp(String.raw`^[\s*_\`[({"']*@${NUMBERED}(?![\w-]|\.\d)[*_\`\])}:]*`, 'i');
/** "ada.2:", where a mark says that the words behind it are about that claim; "[ada.2] …", "ada, claim 2:" and "claim 2 of ada:". */
const ADDRESSES = [
  new RegExp(`${LEAD}@?${NUMBERED}${MARK}`, 'im'),
  new RegExp(String.raw`^[\s*_>#-]*[[(]@?${NUMBERED}[\])][*_:]*`, 'i'),
  new RegExp(`${LEAD}${WHO}[*_]*(?:['’]s)?,? (?:claim|point|affirmation) ${NUMBER}${MARK}`, 'im'),
  new RegExp(`${LEAD}(?:claim|point|affirmation) ${NUMBER} (?:of|by|from|de) ${WHO}${MARK}`, 'im'),
];
/** An id and nothing beside it. */
const ALONE = new RegExp(String.raw`^[\s*_\`[(]*@?${NUMBERED}[\s*_\`\])]*$`, 'i');
const ANYWHERE = new RegExp(
  String.raw`(?<![\w.@-])@?(?:${NUMBERED}|(?<challenge>c\d{1,6}))(?![\w-]|\.\d)`,
  'gi',
);

/** What joins the ids of several claims, and a mark behind the last one. */
const JOINED = new RegExp(
  `^[*_\`\\])}]*[ ]?(?:[,，、&+/]|[ ](?:${AND})(?=[ ]))(?: (?:${AND}))?[ ]?[*_\`[({@]*$`,
);
const BEHIND_LEAD =
  /^[*_`\])}]*(?: ?\([^)\n]{1,60}\))?[*_`]*(?:[ \u00A0\u202F]?[:：—–?？→=][*_`]*|[ ]-(?=[ ]))/;

const NAME = String.raw`(?:@|(?<label>participant)[ \u00A0]|)(?<name>[\p{L}\p{N}][\p{L}\p{N}-]{0,80})`;
const CLAIM_NUMBER = String.raw`(?:[,.]? ?(?:claim|point|item|affirmation|argument|no\.|n°|#|§)? ?#?(?<number>\d{1,4}))?`;
const SAYS =
  '(?:writes?|wrote|says?|said|claims?|claimed|argues?|argued|states?|stated|asserts?|asserted|holds?|admits?|admitted|concedes?|notes?|thinks?|believes?|maintains?|insists?|écrit|dit|affirme|soutient|prétend|avance|note|admet|reconnaît|pense)';
/** Words in front of a quote: a name and nothing more, or a name and a verb of saying. */
const NAMED_BEFORE = new RegExp(
  String.raw`(?:^|[.!?|\n]\s*)[\s*_>#|\d.)(–—-]*(?:(?:as|when|re|on|regarding|from|selon|comme|quand|d['’]après) )?${NAME}${CLAIM_NUMBER}[*_)]*(?:['’]s (?:claim|point)s?(?: ?#?\d{1,4})?)?(?: \([^()\n]{1,40}\))?[*_]*(?: ${SAYS}(?: [\p{L}'’]+){0,3})?[\s:：,|*_(—–-]*["“„«‘']?$`,
  'iu',
);
/** Words behind it. */
const NAMED_BEHIND = new RegExp(
  String.raw`^["”“»’'*_.,;\s>]*(?:[—–]|--?|\()\s*[*_]*${NAME}[*_]*${CLAIM_NUMBER}\s*[*_)]*[.,]?(?:\s*$|\n| \|)`,
  'iu',
);

const LINE_NAME = String.raw`(?:\*{0,2}@?(?:[Pp]articipant [A-Za-z]{1,2}|\p{Lu}[\p{L}\p{N}_-]*(?: \p{Lu}[\p{L}\p{N}_-]*){0,2}|@[\p{L}\p{N}_-]+)\*{0,2})`;
const DETAIL = String.raw`(?:[,.]? ?\(?(?:(?:[Cc]laim|[Pp]oint|[Aa]ffirmation) ?)?[#.]?\d{1,4}\)?| ?\([^()\r\n]{1,40}\))?`;
/** A last line that says whose words they are. Behind a hyphen, which begins an item as well, it has to look like a name. */
const NAMED_IN_LAST_LINE = new RegExp(
  String.raw`[\r\n]+[ \t>]*(?:[—–-]{1,2}[ \t]*${LINE_NAME}|(?:[—–]|--)[ \t]*[\p{L}\p{N}_-]+)${DETAIL}[.]?\s*$`,
  'u',
);
/** The same behind the mark that closes the whole. */
const NAMED_BEHIND_MARK = new RegExp(
  String.raw`[ \t]*(?:\([^()\r\n]{1,60}\)|[—–-]{1,2}[ \t]*(?:${LINE_NAME}|[\p{L}\p{N}_-]+)${DETAIL})[.,]?\s*$`,
  'u',
);
/** What may stand in front of a quotation that is all of a quote: the marks of a quote, of an item, of emphasis. */
const BEFORE_QUOTATION = /^[\s>*_]*(?:(?:[-*+•]|\d{1,3}[.)])[ ]+)?[\s>*_]*$/;

/** A claim as a contribution names it: `@sage.2`, or `@b.2` where the reader knew its author as Participant B. */
export interface Mention {
  name: string;
  number: number;
}

/** Words that say which claim they are about. */
interface Address extends Mention {
  length: number;
  /** True with an `@`; without one it counts only where there is such a claim. */
  isCertain: boolean;
}

/** A name as it was written, "participant-b" for a label, and perhaps the number of a claim. */
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

/** The claim that a paragraph, list item or line is addressed to, and how long the address is. */
export function findAddress(text: string): Address | undefined {
  const words = text.slice(0, 200);
  const certain = CERTAIN_ADDRESS.exec(words);
  const found = certain ?? ADDRESSES.map((shape) => shape.exec(words)).find((one) => one !== null);
  return found ? { ...asMention(found), length: found[0].length, isCertain: certain !== null } : undefined;
}

/** Claims that words are about, how long their beginning is that says so, and what stands in front of the first. */
interface Lead {
  mentions: Mention[];
  length: number;
  lead: string;
}

/** Longer words in front of an id argue, in characters. */
const LONGEST_LEAD = 60;

/**
 * The claims of `isClaim` that words begin with or lead on to in their first clause: "ada.2 and ben.1 both …", "target: ada.2",
 * "The problem with ada.2 is …". A mention further on is none.
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

/** The claim that a cell of a table names, and nothing beside it. */
export function findOnlyMention(cell: string): Mention | undefined {
  const found = ALONE.exec(cell);
  return found ? asMention(found) : undefined;
}

/** Every claim (`sage.2`, `@sage.2`) and challenge (`c3`) that a text names, in order. */
export const findMentions = (text: string): (Mention | { challenge: string })[] =>
  [...text.matchAll(ANYWHERE)].map((found) => {
    const challenge = found.groups?.challenge;
    return challenge === undefined ? asMention(found) : { challenge: challenge.toLowerCase() };
  });

/** Who is named right in front of a quote or right behind it; undefined where no name stands there. */
export function findAttribution(text: string, quote: Stretch, from: number): Attribution | undefined {
  const last = text.slice(Math.max(quote.start, quote.end - 100), quote.end);
  const line = last.slice(last.lastIndexOf('\n') + 1).replace(/^[ \t>]+/, '');
  const places: readonly (readonly [RegExp, string])[] = [
    [NAMED_BEFORE, text.slice(Math.max(from, quote.start - 160), quote.start)],
    [NAMED_BEHIND, text.slice(quote.end, quote.end + 120)],
    [NAMED_BEHIND, line.replace(/^- ?(?=[@*\p{Lu}])/u, '— ')],
    [NAMED_BEHIND, /["”»’'][*_]*\s*((?:[—–]|--|\().*)$/su.exec(last)?.[1] ?? ''],
  ];
  // A single letter counts as a word before it counts as a label.
  return places
    .map(([shape, words]) => shape.exec(words))
    .filter((one) => one !== null)
    .filter(
      ({ 0: whole, groups = {} }) =>
        groups.label !== undefined || groups.name!.length > 1 || whole.includes('@'),
    )
    .map(asAttribution)[0];
}

/** In a text longer than this no mark is looked for that closes all of it. */
const MAX_WHOLE = 5000;

/** A quote without what says whose words they are. It is cut at its end only: a search through all of it takes the square of its length. */
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
