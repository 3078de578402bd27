// Offline panel: the reviewer for plain language.
import retextIntensify from 'retext-intensify';
import retextPassive from 'retext-passive';
import retextReadability from 'retext-readability';
import retextRepeatedWords from 'retext-repeated-words';
import retextSimplify from 'retext-simplify';
import type { Document } from './document.ts';
import { readLanguage, sentenceAt } from './language.ts';
import type { Hit, Sentence } from './language.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { says } from './says.ts';
import { VAGUE } from './vague-words.ts';

/** Words from retext-simplify that are the plain word in technical text, or that another reviewer judges. */
const LEFT_ALONE = `
  address addressees aggregate aircraft all-of combat-environment contains delete effect elect employ evaluate evident
  exhibit females forward function i.e. e.g. identical interface it-is literally maintain monitor objective observe
  operate option overall parameters proceed provide reflect regarding remain render represents request require reside
  satisfy selection shall similar-to submit there-are there-is therefore type validate very vice warrant whereas
  and/or accurate alternatively appropriate attempt benefit expiration however initial combined determine frequently previous previously equivalent maximum minimum limited-number
`.split(/\s+/);

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

/** Words in a sentence: with more a reader has to start again. */
const LONG = 30;

function simplify(document: Document, hit: Hit): Located {
  const phrase = hit.actual.includes(' ');
  // The list says "use `remove`" where it means that the word can go.
  const words = hit.expected.filter((word) => word !== 'remove');
  const drop = /remove/.test(hit.reason) ? [''] : [];
  return locate(document, hit, {
    severity: 'worth',
    rule: 'simplify',
    subject: hit.actual,
    instead: [...drop, ...words],
    advice: phrase ? 'fewer words say the same.' : 'a shorter word says the same.',
  });
}

function repeated(document: Document, hit: Hit): Located {
  return locate(document, hit, {
    severity: 'worth',
    rule: 'repeated-word',
    subject: hit.actual,
    instead: hit.expected,
    advice: 'the word stands twice; once is enough.',
  });
}

function long(document: Document, sentence: Sentence): Located {
  const { words } = sentence;
  return locate(document, sentence, {
    severity: 'worth',
    rule: 'long-sentence',
    subject: opening(sentence),
    instead: [],
    advice: `a sentence of ${words} words; split it, ${LONG} are enough.`,
  });
}

function hard(document: Document, hit: Hit, sentence: Sentence): Located {
  return locate(document, hit, {
    severity: 'worth',
    rule: 'hard-sentence',
    subject: opening(sentence),
    instead: [],
    advice: 'all seven readability formulas call this sentence hard; use shorter words or split it.',
  });
}

function vague(document: Document, hit: Hit, sentence: Sentence): Located[] {
  const after = sentence.text.slice(hit.end - sentence.start, hit.end - sentence.start + 12);
  if (!VAGUE.has(hit.actual.toLowerCase()) || /^\s+than\b/i.test(after)) return [];
  const { weasel } = says(document.language);
  return [
    locate(document, hit, { severity: 'worth', rule: 'weasel-word', subject: hit.actual, advice: weasel }),
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
  const advice = says(document.language).passive;
  return [locate(document, span, { severity: 'worth', rule: 'passive', subject, advice })];
}

const opening = ({ raw }: Sentence): string =>
  `${raw.trim().slice(0, 200).split(/\s+/).slice(0, 5).join(' ')} …`;

function find(document: Document): Located[] {
  const { hits, sentences } = readLanguage(document, [
    [retextSimplify, { ignore: LEFT_ALONE.map((id) => id.replaceAll('-', ' ')) }],
    retextRepeatedWords,
    retextIntensify,
    [retextPassive, { ignore: STATES }],
    [retextReadability, { age: 18, minWords: 15, threshold: 1 }],
  ]);
  const found: Located[] = [];
  for (const sentence of sentences) {
    if (sentence.words > LONG && !sentence.links && !sentence.heading) found.push(long(document, sentence));
  }
  for (const hit of hits) {
    const sentence = sentenceAt(sentences, hit.start);
    // A heading is a name, and so is a link; their words are chosen elsewhere.
    if (!sentence || sentence.heading || sentence.links) continue;
    if (hit.source === 'retext-simplify') found.push(simplify(document, hit));
    else if (hit.source === 'retext-repeated-words') found.push(repeated(document, hit));
    else if (hit.source === 'retext-passive') found.push(...passive(document, hit, sentence));
    else if (hit.source === 'retext-intensify') found.push(...vague(document, hit, sentence));
    else if (sentence.words <= LONG) found.push(hard(document, hit, sentence));
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Wants short sentences and common words. Sits only where it is named. */
export const plainLanguage: Reviewer = {
  id: 'plain-language',
  anyLanguage: false,
  find,
};
