// Knows what the prompt says about the fields of a form: models that give it back have stated nothing.
import { onFirstUse } from '../../base/memoize.ts';
import { LANGUAGES, loadWords } from '../../base/words/words.ts';

/** The words of what the prompt says of one field, up to the first thing that is filled in, and how many make two clauses. */
interface Meaning {
  words: string[];
  twoClauses: number;
}

const MEANINGS = onFirstUse(() =>
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
/** A single word may be an author’s own. */
const FEWEST = 2;

/**
 * True for a value that is what the prompt says of some field, whole or cut short, or that begins with two clauses of it: its
 * author has given the form back, and filled in nothing.
 */
export function isOfPrompt(value: string): boolean {
  const words = splitLowerCaseWords(value);
  // The item that stands for others: "- …".
  if (value === '…') return true;
  return MEANINGS().some(({ words: said, twoClauses }) => {
    const differing = said.findIndex((word, at) => word !== words[at]);
    const same = differing === -1 ? said.length : differing;
    return same >= FEWEST && (same === words.length || same >= twoClauses);
  });
}

const splitLowerCaseWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
