// Finds where the author of a text says which model it is, or who made it.
import { modelPattern } from '../../agents/model-names.ts';
import { onFirstUse } from '../../base/memoize.ts';
import type { NameOccurrence } from './names.ts';
import { NAME, speech } from './address-patterns.ts';
import { isInSignature } from './name-context.ts';

const SENTENCE = /[^\n]+?(?:[.!?](?=\s|$)|[。！？]|(?=\n)|$)/gu;
const OWN = '\uFFFD';

/**
 * The names of models and their makers in a text where its author may be one: those in a sentence that says what it is, or
 * in a signature, are its own; those in another sentence in the first person are only told. All others are what it speaks of.
 */
export function makeModelFinder(
  used: readonly string[],
): (text: string, people: readonly NameOccurrence[]) => (NameOccurrence & { isOwn: boolean })[] {
  const pattern = onFirstUse(() => modelPattern(used));
  return (text, people) => {
    if (text.search(pattern()) === -1) return [];
    return [...text.matchAll(SENTENCE)].flatMap(({ 0: sentence, index }) => {
      const found = [...sentence.matchAll(pattern())]
        .map(({ 0: spelling, index: at }) => ({
          spelling,
          start: index + at,
          end: index + at + spelling.length,
        }))
        .filter(({ start, end }) => !people.some((one) => one.start < end && start < one.end));
      const shape = found.reduceRight(
        (rest, { start, end }) => rest.slice(0, start - index) + NAME + rest.slice(end - index),
        sentence.replaceAll(NAME, ' ').replaceAll(OWN, ' '),
      );
      const signs = shape
        .replace(speech().namesItself, (said) => said.replaceAll(NAME, OWN))
        .replace(/[^\uFFFC\uFFFD]/g, '');
      const isFirstPerson = found.length > 0 && speech().isFirstPerson.test(shape);
      return found.flatMap(({ spelling, start, end }, k) => {
        const isOwn = signs[k] === OWN || isInSignature(text, start, end);
        const name = { spelling, what: 'model' as const, owners: [] };
        return isOwn || isFirstPerson ? [{ name, start, end, isOwn }] : [];
      });
    });
  };
}
