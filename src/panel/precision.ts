// Offline panel: the reviewer for precise, verifiable claims.
import retextIntensify from 'retext-intensify';
import retextPassive from 'retext-passive';
import type { Document } from './document.ts';
import type { Severity } from './finding.ts';
import { hasFigure, readLanguage, sentenceAt } from './language.ts';
import type { Hit, Sentence } from './language.ts';
import { CLAIMS, VAGUE } from './precision-words.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';

const QUESTIONS = new Map(
  CLAIMS.flatMap(({ words, severity, question }) =>
    words.map((word) => [word, { severity, question }] as const),
  ),
);
// Longest first, so that "a lot of" is not read as "a lot". A hyphen beside the word makes it part of a name: fast-check.
const CLAIM = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${[...QUESTIONS.keys()]
    .sort((a, b) => b.length - a.length)
    .join('|')
    .replaceAll(' ', '\\s+')})(?![\\p{L}\\p{N}-])`,
  'giu',
);
const ASKS = /\b(?:how|as|too|so|not)\s+$/i;

/** Participles that name a state more often than a deed: "the flag is set". */
const STATES = [
  'set',
  'run',
  'read',
  'known',
  'bound',
  'cast',
  'left',
  'meant',
  'found',
  'fit',
  'gone',
  'done',
];

/** What the library's three kinds of word do to a sentence. */
const KINDS: Record<string, { severity: Severity; advice: string; instead: string[] }> = {
  weasel: { severity: 'minor', advice: 'a vague word; say how much, or leave it out.', instead: [] },
  hedge: {
    severity: 'minor',
    advice: 'a hedge; say under which condition it holds, or leave it out.',
    instead: [],
  },
  filler: { severity: 'note', advice: 'a filler; the sentence says the same without it.', instead: [''] },
};

function claims(document: Document, sentence: Sentence): Located[] {
  if (hasFigure(sentence.raw)) return [];
  const found: Located[] = [];
  for (const match of sentence.text.matchAll(CLAIM)) {
    const claim = QUESTIONS.get(match[0].toLowerCase().replace(/\s+/g, ' '));
    if (!claim || ASKS.test(sentence.text.slice(Math.max(0, match.index - 10), match.index))) continue;
    const start = sentence.start + match.index;
    const span = { start, end: start + match[0].length };
    found.push(
      locate(document, span, {
        severity: claim.severity,
        rule: 'unquantified',
        subject: match[0],
        instead: [],
        advice: `no figure in the sentence: ${claim.question}`,
      }),
    );
  }
  return found;
}

function vague(document: Document, hit: Hit, sentence: Sentence): Located[] {
  const kind = KINDS[hit.rule];
  const after = sentence.text.slice(hit.end - sentence.start, hit.end - sentence.start + 12);
  if (!kind || !VAGUE.has(hit.actual.toLowerCase()) || /^\s+than\b/i.test(after)) return [];
  return [
    locate(document, hit, {
      severity: kind.severity,
      rule: 'weasel-word',
      subject: hit.actual,
      instead: kind.instead,
      advice: kind.advice,
    }),
  ];
}

function passive(document: Document, hit: Hit, sentence: Sentence): Located[] {
  const after = sentence.text.slice(hit.end - sentence.start);
  // With "by" the sentence does name who acts.
  if (/^\s+(?:\S+\s+){0,2}by\b/i.test(after)) return [];
  const before = /\b(?:am|are|were|being|is|been|was|be)\b[^\p{L}]*$/iu.exec(
    sentence.text.slice(0, hit.start - sentence.start),
  );
  const span = before ? { start: sentence.start + before.index, end: hit.end } : hit;
  const subject = sentence.text.slice(span.start - sentence.start, span.end - sentence.start);
  return [
    locate(document, span, {
      severity: 'note',
      rule: 'passive',
      subject,
      instead: [],
      advice: 'the sentence does not say who acts; name them if it matters.',
    }),
  ];
}

function find(document: Document): Located[] {
  const { hits, sentences } = readLanguage(document, [retextIntensify, [retextPassive, { ignore: STATES }]]);
  const found = sentences
    .filter((sentence) => !sentence.heading && !sentence.links)
    .flatMap((sentence) => claims(document, sentence));
  const taken = new Set(found.map((claim) => claim.start));
  for (const hit of hits) {
    const sentence = sentenceAt(sentences, hit.start);
    if (!sentence || sentence.heading || sentence.links || taken.has(hit.start)) continue;
    if (hit.source === 'retext-passive') found.push(...passive(document, hit, sentence));
    else found.push(...vague(document, hit, sentence));
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Wants claims that can be checked. */
export const precision: Reviewer = {
  id: 'precision',
  title: 'Precision',
  anyLanguage: false,
  sources: 'retext-intensify, retext-passive, and a list of claims that call for a figure',
  find,
  blocking: () => [],
};
