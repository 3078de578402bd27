import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { fill, pageWordsFor, wordsFor } from '../../src/base/words/words.ts';
import type { Language } from '../../src/base/words/words.ts';

const LANGUAGES: Language[] = ['en', 'fr'];

function placeholders(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();
}

/** Every text of a language with its section and key. */
const textsOf = (lang: Language): [place: string, text: string][] =>
  Object.entries(wordsFor(lang)).flatMap(([section, texts]) =>
    Object.entries(texts).map(([key, text]): [string, string] => [`${section}.${key}`, text]),
  );

describe('the words', () => {
  it.each(LANGUAGES)('of %s are complete: exactly the known keys, all of them text', (lang) => {
    expect(textsOf(lang).map(([place]) => place)).toEqual(textsOf('en').map(([place]) => place));
    for (const [place, text] of textsOf(lang)) {
      expect(typeof text, place).toBe('string');
      expect(text.trim(), place).not.toBe('');
    }
  });

  it('have the same placeholders in both languages', () => {
    const french = new Map(textsOf('fr'));
    for (const [place, text] of textsOf('en'))
      expect(placeholders(french.get(place)!), place).toEqual(placeholders(text));
  });

  it('give the English state file the headings that are fixed', () => {
    const { state } = wordsFor('en');
    expect(fill(state.title, { topic: 'Tabs' })).toBe('Active conversation: Tabs');
    expect(fill(state.responses, { phase: 'COLLECT', tour: 1 })).toBe('Responses: COLLECT (round 1)');
    expect([state.metadata, state.brief, state.participants, state.convergence, state.nextPhase]).toEqual([
      'Metadata',
      'Brief (immutable)',
      'Participants',
      'Convergence',
      'Next phase',
    ]);
  });

  it('really are two languages', () => {
    const french = new Map(textsOf('fr'));
    const asked = textsOf('en').filter(([place]) => /^view\.(?!contribution$)/.test(place));
    for (const [place, text] of asked) expect(french.get(place), place).not.toBe(text);
  });
});

describe('the words of pages', () => {
  it('keep what French has around its signs of punctuation on one line, and change nothing else', () => {
    const { site, common } = pageWordsFor('fr');
    expect(site.unreadable).toBe('Le conseil «\u202F{name}\u202F» ne peut pas être lu\u202F: {reason}');
    expect(site.joinByHand).toContain('lien\u202F? ');
    expect(common.labelled).toBe('{label}\u202F: {value}');
    const plain = (text: string): string => text.replaceAll('\u202F', ' ');
    expect(plain(JSON.stringify(pageWordsFor('fr')))).toBe(JSON.stringify(wordsFor('fr')));
    expect(pageWordsFor('en')).toBe(wordsFor('en'));
  });
});

describe('fill', () => {
  it('puts values in literally and never expands them again', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: '$& $1 {a}' })).toBe('{b} and $& $1 {a}');
  });

  it('leaves placeholders without a value, also those that every object has', () => {
    expect(fill('{a} {toString} {__proto__}', { a: 1 })).toBe('1 {toString} {__proto__}');
  });

  it('keeps any value intact', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => fill('<{a}|{b}|{a}>', { a, b }) === `<${a}|${b}|${a}>`),
    );
  });
});
