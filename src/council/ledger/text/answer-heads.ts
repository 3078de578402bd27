// Recognizes the heads of answers to challenges: "c1 conceded: …", "I concede c1", "**Rejected:** c1, c2".
import { answerWords, isSettled } from './answer-words.ts';
import type { AnswerStatus } from './answer-words.ts';

/** The challenges that words are about, what they say of them where that is certain, and how long the head is. */
export interface AnswerHead {
  challenges: string[];
  status: AnswerStatus | undefined;
  length: number;
}

const SPACE = '[ \\u00A0\\u202F]';
const ID = '[*_`[(]*@?c\\d{1,6}(?![\\w])[*_`\\])]*';
/** One id, or several: "c1, c2 and c3". */
const IDS = `${ID}(?:(?:${SPACE}?[,&+/]${SPACE}?(?:and |et )?|${SPACE}(?:and|et|&)${SPACE})${ID}){0,20}`;
const MARKUP = '[\\s*_#]*(?:\\p{Extended_Pictographic}\\uFE0F? ?)?[*_]*';
const ABOUT =
  "(?:@[\\w-]+[,:]? )?(?:(?:my |the |ma |le |la )?(?:(?:answer|reply|response|réponse)s? (?:to|à|au) )?(?:(?:re|regarding|concerning|for|on|to|as to|about|sur|pour|concernant|quant à|à) )?(?:(?:the |le |l['’])?(?:challenges?|objections?|défis?) )?)";
const FILLER =
  '(?:(?:is|are|was|were|est|sont|both|all|les deux|(?:my )?(?:status|verdict|answer|response|statut|réponse)[ \\u00A0]?:)\\s+|(?:yes|ok(?:ay)?|oui|no|non)[,.:;—–-]+\\s*|\\p{Extended_Pictographic}\\uFE0F?\\s*)*';
const WHO = `(?:${SPACE}?\\((?!c\\d)[^()\\n]{1,60}\\))?`;
const SEPARATOR = `(?:${SPACE}?[:：]${SPACE}*|[.)]${SPACE}+|,${SPACE}(?=I |we |je |j['’])|${SPACE}?(?:→|⇒|[=-]+>|=)${SPACE}?|${SPACE}?[—–-]{1,2}${SPACE}|${SPACE}(?=[^\\s])|$)`;

const FIRST = new RegExp(
  `^(${MARKUP}${ABOUT}(${IDS}))(${WHO})[*_\`]*(${SEPARATOR})[*_\`]*(${FILLER})[*_\`]*`,
  'iu',
);
const CLOSING = /^[*_`)\]]*[ \u00A0\u202F]?[:.,;—–-]?[*_`:]*/;
/** "I concede c1: the figure was wrong", "Rejected: c1, c2". */
const LAST = new RegExp(
  `^(?:${SPACE}|[*_\`]*${SPACE}?[:：][*_\`]*${SPACE}*)(${IDS})(?=[\\s:.,;!—–-]|$)`,
  'iu',
);
/** Where a second head may begin in one line: "c1 conceded, c2 rejected". */
const NEXT = /(?:[;,.]\s+|\s+(?:and|et|but|while|mais)\s+)(?=[*_`]*@?c\d)/giu;

/** The heads that a line starts with. Without a mark behind the id the word needs one: "c1 rejected what I said" rejects nothing. */
export function headsAt(line: string): (AnswerHead & { start: number })[] {
  const words = line.slice(0, 400).normalize('NFC');
  const first = headAt(words);
  if (!first) return [];
  const heads = [{ ...first, start: 0 }];
  if (first.status === undefined) return heads;
  NEXT.lastIndex = first.length - 1;
  for (let found = NEXT.exec(words); found !== null; found = NEXT.exec(words)) {
    const start = found.index + found[0].length;
    const next = headAt(words.slice(start));
    if (next?.status !== undefined) heads.push({ ...next, start });
  }
  return heads;
}

function headAt(words: string): AnswerHead | undefined {
  return headOfId(words) ?? headOfWord(words);
}

function headOfId(words: string): AnswerHead | undefined {
  const [whole = '', lead = '', ids = '', who = '', separator = '', filler = ''] = FIRST.exec(words) ?? [];
  if (ids === '' || isQuotedCode(words, ids)) return undefined;
  const challenges = idsIn(ids);
  // "c1 (conceded): the figure was wrong"
  const inside = answerWords(who.replace(/^[ \u00A0\u202F]?\(/, '').replace(/\)$/, ''));
  if (inside && inside.length === who.trim().length - 2)
    return {
      challenges,
      status: inside.status,
      length: lead.length + who.length + closing(words.slice(lead.length + who.length)),
    };
  const isMarked =
    separator.trim() !== '' || /\*\*|[\])]/.test(ids) || /\p{Extended_Pictographic}/u.test(filler);
  const said = answerWords(words.slice(whole.length));
  const length = whole.length + (said?.length ?? 0);
  const rest = words.slice(length);
  const isClosed =
    isMarked || rest.trim() === '' || /^[*_`]*[ \u00A0\u202F]?(?:[:.,;—–-]|because\b|parce que)/i.test(rest);
  if (said && isClosed && isSettled(rest, said.status) && !contradicts(filler, said.status))
    return { challenges, status: said.status, length: length + closing(rest) };
  const isAlone = words.slice(lead.length + who.length).replace(/[\s*_`:：.—–-]/g, '') === '';
  return isMarked || isAlone
    ? { challenges, status: undefined, length: lead.length + who.length + separator.length }
    : undefined;
}

function headOfWord(words: string): AnswerHead | undefined {
  const from = /^[\s*_`]*/.exec(words)![0].length;
  const said = answerWords(words.slice(from));
  if (!said) return undefined;
  // "I concede that c1 is well put" concedes nothing.
  const [whole = '', ids = ''] = LAST.exec(words.slice(from + said.verb)) ?? [];
  const length = from + said.verb + whole.length;
  if (ids === '' || !isSettled(words.slice(length), said.status)) return undefined;
  return { challenges: idsIn(ids), status: said.status, length: length + closing(words.slice(length)) };
}

/** "Yes, rejected" and "No, conceded" say two things. */
const contradicts = (filler: string, status: AnswerStatus): boolean =>
  status === 'rejected' ? /(?:yes|ok|oui)/i.test(filler) : /(?<![\p{L}])(?:no|non)(?![\p{L}])/iu.test(filler);

const closing = (rest: string): number => CLOSING.exec(rest)![0].length;

const idsIn = (words: string): string[] => [
  ...new Set([...words.matchAll(/c\d{1,6}/gi)].map(([id]) => id.toLowerCase())),
];

/** True for "`c1 conceded: yes` is what bob wants": code that holds more than the id. */
const isQuotedCode = (words: string, ids: string): boolean =>
  ids.startsWith('`') && !/^`@?c\d+[*_)\]]*`/i.test(words.slice(words.indexOf('`')));

/** The challenges that a heading or a cell names, and nothing beside them but who raised them. */
export function challengesAlone(words: string): string[] {
  const head = headOfId(words.slice(0, 200).trim());
  const isAlone =
    head &&
    head.status === undefined &&
    words
      .trim()
      .slice(head.length)
      .replace(/[\s:*_`]/g, '') === '';
  return isAlone ? head.challenges : [];
}
