// Offline panel: what its sentences are, in English and in French.
import { en } from './says-en.ts';
import { fr } from './says-fr.ts';

/** The languages the panel speaks; a document in any other gets English sentences. */
export type Language = 'en' | 'fr';

const SAYS: Record<Language, typeof en> = { en, fr };

/** The sentences in a language. */
export const says = (language: Language): typeof en => SAYS[language];
