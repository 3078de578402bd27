// Languages of headings and prompts, and filling in their templates.
import { en } from './en.ts';
import { fr } from './fr.ts';

/** The words of one language, by section and key: whatever the English ones have. */
export type Words = typeof en;

/** The languages that headings, prompts and archives are written in. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const WORDS: Record<Language, Words> = { en, fr };

/** The headings, labels and sentences of a language. */
export function wordsFor(lang: Language): Words {
  return WORDS[lang];
}

const ON_PAGES: Partial<Record<Language, Words>> = {};

/** The same as they stand on a page, where a French sign of punctuation never begins a line: spaces before it do not break. */
export function pageWordsFor(lang: Language): Words {
  if (lang !== 'fr') return WORDS[lang];
  return (ON_PAGES[lang] ??= unbroken(WORDS[lang]));
}

const unbroken = (words: Words): Words =>
  JSON.parse(
    JSON.stringify(words)
      .replace(/ (?=[:;?!»%])/g, '\u202F')
      .replace(/(?<=«) /g, '\u202F'),
  ) as Words;

/**
 * Puts values into the `{name}` placeholders of a template. Values go in literally and are never looked at again,
 * so a topic that contains `{deadline}` stays as it is; a placeholder without a value stays too.
 */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}
