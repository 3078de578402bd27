// Looks at what stands around a name: whether it can only mean somebody, or only the word that it is as well.
import { onFirstUse } from '../../base/remember.ts';
import {
  ARTICLES,
  AS,
  ASIAN,
  DETERMINERS,
  I,
  I_AM,
  LINKS,
  MADE_BY,
  ME,
  SAYS,
  SIGNED_BY,
  YOU,
} from './speech.ts';

/** Stands in a sentence where a name does. */
export const NAME = '\uFFFC';
const WIDEST = 120;
/** Where another sentence cannot reach: blank lines, and lines with a marker of lists, quotes, headings or tables. */
const BORDER = /\n(?=[ \t]*(?:\n|[-*+>#|]|\d+[.)]))/;

const any = (words: string): string => `(?:${words.replaceAll("'", "['’]").split(' | ').join('|')})`;
const word = (words: string): string => `(?<![\\p{L}\\p{N}])${any(words)}(?![\\p{L}\\p{N}])`;
const pattern = (flags: string, ...sources: string[]): RegExp =>
  new RegExp(`(?:${sources.join('|')})`, flags);

/** For sentences and lines in which `NAME` stands for a name. */
export const speech = onFirstUse(() => {
  const opening = String.raw`(?:^|[.!?:;,(["“«—–*>])[\s*_"“«]*`;
  const clause = String.raw`(?:${opening}|${word(LINKS)}\s+)`;
  const end = String.raw`[\s*_"”»]*(?:[.,;:!?()\n]|$)`;
  const article = String.raw`(?:${any(ARTICLES)}\s+)?`;
  const mark = String.raw`^[\s>*_\p{Extended_Pictographic}\uFE0F]*`;
  const dash = String.raw`${mark}(?:—|–|--|~)\s*`;
  const asI = [
    String.raw`${word(I)},\s+${NAME},`,
    String.raw`${word(AS)}\s+${article}${NAME}(?:\s*\([^()\n]{0,80}\))?,\s*${word(I)}`,
    String.raw`${ASIAN.iAm}${NAME}`,
    String.raw`^[\s*_>]*${NAME} (?:here|speaking)(?![\p{L}\p{N}])`,
  ];
  const madeBy = String.raw`(?<!\p{L})${any(MADE_BY)}[\s'’]+${article}${NAME}`;
  const more = String.raw`(?:[\s,()/&*_]*(?:${article}${madeBy}|${article}${NAME}))*`;
  return {
    isDetermined: pattern(
      'iu',
      String.raw`${word(DETERMINERS)}[\s*_]+${NAME}`,
      String.raw`(?<!\p{L})l['’]${NAME}`,
    ),
    namesSomebody: pattern(
      'iu',
      String.raw`${clause}${NAME}[*_]*\s+${any(SAYS)}(?![\p{L}\p{N}])`,
      String.raw`[,"”»]\s*${any(SAYS)}\s+${NAME}${end}`,
      String.raw`${opening}(?:dear\s+)?${NAME}[,:]\s+${word(YOU)}`,
      String.raw`${NAME}${ASIAN.says}`,
      String.raw`${word(I_AM)}\s+${NAME}${end}`,
      ...asI,
    ),
    namesItself: pattern(
      'giu',
      ...[
        String.raw`${word(I_AM)}\s+(?:just\s+|only\s+)?${article}${NAME}`,
        String.raw`(?:${word(I_AM)}|${word(AS)}\s+${any(ARTICLES)})(?![\p{L}])[^.!?\n]{1,60}?${madeBy}`,
        ...asI,
      ].map((one) => one + more),
    ),
    isFirstPerson: pattern('iu', word(`${I} | ${ME}`), ASIAN.me),
    signsAlone: pattern(
      'iu',
      String.raw`${dash}${NAME}[\s,()*_./&|-]*$`,
      String.raw`${mark}${any(SIGNED_BY)}\s*:?[\s[*_]*${NAME}[\]*_]*\s*(?:[.,(<]|$)`,
    ),
    signsWith: pattern(
      'iu',
      String.raw`${dash}.{0,40}${NAME}.{0,40}$`,
      String.raw`${mark}${any(SIGNED_BY)}(?![\p{L}]).*${NAME}`,
    ),
    isOnlyName: pattern('iu', String.raw`^[\s>*_-]*${NAME}[\s*_.,]*$`),
  };
});

/** A name with the words before and behind it, in its place the sign for one. */
function around(text: string, start: number, end: number): string {
  const before = text
    .slice(Math.max(0, start - WIDEST), start)
    .split(BORDER)
    .at(-1)!;
  const isCut = start > WIDEST && before.length === WIDEST;
  const [after] = text.slice(end, end + WIDEST).split(BORDER);
  return `${isCut ? '…' : ''}${before.replaceAll('\n', ' ').trimStart()}${NAME}${after}`;
}

function lineAround(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  return text.slice(from, start) + NAME + text.slice(end, to === -1 ? undefined : to);
}

/** "our data", "the product team". */
export const isDetermined = (text: string, start: number, end: number): boolean =>
  speech().isDetermined.test(around(text, start, end));

/** Whether nothing else than somebody of that name can be meant: "data says", "as data wrote", a signature. */
export const meansSomebody = (text: string, start: number, end: number): boolean =>
  speech().namesSomebody.test(around(text, start, end)) || signsAlone(text, start, end);

function signsAlone(text: string, start: number, end: number): boolean {
  const line = lineAround(text, start, end);
  if (speech().signsAlone.test(line)) return true;
  if (!speech().isOnlyName.test(line) || /\S/.test(text.slice(end).replace(/^.*/, ''))) return false;
  const before = text.slice(0, text.lastIndexOf('\n', start - 1) + 1).trimEnd();
  return before !== '' && !(isListed(line) && isListed(before.slice(before.lastIndexOf('\n') + 1)));
}

const isListed = (line: string): boolean => /^[\s>]*(?:[-*+]|\d+[.)])\s/.test(line);

/** Whether a name stands in a line that tells who or what wrote the text. */
export const signsWith = (text: string, start: number, end: number): boolean =>
  speech().signsWith.test(lineAround(text, start, end));
