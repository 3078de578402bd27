import { blocksOf, linesIn } from './blocks.ts';
import type { Block, Stretch } from './blocks.ts';
import { addressOf } from './mentions.ts';
import type { Mention } from './mentions.ts';

/** A contribution to CHALLENGE in the parts that matter there. */
export interface Unit extends Stretch {
  /** `address` starts with the id of a claim; `quote` is or holds a block quote; `break` is a heading or a rule. */
  kind: 'address' | 'quote' | 'text' | 'break';
  address: Mention | null;
  /** The quoted lines, `>` and all. */
  quotes: Stretch[];
  isItem: boolean;
}

/**
 * Cuts a contribution into units. `isClaim` tells which claims exist: inside a paragraph, a line that starts with a
 * known id starts a unit of its own, because people write one line for each.
 */
export function unitsOf(text: string, isClaim: (mention: Mention) => boolean): Unit[] {
  const units: Unit[] = [];
  for (const block of blocksOf(text)) {
    const last = units.at(-1);
    if (block.kind === 'attached') {
      if (last && last.kind !== 'break') last.end = block.end;
    } else if (block.kind === 'quote') units.push(...quoteUnits(text, block, isClaim));
    else if (block.kind === 'break') units.push(headingUnit(text, block, isClaim));
    else units.push(...wordUnits(text, block, isClaim));
  }
  return units;
}

/** A heading ends what came before, and may be the address of what follows. */
function headingUnit(text: string, block: Block, isClaim: (mention: Mention) => boolean): Unit {
  const start = block.start + /^[#\s]*/.exec(text.slice(block.start, block.end))![0].length;
  const address = addressOf(text.slice(start, block.end));
  return address && isClaim(address)
    ? { ...unit('address', { start, end: block.end }), address }
    : unit('break', block);
}

function wordUnits(text: string, block: Block, isClaim: (mention: Mention) => boolean): Unit[] {
  const isItem = block.kind === 'item';
  const quotes = block.quotes.map((quote) => quotedLines(text, quote)).filter(isSaid(text));
  const cuts = linesIn(text, block)
    .slice(1)
    .flatMap(({ start, end }) => {
      const address = isItem ? undefined : addressOf(text.slice(start, end));
      return address && isClaim(address) ? [start] : [];
    });
  return [block.start, ...cuts].map((start, index) => {
    const end = start + text.slice(start, cuts[index] ?? block.end).trimEnd().length;
    const address = addressOf(text.slice(start, end)) ?? null;
    const kind = address ? 'address' : quotes.length > 0 ? 'quote' : 'text';
    return { ...unit(kind, { start, end }), address, quotes, isItem };
  });
}

/** A block quote, and what goes on below it without a `>`: Markdown counts that in, its author did not. */
function quoteUnits(text: string, block: Block, isClaim: (mention: Mention) => boolean): Unit[] {
  const quote = quotedLines(text, block);
  const rest = text.slice(quote.end, block.end);
  const start = quote.end + (rest.length - rest.trimStart().length);
  const units = start < block.end ? [unit('text', { start, end: block.end })] : [];
  if (!isSaid(text)(quote)) return units;
  // The id that a transcript shows may have been copied with the words.
  const lead = /^[>\s]*/.exec(text.slice(quote.start, quote.end))![0].length;
  const copied = addressOf(text.slice(quote.start + lead, quote.end));
  const address = copied && isClaim(copied) ? copied : null;
  const words = { start: quote.start + (address ? lead + address.length : 0), end: quote.end };
  return [{ ...unit('quote', quote), address, quotes: isSaid(text)(words) ? [words] : [] }, ...units];
}

/** The lines from the start of a block quote that have a `>`. */
function quotedLines(text: string, block: Stretch): Stretch {
  const [first, ...rest] = linesIn(text, block);
  const beyond = rest.findIndex(
    ({ start, end }) => !/^[ \t]*>/.test(text.slice(start, Math.min(end, start + 500))),
  );
  const last = beyond === -1 ? rest.at(-1) : rest[beyond - 1];
  return { start: block.start, end: (last ?? first!).end };
}

/** False for a quote of nothing. */
const isSaid =
  (text: string) =>
  ({ start, end }: Stretch): boolean =>
    /[^>\s]/.test(text.slice(start, end));

const unit = (kind: Unit['kind'], { start, end }: Stretch): Unit => ({
  kind,
  start,
  end,
  address: null,
  quotes: [],
  isItem: false,
});
