// Recognizes which claims and challenges a contribution names, and whose words it says that it quotes.
import {
  ADDRESSES,
  ALONE,
  ANYWHERE,
  CERTAIN_ADDRESS,
  NAMED_BEFORE,
  NAMED_BEHIND,
  NAMED_BEHIND_MARK,
  NAMED_IN_LAST_LINE,
  QUOTATION_ALONE,
} from './mention-shapes.ts';
import type { Stretch } from './text-range.ts';

/** A claim as a contribution names it: `@sage.2`, or `@b.2` where the reader knew its author as Participant B. */
export interface Mention {
  name: string;
  number: number;
}

/** Words that say which claim they are about. */
interface Address extends Mention {
  length: number;
  /** It has an `@`; without one it only counts where there is such a claim. */
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

/** The one claim that a line names with its `@` in front of its first colon or dash, where nothing else says whom it is put to: "I object to @ada.2: …". */
export function findLeadAddress(text: string): (Address & { lead: string }) | undefined {
  const [whole = '', lead = ''] =
    /^([^.!?\n:：—–]*(?:\.\d[^.!?\n:：—–]*)+)(?:[:：—–])/.exec(text.slice(0, 200)) ?? [];
  const [first, ...others] = findMentions(lead);
  if (!first || 'challenge' in first || others.length > 0 || !lead.includes('@')) return undefined;
  return { ...first, length: whole.length, isCertain: false, lead: lead.replace(ANYWHERE, '') };
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
  // A letter alone is a word before it is anybody's label.
  return places
    .map(([shape, words]) => shape.exec(words))
    .filter((one) => one !== null)
    .filter(
      ({ 0: whole, groups = {} }) =>
        groups.label !== undefined || groups.name!.length > 1 || whole.includes('@'),
    )
    .map(asAttribution)[0];
}

/** In a longer text no mark is looked for that closes the whole. */
const MAX_WHOLE = 5000;

/** A quote without what says whose words they are. It is cut at its end only: a search through all of it takes the square of its length. */
export function cutAttribution(quote: string): string {
  const [begin, end] = [quote.slice(0, -200), quote.slice(-200)];
  const cut = begin + end.replace(NAMED_IN_LAST_LINE, '');
  if (cut !== quote) return cut;
  const found = NAMED_BEHIND_MARK.exec(end);
  const words = found ? begin + end.slice(0, found.index) : quote;
  return found && words.length <= MAX_WHOLE && QUOTATION_ALONE.test(words) ? words : quote;
}
