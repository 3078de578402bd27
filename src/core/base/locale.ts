// The language that the environment asks for, where nothing else says which.
import type { Language } from './words/words.ts';

/** As gettext reads it: LC_ALL before LC_MESSAGES before LANG. */
export const readLocale = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language =>
  /^fr(?:[_.@-]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'fr' : 'en';
