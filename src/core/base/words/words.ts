// Languages of headings and prompts, and filling in their templates.
import { makeOnFirstUse } from '../memoize.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';

/** The words of one language, by section and key: whatever the English ones have. */
export type Words = ReturnType<typeof en>;

/** The languages that headings, prompts and archives are written in. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Created on first use: the words of an unused language are a twelfth of what `respond` loads. */
const WORDS: Record<Language, () => Words> = { en: makeOnFirstUse(en), fr: makeOnFirstUse(fr) };

/** The headings, labels and sentences of a language. */
export function loadWords(lang: Language): Words {
  return WORDS[lang]();
}

/** A loader of the words of the core together with those of a room, which `own` makes on first use. */
export function addWords<T extends object>(own: {
  en: () => T;
  fr: () => NoInfer<T>;
}): (lang: Language) => Words & T {
  const makers = {
    en: makeOnFirstUse(() => ({ ...loadWords('en'), ...own.en() })),
    fr: makeOnFirstUse(() => ({ ...loadWords('fr'), ...own.fr() })),
  };
  return (lang) => makers[lang]();
}

/** A figure with the decimal mark of the language. */
export const formatFigure = (value: number, { decimal }: Words['common']): string =>
  String(value).replace('.', decimal);

/** The first dozen of the names, and how many more there are. */
export const formatNames = (names: readonly string[], { ending }: Pick<Words, 'ending'>): string =>
  names.length <= DOZEN + 1
    ? names.join(', ')
    : `${names.slice(0, DOZEN).join(', ')} ${fill(ending.more, { count: names.length - DOZEN })}`;

const DOZEN = 12;

/** A sum in US$ as people write it: "$0.10". Below a dollar with as many digits more as it has, down to a millionth. */
export const formatMoney = (
  usd: number,
  { money, decimal }: Pick<Words['common'], 'money' | 'decimal'>,
): string => {
  const digits = usd.toFixed(usd < 0.01 ? 6 : usd < 1 ? 4 : 2).replace(/(\.\d\d\d*?)0+$/, '$1');
  return fill(money, { usd: digits.replace('.', decimal) });
};

/**
 * Puts values into the `{name}` placeholders of a template. Values go in literally and are never looked at again,
 * so a topic that contains `{deadline}` stays as it is; a placeholder without a value stays too.
 */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

/** As gettext reads it: LC_ALL before LC_MESSAGES before LANG. */
export const readLocale = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language =>
  /^fr(?:[_.@-]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'fr' : 'en';

/** Whether an answer to a question that ends in [y/N] or [o/N] is yes: in either language, since both are typed. */
export const isYes = (answer: string): boolean => /^\s*(y(es)?|o(ui)?)\s*$/i.test(answer);
