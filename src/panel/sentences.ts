// Offline panel: sentences, and the words in them that carry meaning.
import type { Document, Span } from './document.ts';
import type { Block } from './prose.ts';

/** One sentence of a paragraph or heading; `text` is as long as its source, with code and addresses masked. */
export interface Sentence extends Span {
  text: string;
  block: Block;
}

const END = /[.!?](?=["'”»)]?\s)|[.!?]["'”»)]?$/g;
/** A full stop after these ends no sentence. */
const SHORT = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|nr|fig|p|ex|env)|\b\p{Lu})\.$/iu;

/** The sentences of a document, in order. */
export function listSentences(document: Document): Sentence[] {
  return document.blocks.filter(({ words }) => words > 0).flatMap(splitSentences);
}

/** The sentences of one block. */
export function splitSentences(block: Block): Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  const put = (to: number): void => {
    const text = block.text.slice(from, to);
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '')
      found.push({ start: block.start + from + lead, end: block.start + to, text: text.slice(lead), block });
    from = to;
  };
  for (const match of block.text.matchAll(END)) {
    const to = match.index + match[0].length;
    if (!SHORT.test(block.text.slice(from, match.index + 1))) put(to);
  }
  put(block.text.length);
  return found;
}

const COMMON = new Set(
  `about above after again against all also always and another any are because been before being below between both but can cannot could
  each either else even ever every everybody everything few first for from further gets give given goes has have having here how into its itself
  just keep kept last least less like made make makes many more most much must need never none not nothing now off one once only other our over
  own same second seconds minute minutes hour hours day days week weeks month months year years shall should since some still such take takes
  than that the their them then there these they this those three through time times two under until upon use used uses using very was way well
  were what when where which while who will with within without would you your alors ainsi aucun aucune autre autres aussi avant avec avoir
  cela cette ces chaque comme dans des deux dont elle elles encore entre est être fait faire jour jours jusque leur leurs mais même mois moins
  notre nous ont par pas peut plus pour quand que qui sans semaine semaines ses son sont sous sur tous tout toute toutes très trois une
  vers vous immediately instantly immédiatement maximum minimum`.split(/\s+/),
);

/** The words of a text that tell what it is about, cut to a stem so that "link" and "links" are one. */
export function collectStems(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map(stem));
}

const stem = (word: string): string => word.replace(/(?:ings?|ed|es|e?s|e)$/, '').slice(0, 9);

/** The stems that two texts have in common. */
export const intersectStems = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((one) => b.has(one));
