// A participant's Markdown as HTML that can do nothing: no script, no style, nothing loaded, and no word lost.
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import type { Options as Schema } from 'rehype-sanitize';
import type { Root, Heading, Nodes, RootContent, Emphasis, Link, PhrasingContent, Text } from 'mdast';
import { unified } from 'unified';
import { toString as toText } from 'mdast-util-to-string';
import { BLOCK_MARK } from '../../../core/base/nesting.ts';
import { highlightCode, keepMeantBreaks } from './adjust-tree.ts';
import { keepWords } from './kept-words.ts';
import type { MarkdownText, Mark } from './markdown-text.ts';
import { plainHtml } from './markdown-text.ts';

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const hypertext = unified().use(remarkRehype).freeze();
const writer = unified().use(rehypeStringify).freeze();
type Hypertext = ReturnType<typeof hypertext.runSync>;

/** All that may stand in a text; what is not named here does not get out. */
const SCHEMA: Schema = {
  tagNames: [
    ...[
      'p',
      'br',
      'hr',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'ul',
      'ol',
      'li',
      'blockquote',
      'pre',
      'code',
      'div',
    ],
    ...['em', 'strong', 'del', 'a', 'mark', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  attributes: {
    a: ['href', ['rel', 'noopener', 'noreferrer', 'nofollow', 'ugc'], ['className', 'quoted-by']],
    '*': ['dir'],
    div: ['id', 'tabIndex', 'role', 'ariaLabel', ['className', 'note', 'wide']],
    p: [['className', 'raw', 'beside']],
    code: [['className', /^language-[\w+#-]{1,20}$/]],
    ol: ['start'],
  },
  ancestors: {
    li: ['ol', 'ul'],
    thead: ['table'],
    tbody: ['table'],
    tr: ['table'],
    th: ['table'],
    td: ['table'],
  },
  protocols: { href: ['http', 'https', 'mailto'] },
  clobber: ['id'],
};

/** Never throws: what cannot be formatted comes out as it was written. */
export function markdownToHtml(input: MarkdownText): string {
  if (isTooMuch(input.text)) return plainHtml(input.text);
  try {
    return formatMarkdown(input);
  } catch (error) {
    // Too little stack for what the limits let through.
    if (error instanceof RangeError) return plainHtml(input.text);
    throw error;
  }
}

function formatMarkdown({ text, prefix, level, marks }: MarkdownText): string {
  const tree: Root = parser.parse(text);
  if (isTooDeep(tree)) return plainHtml(text);
  keepWords(tree, prefix);
  markQuoted(tree, marks);
  demoteHeadings(tree, level);
  keepMeantBreaks(tree);
  const clean = rehypeSanitize({ ...SCHEMA, clobberPrefix: prefix });
  return writer.stringify(highlightCode(clean(withDirections(hypertext.runSync(tree)))));
}

/** Each block reads in the direction of its own script; code reads as the page does. */
function withDirections(tree: Hypertext): Hypertext {
  for (const block of tree.children)
    if (block.type === 'element' && block.tagName !== 'pre') block.properties.dir = 'auto';
  return tree;
}

// Headings of a text below the heading that it stands under, with no level left out.

/** Six levels are all that there are. */
const DEEPEST = 6;

/** The tree with its headings demoted: the first one a level below `level`, deeper ones a level each. One without words is none. */
function demoteHeadings(tree: Root, level: number): void {
  demoteAllHeadings(tree, { level, open: [] });
}

interface Outline {
  level: number;
  /** The headings that are open at this place, as they were written and as they are shown. */
  open: { written: number; shown: number }[];
}

function demoteAllHeadings(parent: Nodes, outline: Outline): void {
  if (!('children' in parent)) return;
  parent.children = parent.children.map((child): RootContent => {
    if (child.type !== 'heading') {
      demoteAllHeadings(child, outline);
      return child;
    }
    return toText(child).trim() === ''
      ? { type: 'paragraph', children: child.children }
      : demoteHeading(child, outline);
  });
}

function demoteHeading(heading: Heading, { level, open }: Outline): Heading {
  while ((open.at(-1)?.written ?? 0) >= heading.depth) open.pop();
  const shown = Math.min(DEEPEST, (open.at(-1)?.shown ?? level) + 1);
  open.push({ written: heading.depth, shown });
  return { ...heading, depth: shown as Heading['depth'] };
}

// What is too much to be formatted: it is shown as it was written.

/** Formatting longer texts takes seconds. */
const MAX_BYTES = 64 * 1024;
/** Of blocks and emphasis in each other. A parser calls itself for each, and has so much stack. */
const MAX_DEPTH = 100;

/** Of a table: as many as can be written out in that many bytes. A row that is left short is filled up to the width of its table. */
const MAX_CELLS = MAX_BYTES / 2;

const DEEP = new RegExp(
  String.raw`^[ \t]*(?:${BLOCK_MARK}[ \t]*){${MAX_DEPTH},}|^[ \t]{${2 * MAX_DEPTH},}\S`,
  'm',
);

/** Told without parsing it. */
const isTooMuch = (text: string): boolean =>
  Buffer.byteLength(text) > MAX_BYTES || DEEP.test(text) || mostCells(text) > MAX_CELLS;

/** As many cells as the tables of a text have at the most: told by the rows of dashes, in whatever a table stands. */
function mostCells(text: string): number {
  let all = 0;
  let [columns, rows] = [0, 0];
  for (const line of [...text.split(/\r\n?|\n/), '']) {
    const isOver = line.trim() === '';
    if (isOver) all += columns * rows;
    columns = isOver ? 0 : Math.max(columns, countDashColumns(line));
    rows = isOver || columns === 0 ? 0 : rows + 1;
  }
  return all;
}

/** Of the row of dashes that a line ends in; 0 where it ends in none. */
function countDashColumns(line: string): number {
  const dashes = line.split(/[^|: \t-]/).at(-1) ?? '';
  return dashes.includes('|') ? dashes.split('|').filter((cell) => cell.includes('-')).length : 0;
}

/** True for a tree deeper than the limit; nothing here calls itself. */
function isTooDeep(tree: Root): boolean {
  let level: { children?: unknown }[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => (Array.isArray(node.children) ? (node.children as typeof level) : []));
  }
  return false;
}

// Marks the words of a text that were quoted, each with a link to the challenge that quotes them.

/** The tree with its quoted words marked, as far as they are plain words. */
function markQuoted(tree: Root, marks: readonly Mark[]): void {
  if (marks.length > 0) markQuotedWords(tree, { marks, linked: new Set() }, false);
}

interface Marking {
  marks: readonly Mark[];
  /** Those that have their link. */
  linked: Set<Mark>;
}

function markQuotedWords(parent: Nodes, marking: Marking, isLink: boolean): void {
  if (!('children' in parent)) return;
  const inLink = isLink || parent.type === 'link' || parent.type === 'linkReference';
  parent.children = parent.children.flatMap((child): RootContent[] => {
    if (child.type === 'text') return cutAtMarks(child, marking, inLink);
    markQuotedWords(child, marking, inLink);
    return [child];
  });
}

/** A text cut where marks begin and end. */
function cutAtMarks(node: Text, { marks, linked }: Marking, isLink: boolean): PhrasingContent[] {
  const from = node.position?.start.offset;
  const to = node.position?.end.offset;
  if (from === undefined || to === undefined) return [node];
  const here = marks.filter((mark) => mark.start < to && from < mark.end);
  if (here.length === 0) return [node];
  // With an entity or a backslash in it, the words are shorter than what was written: all of them are marked.
  const isPlain = node.value.length === to - from;
  const inside = (at: number): boolean => isPlain && at > from && at < to;
  const cuts = [
    ...new Set([from, ...here.flatMap(({ start, end }) => [start, end]).filter(inside), to]),
  ].sort((a, b) => a - b);
  return cuts.slice(0, -1).flatMap((start, index): PhrasingContent[] => {
    const end = cuts[index + 1]!;
    const value = isPlain ? node.value.slice(start - from, end - from) : node.value;
    const over = here.filter((mark) => mark.start < end && start < mark.end);
    if (over.length === 0) return [{ type: 'text', value }];
    const ending = isLink
      ? []
      : over.filter((mark) => mark.end <= to && (mark.end === end || !isPlain) && !linked.has(mark));
    for (const mark of ending) linked.add(mark);
    return [createMarkNode(value), ...ending.map(createChallengeLink)];
  });
}

const createMarkNode = (value: string): Emphasis => ({
  type: 'emphasis',
  data: { hName: 'mark' },
  children: [{ type: 'text', value }],
});

const createChallengeLink = ({ href, challenge }: Mark): Link => ({
  type: 'link',
  url: href,
  data: { hProperties: { className: ['quoted-by'] } },
  children: [{ type: 'text', value: challenge }],
});
