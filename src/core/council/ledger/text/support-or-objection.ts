// Tells support from objections in CHALLENGE. Only known phrases are support; uncertain ones are challenges.
import { makeOnFirstUse } from '../../../base/memoize.ts';
import { beginsReason, replaceApostrophes, readAnswerWord } from './answer-words.ts';
import { NO_WORDS, NOT_WORDS, VALUE_WORDS } from './form-names.ts';
import { LANGUAGES } from './languages.ts';
import { SIDE_WORDS } from './support-words.ts';
import type { TextRange } from './limits.ts';

const WORD = String.raw`^[\s#>*_\d.)(-]*(?:\p{Extended_Pictographic}\uFE0F? ?)?[*_]*`;
const END = String.raw`[*_)]*[ \u00A0\u202F]?`;

const patterns = makeOnFirstUse(() => {
  const join = (column: 'for' | 'against' | 'held') => SIDE_WORDS.map((one) => one[column]).join('|');
  const make = (pattern: string) => new RegExp(pattern, 'iu');
  const compileAlone = (words: string) => make(`${WORD}(?:${words})${END}(?:[:：][*_]*)?\\s*$`);
  const compileAtStart = (words: string) =>
    make(`${WORD}(?:${words})${END}[:："“«「](?! *(?:${NOT_WORDS})(?!\\p{L}))`);
  const [sideFor, against] = [join('for'), join('against')];
  const objections = against
    .split('|')
    .filter((word) => word.length > 5)
    .join('|');
  const no = `(?:${NO_WORDS})\\s+`;
  const back = LANGUAGES.flatMap((one) => [one.but, one.if]).join('|');
  return {
    alone: { for: compileAlone(sideFor), against: compileAlone(against) },
    atStart: { for: compileAtStart(sideFor), against: compileAtStart(against) },
    held: make(join('held')),
    /** Words for an objection, anywhere in a sentence; shorter ones are ambiguous. */
    objects: make(
      `(?<!\\p{L}|${no})(?:${objections}|gegen|${LANGUAGES.map((one) => one.rejected).join('|')})(?!\\p{sc=Latin})`,
    ),
    nothing: make(`(?<!\\p{L})${no}(?:${objections})(?!\\p{L})`),
    true: make(`^(?:${[...VALUE_WORDS.yes, ...LANGUAGES.map(({ right }) => right)].join('|')})$`),
    /** Leads on from a claim to the next: ", but". */
    turn: make(`[\\s.,;，。；]*(?:${LANGUAGES.map(({ but }) => but).join('|')})?\\s*$`),
    /** A reservation or a question. */
    doubt: make(`[?？]|(?<!\\p{sc=Latin})(?:${back})(?!\\p{sc=Latin})`),
  };
});

type Side = 'for' | 'against';
const findSide = (words: string, by: Record<Side, RegExp>): Side | undefined =>
  (['for', 'against'] as const).find((side) => by[side].test(replaceApostrophes(words.slice(0, 200))));

/** Returns a function that takes the blocks of a text in order, and tells whether each supports what it names. */
export function createSideReader(): (text: string, block: TextRange & { kind: string }) => boolean {
  let isFor = false;
  /** Level of the deciding heading; headings below it change nothing. */
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

/** Reads the side a line declares: "for: ada.2", "holds: ada.2", "contre : …"; undefined if none. */
export const readSide = (line: string): Side | undefined => findSide(line, patterns().atStart);

/** Whether a supporting line has a reservation, an objection, or a note that is neither quote nor reason: "ada.2 (barely)". */
export function isQualified(line: string): boolean {
  const [, note = ''] = /[(（]([^)）]*)/.exec(line) ?? [];
  return (
    patterns().doubt.test(line) || voicesOpposition(line) || (/^\s*\p{L}/u.test(note) && !beginsReason(note))
  );
}

/** Whether a sentence opposes what it names: "decided against P1", "P1 was rejected". */
export const voicesOpposition = (sentence: string): boolean => patterns().objects.test(sentence);

/** Whether words before an id agree, or say that there is no objection. */
export function voicesAgreement(lead: string): boolean {
  const words = replaceApostrophes(lead.trim());
  const answer = readAnswerWord(words);
  return (
    (answer?.status === 'conceded' && answer.length === words.length) ||
    readSide(`${words}:`) === 'for' ||
    patterns().nothing.test(lead)
  );
}

/** Whether the words after a claim id only confirm it: "holds.", "agreed: it is fast", "true", "no objection". */
export function isPraise(words: string): boolean {
  const said = words.replace(/^[\s*_`:：—–-]+/, '').replace(/[.!]\s*$/, '');
  const answer = readAnswerWord(said);
  if (answer?.status === 'conceded') return endsOrGivesReason(said.slice(answer.length));
  const bare = said.replace(/^(?:is|are|both|all|est|sont|ist|sind|es|son|è|sono|são|zijn)\s+/, '');
  const nothing = patterns().nothing.exec(bare);
  if (nothing?.index === 0) return endsOrGivesReason(bare.slice(nothing[0].length));
  return findSide(bare, patterns().alone) === 'for' || patterns().true.test(bare);
}

/** Whether words before and behind an id only confirm it, up to the next one: "for: ada.1; but ada.2 …". */
export function confirmsClaim(lead: string, behind: string): boolean {
  const said = behind.replace(patterns().turn, '');
  return said === '' || voicesOpposition(said) ? voicesAgreement(lead) : isPraise(said);
}

/** Whether the rest is empty or a reason. Anything else may be an objection. */
const endsOrGivesReason = (behind: string): boolean =>
  /^[\s.!,;:)*_。！]*$/.test(behind) || beginsReason(behind.replace(/^[\s,;:—–-]+/, ''));

/** Longer texts are arguments, in characters. */
const LONGEST = 2000;

/** Whether words say that the author tried to refute a claim and could not, followed by nothing but a reason. */
export function saysItHolds(words: string): boolean {
  if (words.length > LONGEST) return false;
  const said = replaceApostrophes(words.replace(/[*_`]/g, ''));
  const found = patterns().held.exec(said);
  if (!found) return false;
  const behind = said.slice(found.index + found[0].length);
  const [reason = '', ...sentences] = behind.split(/(?<=[.!。！])\s*/);
  const isReason = endsOrGivesReason(reason) || /^[:：,，(（—–-]/.test(reason.trim());
  return (
    isReason &&
    sentences.every((one) => patterns().held.test(`. ${one}`) || isPraise(one)) &&
    !patterns().doubt.test(behind) &&
    !/[?？]/.test(said.slice(0, found.index))
  );
}
