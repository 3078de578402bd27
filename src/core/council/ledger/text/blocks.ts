// Splits a contribution into its top-level Markdown blocks.
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { isTooNested } from '../../../base/nesting.ts';
import { makeOnFirstUse } from '../../../base/memoize.ts';
import { unified } from 'unified';
import type { Processor } from 'unified';
import { blankForm } from './spoken-words.ts';
import type { TextRange } from './limits.ts';

/** One block of a contribution, as rendered. */
export interface Block extends TextRange {
  /** `prose` is a paragraph; `attached` belongs to the block before it; `break` ends what came before. */
  kind: 'prose' | 'item' | 'quote' | 'attached' | 'break';
  /** The block quotes inside a list item. */
  quotes: TextRange[];
}

/** Inline constructs: not needed here, and some take quadratic time in the length of a paragraph. */
const INLINE =
  'attention autolink characterEscape characterReference codeText hardBreakEscape htmlText labelEnd labelStartImage labelStartLink wwwAutolink protocolAutolink emailAutolink strikethrough gfmFootnoteCall gfmPotentialFootnoteCall tasklistCheck'.split(
    ' ',
  );

function disableInline(this: Processor): void {
  const data = this.data();
  (data.micromarkExtensions ??= []).push({ disable: { null: INLINE } });
}

const parser = makeOnFirstUse(() => unified().use(remarkParse).use(remarkGfm).use(disableInline).freeze());
type Node = ReturnType<ReturnType<typeof parser>['parse']>['children'][number];
type ListItemNode = Extract<Node, { type: 'list' }>['children'][number];

/** A block while parsing. Its words start after a list marker; the block before it ends at `outer`. */
type OpenBlock = Omit<Block, 'end'> & { outer: number };

/**
 * Returns the top-level blocks of a contribution in order, without its form, and with each list split into
 * items. A block extends to the next one, without trailing white space.
 * Takes bounded time for any text: anything too costly to parse is added to the block before it.
 */
export function cutBlocks(text: string): Block[] {
  const shown = blankForm(text);
  const first = shown.search(/\S/);
  if (first === -1) return [];
  const lineStart = shown.lastIndexOf('\n', first) + 1;
  // Indentation before the first words belongs to them, unless it was blanked text.
  const bodyStart = text.slice(lineStart, first).trim() === '' ? lineStart : first;
  const body = makeParsable(shown.slice(bodyStart));
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

/** Splits a range into lines, without line endings. */
export function splitLines(text: string, { start, end }: TextRange): TextRange[] {
  const lines: TextRange[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start: from, end: start + match.index });
    from = start + match.index + match[0].length;
  }
  return [...lines, { start: from, end }];
}

function asItem(item: ListItemNode): OpenBlock {
  const first = item.children[0];
  // An empty item gets an empty range, and is dropped later.
  const start = first ? getStart(first) : getEnd(item);
  return { kind: 'item', start, quotes: findQuotes(item), outer: getStart(item) };
}

function findQuotes(item: ListItemNode): TextRange[] {
  return item.children.flatMap((child): TextRange[] => {
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

/** Maximum length to parse: enough for two hundred claims. Ten times as much takes a second. */
const MAX_LENGTH = 64 * 1024;
/** Parsing is quadratic in the number of lists and quotes closed, and each line can close one. */
const MAX_LINES = 2000;
/** Maximum number of lines without a blank one: inside a quote, their cost is quadratic. */
const MAX_RUN = 400;
const FENCE = /^[ \t>]*(?:```|~~~)/;

/**
 * Returns a text with the same offsets that parses in bounded time: cuts off the end of a very long text, and
 * blanks lines that would cost too much.
 */
function makeParsable(text: string): string {
  let run = 0;
  const lines = cutBeginning(text).split(/(?<=\n|\r(?!\n))/);
  const kept = lines.slice(0, MAX_LINES).map((line) => {
    const words = line.trimEnd();
    run = words === '' ? 0 : run + 1;
    const isBlanked = (run > MAX_RUN && !FENCE.test(words.slice(0, 80))) || isTooNested(words);
    return isBlanked ? ' '.repeat(words.length) + line.slice(words.length) : line;
  });
  // The parser drops a byte order mark, which would shift its offsets by one.
  return kept.join('').replace(/^\uFEFF/, ' ');
}

function cutBeginning(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const lineEnd = text.lastIndexOf('\n', MAX_LENGTH - 1) + 1;
  // Cuts inside a very long line; otherwise its whole paragraph would be lost.
  return text.slice(0, lineEnd > MAX_LENGTH / 2 ? lineEnd : MAX_LENGTH);
}
