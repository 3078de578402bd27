// Quotation marks of all scripts in one table, and what stands between them.
import type { Stretch } from './text-range.ts';

/** Each opening mark with all that may close it. German and Danish turn guillemets round. */
const DOUBLE = '"" “” „“” ”” «» »«» 「」 『』 ｢｣ 〝〞〟';
/** Those that are apostrophes as well: they open in front of a word only, and close behind one. */
const SINGLE = "'' ‘’ ‚‘’ ‹› ›‹";
const splitPairs = (marks: string) => marks.split(' ').map(([opens, ...closes]) => [opens!, closes] as const);
const CLOSING = new Map(splitPairs(`${DOUBLE} ${SINGLE}`));
const signs = (marks: string) => new Set(marks.replaceAll(' ', ''));
export const [DOUBLES, SINGLES] = [signs(`${DOUBLE}‟`), signs(`${SINGLE}‛`)];

const OPENS = new RegExp(
  `[${[...CLOSING.keys()].filter((sign) => !SINGLES.has(sign)).join('')}]|(?<![\\p{L}\\p{N}])[${[...CLOSING.keys()].filter((sign) => SINGLES.has(sign)).join('')}](?=\\S)`,
  'gu',
);
const isLetter = (char = ''): boolean => /[\p{L}\p{N}]/u.test(char);

/** What stands between quotation marks, with the marks, one after the other. One pass, however many never close. */
export function findMarked(text: string): Stretch[] {
  const next = new Map<string, number>();
  const findNext = (sign: string, from: number): number => {
    let at = next.get(sign) ?? -1;
    if (at >= from) return at;
    do at = text.indexOf(sign, Math.max(at + 1, from));
    while (at !== -1 && SINGLES.has(sign) && isLetter(text[at + 1]));
    next.set(sign, at === -1 ? Infinity : at);
    return next.get(sign)!;
  };
  const found: Stretch[] = [];
  for (const { 0: sign, index: start } of text.matchAll(OPENS)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const end = Math.min(...CLOSING.get(sign)!.map((closes) => findNext(closes, start + 1))) + 1;
    if (end < Infinity && end > start + 2) found.push({ start, end });
  }
  return found;
}
