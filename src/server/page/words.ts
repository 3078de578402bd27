// The words of pages, in English and French, beside those of the core.
import { makeOnFirstUse } from '../../core/base/memoize.ts';
import { addWords } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { pageWords } from './words/en.ts';
import { siteWords } from './words/en-site.ts';
import { pageWords as pageWordsFr } from './words/fr.ts';
import { siteWords as siteWordsFr } from './words/fr-site.ts';

const loadPlainWords = addWords({
  en: () => ({ ...pageWords(), ...siteWords() }),
  fr: () => ({ ...pageWordsFr(), ...siteWordsFr() }),
});

export type PageWords = ReturnType<typeof loadPlainWords>;

/** On a page, a French sign of punctuation never begins a line: spaces before it do not break. */
export function loadPageWords(lang: Language): PageWords {
  return lang === 'fr' ? loadFrench() : loadPlainWords(lang);
}

const addNoBreakSpaces = (words: PageWords): PageWords =>
  JSON.parse(
    JSON.stringify(words)
      .replace(/ (?=[:;?!»%])/g, '\u202F')
      .replace(/(?<=«) /g, '\u202F'),
  ) as PageWords;

const loadFrench = makeOnFirstUse(() => addNoBreakSpaces(loadPlainWords('fr')));
