// Masks names in others' texts, but gives a reader's own words back as the reader wrote them.
import type { Stretch } from '../ledger/text/text-range.ts';
import type { Mask, Masked } from '../naming/mask.ts';

/** How one reader sees the texts of others, or a stretch of one. */
export type Seen = (text: string, stretch?: Stretch) => Masked;

/** So many words, or ends of sentences, beside a label show whose words they are; looked for in so many UTF-16 units. */
const [BESIDE, WIDEST] = [3, 160];
const WORD = /[\p{L}\p{N}\p{M}]+|(?:[.!?…"“”«»„。「」()[\]]|\n\s*\n)+/gu;

/**
 * The mask for the texts of others, with the names in them that the reader wrote in the same words. A quote that came back
 * with a label in place of a name would tell the reader, who wrote that name, whose label it is.
 */
export function maskForReader(own: readonly string[], mask: Mask): Seen {
  const written = new Map<string, string>();
  const labels = new Set<string>();
  for (const { text, places } of own.map((words) => mask(words)))
    for (const { at, label, name } of places) {
      labels.add(label);
      for (const words of listSurroundings(text, at, at + label.length, label))
        if (!written.has(words)) written.set(words, name);
    }
  if (labels.size === 0) return mask;
  const anyLabel = new RegExp([...labels].map(makeBroken).join('|'), 'gu');
  return (text, stretch) => {
    const seen = mask(text, stretch);
    const restore = (label: string, at: number): string => {
      const beside = listSurroundings(seen.text, at, at + label.length, label.replace(/[\s>]+/g, ' '));
      return beside.map((words) => written.get(words)).find((name) => name !== undefined) ?? label;
    };
    return { ...seen, text: seen.text.replace(anyLabel, restore) };
  };
}

/** The label with the words beside it, in each way to have so many of them. */
function listSurroundings(text: string, start: number, end: number, label: string): string[] {
  const before = ['.', ...splitWords(text.slice(Math.max(0, start - WIDEST), start))].slice(-BESIDE);
  const behind = [...splitWords(text.slice(end, end + WIDEST)), '.'].slice(0, BESIDE);
  return Array.from({ length: BESIDE + 1 }, (_, from) => [
    from === 0 ? [] : before.slice(-from),
    behind.slice(0, BESIDE - from),
  ])
    .filter(([left, right]) => left!.length + right!.length === BESIDE)
    .map(([left, right]) => [...left!, label, ...right!].join(' '));
}

const splitWords = (text: string): string[] =>
  (text.match(WORD) ?? []).map((word) => (/[\p{L}\p{N}]/u.test(word) ? word.toLowerCase() : '.'));

/** A label as a pattern, for it may be broken over two quoted lines. */
const makeBroken = (label: string): string =>
  String.raw`(?<![\p{L}\p{N}])${label.replace(/[[\]]/g, String.raw`\$&`).replace(/\s+/g, String.raw`[\s>]+`)}(?![\p{L}\p{N}])`;
