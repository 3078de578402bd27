// Tells which participant names are also ordinary words, and where one can only mean the person.
import type { NameOccurrence, Name } from './names.ts';
import { foldName } from './names.ts';
import { ROLE_WORDS } from './roles.ts';
import { NAME, speech } from './address-patterns.ts';

const WIDEST = 120;
/** Where another sentence cannot reach: blank lines, and lines with a marker of lists, quotes, headings or tables. */
const BORDER = /\n(?=[ \t]*(?:\n|[-*+>#|]|\d+[.)]))/;

/** A name with the words before and behind it, in its place the sign for one. */
function cutSurroundings(text: string, start: number, end: number): string {
  const before = text
    .slice(Math.max(0, start - WIDEST), start)
    .split(BORDER)
    .at(-1)!;
  const isCut = start > WIDEST && before.length === WIDEST;
  const [after] = text.slice(end, end + WIDEST).split(BORDER);
  return `${isCut ? '…' : ''}${before.replaceAll('\n', ' ').trimStart()}${NAME}${after}`;
}

function cutLine(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  return text.slice(from, start) + NAME + text.slice(end, to === -1 ? undefined : to);
}

/** "our data", "the product team". */
const isDetermined = (text: string, start: number, end: number): boolean =>
  speech().isDetermined.test(cutSurroundings(text, start, end));

/**
 * Whether the word can only mean the person of that name: "data says", "as data wrote", a
 * signature.
 */
export const meansSomebody = (text: string, start: number, end: number): boolean =>
  speech().namesSomebody.test(cutSurroundings(text, start, end)) || signsAlone(text, start, end);

function signsAlone(text: string, start: number, end: number): boolean {
  const line = cutLine(text, start, end);
  if (speech().signsAlone.test(line)) return true;
  if (!speech().isOnlyName.test(line) || /\S/.test(text.slice(end).replace(/^.*/, ''))) return false;
  const before = text.slice(0, text.lastIndexOf('\n', start - 1) + 1).trimEnd();
  return before !== '' && !(isListed(line) && isListed(before.slice(before.lastIndexOf('\n') + 1)));
}

const isListed = (line: string): boolean => /^[\s>]*(?:[-*+]|\d+[.)])\s/.test(line);

/** Whether a name stands in a line that tells who or what wrote the text. */
export const isInSignature = (text: string, start: number, end: number): boolean =>
  speech().signsWith.test(cutLine(text, start, end));

/**
 * Whether a name, spelled as it is here, may be an ordinary word: a name of roles, a spelling that topic, brief or options
 * use themselves (in lower case, it holds for all spellings), or what an answer uses like one ("our data").
 */
export function makeOrdinaryTest(
  asked: readonly string[],
  answers: readonly string[],
  findNames: (text: string) => NameOccurrence[],
): (name: Name, words: string) => boolean {
  const used = new Set(
    asked.flatMap((text) => findNames(text).map(({ start, end }) => text.slice(start, end))),
  );
  for (const text of answers)
    for (const { name, start, end } of findNames(text))
      if (isDetermined(text, start, end)) used.add(foldName(name.spelling));
  const isRole = (key: string): boolean => key.split(/[ -]+/).every((word) => ROLE_WORDS.has(word));
  return ({ what }, words) => {
    const key = foldName(words);
    return what !== 'emoji' && (isRole(key) || used.has(words) || used.has(key));
  };
}
