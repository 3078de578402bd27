// Splits a contribution to CHALLENGE into units: paragraphs, quotes, lines, table rows, JSON objects.
import { COLUMN } from './answer-shapes.ts';
import { cutBlocks, splitLines } from './blocks.ts';
import type { Block } from './blocks.ts';
import type { TextRange } from './limits.ts';
import { findMarked } from './marks.ts';
import { findClaim, findMentions, findAddress, findLead, findOnlyMention } from './mentions.ts';
import type { Mention } from './mentions.ts';
import { readForm } from './form.ts';
import {
  confirmsClaim,
  voicesAgreement,
  isPraise,
  isQualified,
  readSide,
  createSideReader,
} from './support-or-objection.ts';
import { splitCells } from './form-lines.ts';

/** One unit of a contribution to CHALLENGE. */
export interface Unit extends TextRange {
  /** `address` starts with a claim id; `quote` is or contains a block quote; `break` is a heading or a rule. */
  kind: 'address' | 'quote' | 'text' | 'break';
  address: Mention | null;
  /** The quoted lines, `>` included. */
  quotes: TextRange[];
  /** Length of the opening that names the claim. */
  lead: number;
  /** True if it is a complete objection: a list item, a table row, a sentence with a quote. */
  isWhole: boolean;
  /** True for an addressed heading; everything below it is about that claim. */
  isHeading: boolean;
  /** True if it supports its claim or quote: it is under a "for" heading or starts like one. */
  supports: boolean;
}

/** Tests whether a claim exists, and whether another participant said something. */
export interface KnownStatements {
  isClaim(mention: Mention): boolean;
  isSaid(quote: TextRange): boolean;
}

/** For texts whose challenges are not needed. */
export const NOTHING_KNOWN: KnownStatements = { isClaim: () => false, isSaid: () => false };

/**
 * Splits a contribution into units. Within a paragraph, a line that starts with an existing claim's id is a
 * separate unit, because people often write one line per claim; so is a table row.
 */
export function cutUnits(text: string, known: KnownStatements): Unit[] {
  const units = readForm(text).places.flatMap((place) => recordUnits(text, place, known));
  const isFor = createSideReader();
  for (const block of cutBlocks(text)) {
    const last = units.at(-1);
    const supports = isFor(text, block);
    const found = cutBlock(text, block, known);
    if (found.length === 0 && last && last.kind !== 'break') last.end = block.end;
    for (const one of found) {
      const words = text.slice(one.start, one.end);
      const side = readSide(words);
      units.push({ ...one, supports: side === undefined ? supports : side === 'for' && !isQualified(words) });
    }
  }
  return units;
}

function cutBlock(text: string, block: Block, known: KnownStatements): Unit[] {
  const { kind } = block;
  const records = kind === 'attached' || kind === 'prose' ? recordUnits(text, block, known) : [];
  if (records.length > 0 || kind === 'attached') return records;
  if (kind === 'quote') return quoteUnits(text, block, known);
  return kind === 'break' ? [buildHeadingUnit(text, block, known)] : buildWordUnits(text, block, known);
}

const asUnit = ({ start, end }: TextRange, more: Partial<Unit> = {}): Unit => ({
  kind: more.address ? 'address' : more.quotes?.length ? 'quote' : 'text',
  address: null,
  quotes: [],
  lead: 0,
  isWhole: false,
  isHeading: false,
  supports: false,
  ...more,
  start,
  end,
});

/** Shorter quoted text is an expression, not a quote, in UTF-16 units. */
const SHORTEST = 12;
/** Only the first cells of a row can name its claim. */
const MOST_CELLS = 3;

/** Returns a unit if one cell names a claim, or the place contains a quote. */
function buildWholeUnits(
  place: TextRange,
  cells: readonly string[],
  quotes: readonly TextRange[],
  known: KnownStatements,
): Unit[] {
  const address = cells.map(findOnlyMention).find((mention) => mention && known.isClaim(mention)) ?? null;
  const said = quotes.filter((quote) => quote.end - quote.start >= SHORTEST && known.isSaid(quote));
  return address || said.length > 0 ? [asUnit(place, { address, quotes: said, isWhole: true })] : [];
}

/** Reads table rows and JSON objects: `{"target": "ada.2", "quote": "…"}`. */
const recordUnits = (text: string, block: TextRange, known: KnownStatements): Unit[] =>
  findRecords(text, block).flatMap(({ cells, isRow, ...place }) => {
    const said = (isRow ? cells.slice(0, MOST_CELLS) : cells).map(({ start, end }) => text.slice(start, end));
    const names = isRow ? [] : cells.map(({ name }) => name);
    if (
      givesPraise(
        cells.map(({ name }) => name),
        said,
      )
    )
      return [];
    return buildWholeUnits(place, [...said, ...names], isRow ? findMarkedQuotes(text, place) : cells, known);
  });

/** Whether a row or object has the verdict that the claim holds, and no other cell objects. */
function givesPraise(names: readonly string[], cells: readonly string[]): boolean {
  const isVerdict = (words: string, at: number) =>
    isPraise(words) && (cells.length <= 2 || COLUMN().test(names[at] ?? ''));
  const isObjection = (words: string, at: number) =>
    isQualified(words) || readSide(`${names[at]}:`) === 'against';
  return cells.some(isVerdict) && !cells.some(isObjection);
}

const findMarkedQuotes = (text: string, { start, end }: TextRange): TextRange[] =>
  findMarked(text.slice(start, end)).map((quote) => ({
    start: start + quote.start + 1,
    end: start + quote.end - 1,
  }));

/** A heading ends what came before, and may address what follows. */
function buildHeadingUnit(text: string, block: Block, { isClaim }: KnownStatements): Unit {
  const start = block.start + /^[#\s]*/.exec(text.slice(block.start, block.end))![0].length;
  const words = text.slice(start, block.end);
  const named = findMentions(words).flatMap((one) => ('name' in one && isClaim(one) ? [one] : []));
  const first = findAddress(words);
  const address = [first, named.length === 1 ? named[0] : undefined].find((one) => one && isClaim(one));
  return address
    ? asUnit({ start, end: block.end }, { address, lead: first?.length ?? 0, isHeading: true })
    : asUnit(block, { kind: 'break' });
}

function buildWordUnits(text: string, block: Block, known: KnownStatements): Unit[] {
  const isItem = block.kind === 'item';
  const quotes = block.quotes
    .map((quote) => cutQuote(text, quote))
    .filter((quote) => hasQuotedWords(text, quote));
  const cuts = (isItem ? [] : splitLines(text, block).slice(1)).flatMap(({ start, end }) => {
    const words = text.slice(start, end);
    const address = findAddress(words);
    const isKey = /[:：=→]$/.test(findLead(words, known.isClaim)?.lead ?? '');
    return isKey || (address && known.isClaim(address)) || readSide(words) ? [start] : [];
  });
  return [block.start, ...cuts].flatMap((start, index) => {
    const end = start + text.slice(start, cuts[index] ?? block.end).trimEnd().length;
    const { mentions, length } = findAddressed(text.slice(start, end), known);
    const inside =
      quotes.length > 0
        ? []
        : buildWholeUnits({ start, end }, [], findMarkedQuotes(text, { start, end }), known);
    const said = inside.flatMap((one) => one.quotes);
    const isWhole = isItem || (mentions.length === 0 && said.length > 0);
    const [address = null, ...others] = mentions;
    const more = { quotes: [...quotes, ...said], isWhole, lead: length };
    return [address, ...others].map((one) => asUnit({ start, end }, { ...more, address: one }));
  });
}

/**
 * Returns the claims that words address; none if they agree. Without `@`, the claim must exist. Of "a.1 is true,
 * but a.2 is invented", only the second is.
 */
function findAddressed(
  words: string,
  known: KnownStatements,
  mostConfirmed = 8,
): { mentions: Mention[]; length: number } {
  const { isClaim } = known;
  const certain = findAddress(words);
  const lead = findLead(words, isClaim);
  const behind = lead ? words.slice(lead.length) : '';
  const next = findClaim(behind, isClaim);
  if (lead && mostConfirmed > 0 && confirmsClaim(lead.lead, behind.slice(0, next))) {
    const more = findAddressed(behind.slice(next), known, mostConfirmed - 1);
    if (more.mentions.length > 0) return { ...more, length: lead.length + next + more.length };
  }
  if (
    lead &&
    lead.mentions.length >= (certain ? 2 : 1) &&
    !(voicesAgreement(lead.lead) && !isQualified(words))
  )
    return isPraise(behind) ? { mentions: [], length: 0 } : lead;
  const named = certain && (certain.isCertain || isClaim(certain)) ? certain : undefined;
  if (!named || isPraise(words.slice(named.length))) return { mentions: [], length: 0 };
  return { mentions: [named], length: named.length };
}

/** Splits a block quote from the lines below it without `>`: Markdown includes them, their author did not. */
function quoteUnits(text: string, block: Block, { isClaim }: KnownStatements): Unit[] {
  const quote = cutQuote(text, block);
  const rest = text.slice(quote.end, block.end);
  const below = { start: quote.end + (rest.length - rest.trimStart().length), end: block.end };
  const units = below.start < below.end ? [asUnit(below)] : [];
  if (!hasQuotedWords(text, quote)) return units;
  // The id shown in a transcript may have been copied along with the words.
  const lead = /^[>\s]*/.exec(text.slice(quote.start, quote.end))![0].length;
  const copied = findAddress(text.slice(quote.start + lead, quote.end));
  const address = copied && isClaim(copied) ? copied : null;
  const words = { start: quote.start + (address ? lead + address.length : 0), end: quote.end };
  const quotes = hasQuotedWords(text, words) ? [words] : [];
  return [asUnit(quote, { kind: 'quote', address, quotes }), ...units];
}

/** Returns the leading lines of a block quote that have a `>`. */
function cutQuote(text: string, block: TextRange): TextRange {
  const lines = splitLines(text, block);
  const beyond = lines.findIndex(
    ({ start, end }, at) => at > 0 && !/^[ \t]*>/.test(text.slice(start, Math.min(end, start + 500))),
  );
  return { start: block.start, end: lines.at(beyond === -1 ? -1 : beyond - 1)!.end };
}

const hasQuotedWords = (text: string, { start, end }: TextRange): boolean =>
  /[^>\s]/.test(text.slice(start, end));

interface TextRecord extends TextRange {
  /** Its cells, without quotation marks, each with its column header or key. */
  cells: NamedCell[];
  isRow?: true;
}
interface NamedCell extends TextRange {
  name: string;
}

const OBJECT = /\{[^{}]*\}/g;
const PAIR = /"((?:\\.|[^"\\\n]){1,100})"\s*:\s*"((?:\\[^]|[^"\\])*)"/dg;
const JSON_DATA = /^\s*(?:(?:```|~~~).*\s+)?[[{]/;
const YAML = /^\s*(?:```|~~~)[ \t]*ya?ml/i;
const ITEM = /(?<=^|\n)([ \t]*)- (?=\w+:).*(?:\n\1 [ \t]*\S.*)*/g;
const YAML_PAIR = /(?:^|\n)[ \t]*(?:- )?(\w+):[ \t]+(["']?)(\S.*?)\2[ \t]*(?=\n|$)/dg;
const ROW = /(?<=^|\n)[ \t]*\|.*/g;

/** Returns the records in a range. Skips objects with a brace inside a string, and nested ones. */
export function findRecords(text: string, { start: from, end: to }: TextRange): TextRecord[] {
  const words = text.slice(from, to);
  const cut = (found: RegExp, pair: RegExp, value: number) =>
    [...words.matchAll(found)].flatMap(({ 0: whole, index }) => {
      const start = from + index;
      const cells = [...whole.matchAll(pair)].map(({ 1: name = '', indices }) => {
        const [begin, end] = indices![value]!;
        return { name, start: start + begin, end: start + end };
      });
      return cells.length === 0 ? [] : [{ start, end: start + whole.length, cells }];
    });
  if (YAML.test(words)) return cut(words.search(ITEM) === -1 ? /[^]+/g : ITEM, YAML_PAIR, 3);
  if (JSON_DATA.test(words)) return cut(OBJECT, PAIR, 2);
  const rows = [...words.matchAll(ROW)].map(({ 0: row, index }) => {
    const start = from + index;
    return { start, end: start + row.length, cells: splitCells({ start, text: row }) };
  });
  const names = rows[0]?.cells.map(({ words: name }) => name) ?? [];
  return rows.map(({ cells, ...row }) => ({
    ...row,
    isRow: true,
    cells: cells.map(({ start, end }, at) => ({ name: names[at] ?? '', start, end })),
  }));
}
