// Recognizes the prompt's own descriptions of form fields: models that echo them have stated nothing.
import { makeOnFirstUse } from '../../base/memoize.ts';
import { LANGUAGES, loadWords } from '../../base/words/words.ts';

/** The words of a field's description before any placeholder, and the length of its first two clauses. */
interface Meaning {
  words: string[];
  twoClauses: number;
}

const MEANINGS = makeOnFirstUse(() =>
  LANGUAGES.flatMap((lang) => {
    const { field, view } = loadWords(lang);
    return [...Object.values(field), view.formPosition, view.formDecision, view.formOption];
  }).map((sentence): Meaning => {
    // "`position`: where you stand, in one sentence …"
    const said = sentence.slice(sentence.indexOf(':') + 1).replace(/\{.*/s, '');
    const clauses = said.split(/[,;:.(]/).map(splitLowerCaseWords);
    return { words: clauses.flat(), twoClauses: clauses.slice(0, 2).flat().length };
  }),
);
/** A single word may be the author's own. */
const FEWEST = 2;

/**
 * Whether a value is a field's description, in full or truncated, or starts with two clauses of it: the author
 * has echoed the form without filling it in.
 */
export function isOfPrompt(value: string): boolean {
  const words = splitLowerCaseWords(value);
  // The list item for more entries: "- …".
  if (value === '…') return true;
  return MEANINGS().some(({ words: said, twoClauses }) => {
    const differing = said.findIndex((word, at) => word !== words[at]);
    const same = differing === -1 ? said.length : differing;
    return same >= FEWEST && (same === words.length || same >= twoClauses);
  });
}

const splitLowerCaseWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
