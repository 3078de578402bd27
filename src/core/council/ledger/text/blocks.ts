// Cuts a contribution into its top-level Markdown blocks.
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { isTooNested } from '../../../base/nesting.ts';
import { onFirstUse } from '../../../base/memoize.ts';
import { unified } from 'unified';
import type { Processor } from 'unified';
import { blankForm } from './spoken-words.ts';
import type { Stretch } from './text-range.ts';

/** One block of a contribution as a reader sees it. */
export interface Block extends Stretch {
  /** `prose` is a paragraph; `attached` is what belongs to the block before it; `break` ends what came before. */
  kind: 'prose' | 'item' | 'quote' | 'attached' | 'break';
  /** The block quotes inside a list item. */
  quotes: Stretch[];
}

/** Constructs inside a line: nothing here looks at them, and some cost the square of a paragraph's length. */
const INLINE =
  'attention autolink characterEscape characterReference codeText hardBreakEscape htmlText labelEnd labelStartImage labelStartLink wwwAutolink protocolAutolink emailAutolink strikethrough gfmFootnoteCall gfmPotentialFootnoteCall tasklistCheck'.split(
    ' ',
  );

function withoutInline(this: Processor): void {
  const data = this.data();
  (data.micromarkExtensions ??= []).push({ disable: { null: INLINE } });
}

const parser = onFirstUse(() => unified().use(remarkParse).use(remarkGfm).use(withoutInline).freeze());
type Node = ReturnType<ReturnType<typeof parser>['parse']>['children'][number];
type ListItemNode = Extract<Node, { type: 'list' }>['children'][number];

/** A block as it is found: an item's words begin behind its marker, but the block before it ends in front of the marker. */
type OpenBlock = Omit<Block, 'end'> & { outer: number };

/**
 * The top-level blocks of a contribution in order, its form left out and every list cut into its items.
 * A block reaches up to the next one; trailing white space belongs to none. Bounded time for any text: what cannot
 * be parsed cheaply belongs to the block before it.
 */
export function cutBlocks(text: string): Block[] {
  const shown = blankForm(text);
  const first = shown.search(/\S/);
  if (first === -1) return [];
  const lineStart = shown.lastIndexOf('\n', first) + 1;
  // The room in front of the first words is theirs, unless something was blanked there.
  const bodyStart = text.slice(lineStart, first).trim() === '' ? lineStart : first;
  const body = parsable(shown.slice(bodyStart));
  const found = parser().parse(body).children.flatMap(findBlocks);
  return found
    .map(({ kind, start, quotes }, index) => ({
      kind,
      start: start + bodyStart,
      end: findWordsEnd(
        shown,
        start + bodyStart,
        (found[index + 1]?.outer ?? text.length - bodyStart) + bodyStart,
      ),
      quotes: quotes.map((quote) => ({ start: quote.start + bodyStart, end: quote.end + bodyStart })),
    }))
    .filter(({ start, end }) => start < end);
}

function findBlocks(node: Node): OpenBlock[] {
  const outer = getStart(node);
  if (node.type === 'list') return node.children.map((item) => ({ ...asItem(item), outer: getStart(item) }));
  return [{ kind: tellKind(node), start: outer, quotes: [], outer }];
}

/** The lines of a stretch, without their line ends. */
export function splitLines(text: string, { start, end }: Stretch): Stretch[] {
  const lines: Stretch[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start: from, end: start + match.index });
    from = start + match.index + match[0].length;
  }
  return [...lines, { start: from, end }];
}

function asItem(item: ListItemNode): OpenBlock {
  const first = item.children[0];
  // A marker without anything behind it ends where it begins, and is left out.
  const start = first ? getStart(first) : getEnd(item);
  return { kind: 'item', start, quotes: findQuotes(item), outer: getStart(item) };
}

function findQuotes(item: ListItemNode): Stretch[] {
  return item.children.flatMap((child): Stretch[] => {
    if (child.type === 'blockquote') return [{ start: getStart(child), end: getEnd(child) }];
    return child.type === 'list' ? child.children.flatMap(findQuotes) : [];
  });
}

function tellKind({ type }: Node): Block['kind'] {
  if (type === 'paragraph') return 'prose';
  if (type === 'blockquote') return 'quote';
  return type === 'heading' || type === 'thematicBreak' ? 'break' : 'attached';
}

const getStart = (node: Node | ListItemNode): number => node.position?.start.offset ?? 0;
const getEnd = (node: Node | ListItemNode): number => node.position?.end.offset ?? 0;

function findWordsEnd(text: string, start: number, limit: number): number {
  let end = limit;
  while (end > start && /\s/.test(text[end - 1]!)) end -= 1;
  return end;
}

/** The part of a text that is parsed: two hundred claims fit, and a Markdown parser takes a second for ten times as much. */
const MAX_LENGTH = 64 * 1024;
/** A parser takes the square of the number of lists and quotes that it closes, and a line can close one. */
const MAX_LINES = 2000;
/** Lines in a row without a blank one that are parsed: in a quote they cost the square of their number. */
const MAX_RUN = 400;
const FENCE = /^[ \t>]*(?:```|~~~)/;

/**
 * A text of the same offsets that can be parsed in bounded time: the end of a very long text is left out, and lines
 * that would cost too much are blanked.
 */
function parsable(text: string): string {
  let run = 0;
  const lines = cutBeginning(text).split(/(?<=\n|\r(?!\n))/);
  const kept = lines.slice(0, MAX_LINES).map((line) => {
    const words = line.trimEnd();
    run = words === '' ? 0 : run + 1;
    const isBlanked = (run > MAX_RUN && !FENCE.test(words.slice(0, 80))) || isTooNested(words);
    return isBlanked ? ' '.repeat(words.length) + line.slice(words.length) : line;
  });
  // A parser drops a byte order mark and then counts one too few.
  return kept.join('').replace(/^\uFEFF/, ' ');
}

function cutBeginning(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const lineEnd = text.lastIndexOf('\n', MAX_LENGTH - 1) + 1;
  // A very long line is cut itself, or its paragraph would be lost.
  return text.slice(0, lineEnd > MAX_LENGTH / 2 ? lineEnd : MAX_LENGTH);
}
