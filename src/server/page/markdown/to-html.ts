// Converts a participant's Markdown to safe HTML: no script, style or loading, and no word lost.
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
import { keepWords } from './kept-words.ts';
import type { MarkdownText, QuoteMark } from './markdown-text.ts';
import { renderPlainHtml } from './markdown-text.ts';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import rehypeHighlight from 'rehype-highlight';
import type { Nodes as HtmlNodes, Root as HtmlRoot } from 'hast';
import { findIntendedBreaks } from '../../../core/base/text.ts';

const languages = {
  ...{
    bash,
    c,
    cpp,
    csharp,
    css,
    diff,
    go,
    java,
    javascript,
    json,
    python,
    rust,
    sql,
    typescript,
    xml,
    yaml,
  },
};

/** Characters of a block: longer ones are not highlighted, as the rules of some languages are slow on other text. */
const MAX_LENGTH = 10_000;

const highlighter = unified().use(rehypeHighlight, { languages, prefix: 'hl-' }).freeze();

/** Highlights the code in a tree. Unknown languages stay plain. */
function highlightCode(tree: HtmlNodes): HtmlRoot {
  const root: HtmlRoot =
    tree.type === 'root' ? tree : { type: 'root', children: [tree] as HtmlRoot['children'] };
  return dropLongLanguages(root) ? (highlighter.runSync(root) as HtmlRoot) : root;
}

/** Removes the language from blocks that are too long. Returns false if none is left to highlight. */
function dropLongLanguages(parent: HtmlRoot | Extract<HtmlNodes, { type: 'element' }>): boolean {
  let isLeft = false;
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    const isNamed = child.tagName === 'code' && child.properties.className !== undefined;
    if (isNamed && toText(child).length > MAX_LENGTH) child.properties = {};
    else if (isNamed) isLeft = true;
    else if (dropLongLanguages(child)) isLeft = true;
  }
  return isLeft;
}

/** Keeps intended line breaks as in the terminal; those of hand-wrapped text become spaces. */
function keepMeantBreaks(parent: Nodes): void {
  if (!('children' in parent)) return;
  if (parent.type !== 'paragraph') return parent.children.forEach(keepMeantBreaks);
  breakLines(parent, findIntendedBreaks(readLines(parent).split('\n')).values());
}

const readLines = (node: Nodes): string =>
  node.type === 'break'
    ? '\n'
    : 'children' in node
      ? node.children.map(readLines).join('')
      : 'value' in node
        ? node.value
        : '';

/** `meant` yields for each line whether its break is intended. */
function breakLines(parent: { children: PhrasingContent[] }, meant: Iterator<boolean>): void {
  parent.children = parent.children.flatMap((child): PhrasingContent[] => {
    if (child.type === 'break') meant.next();
    if (child.type !== 'text') {
      if ('children' in child) breakLines(child, meant);
      return [child];
    }
    const [first = '', ...more] = child.value.split('\n');
    const lines = more.flatMap((line): PhrasingContent[] =>
      meant.next().value === true
        ? [{ type: 'break' }, { type: 'text', value: line }]
        : [{ type: 'text', value: `\n${line}` }],
    );
    return [{ type: 'text', value: first }, ...lines];
  });
}

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const hypertext = unified().use(remarkRehype).freeze();
const writer = unified().use(rehypeStringify).freeze();
type Hypertext = ReturnType<typeof hypertext.runSync>;

/** The allowed elements and attributes; everything else is removed. */
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

/** Never throws: a text that cannot be formatted is shown as written. */
export function convertMarkdownToHtml(input: MarkdownText): string {
  if (isTooMuch(input.text)) return renderPlainHtml(input.text);
  try {
    return formatMarkdown(input);
  } catch (error) {
    // The limits allow texts that overflow the stack.
    if (error instanceof RangeError) return renderPlainHtml(input.text);
    throw error;
  }
}

function formatMarkdown({ text, prefix, level, marks }: MarkdownText): string {
  const tree: Root = parser.parse(text);
  if (isTooDeep(tree)) return renderPlainHtml(text);
  keepWords(tree, prefix);
  markQuoted(tree, marks);
  demoteHeadings(tree, level);
  keepMeantBreaks(tree);
  const clean = rehypeSanitize({ ...SCHEMA, clobberPrefix: prefix });
  return writer.stringify(highlightCode(clean(withDirections(hypertext.runSync(tree)))));
}

/** Each block has the direction of its own script; code has that of the page. */
function withDirections(tree: Hypertext): Hypertext {
  for (const block of tree.children)
    if (block.type === 'element' && block.tagName !== 'pre') block.properties.dir = 'auto';
  return tree;
}

// Adapts the headings of a text to the heading above it, without skipping levels.

/** HTML has six levels. */
const DEEPEST = 6;

/**
 * Demotes headings: the outermost one is a level below `level`, and nested ones one level each. An empty heading
 * becomes a paragraph.
 */
function demoteHeadings(tree: Root, level: number): void {
  demoteAllHeadings(tree, { level, open: [] });
}

interface Outline {
  level: number;
  /** The open headings, with their written and displayed levels. */
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

// Limits beyond which a text is shown as written.

/** Formatting longer texts takes seconds. */
const MAX_BYTES = 64 * 1024;
/** Nested blocks and emphasis: a parser recurses for each, and its stack is limited. */
const MAX_DEPTH = 100;

/** Table cells: as many as could be written in that many bytes. Short rows are filled up to the table's width. */
const MAX_CELLS = MAX_BYTES / 2;

const DEEP = new RegExp(
  String.raw`^[ \t]*(?:${BLOCK_MARK}[ \t]*){${MAX_DEPTH},}|^[ \t]{${2 * MAX_DEPTH},}\S`,
  'm',
);

/** Checks the limits without parsing. */
const isTooMuch = (text: string): boolean =>
  Buffer.byteLength(text) > MAX_BYTES || DEEP.test(text) || countTableCells(text) > MAX_CELLS;

/** Estimates the maximum number of table cells from delimiter rows, in any enclosing block. */
function countTableCells(text: string): number {
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

/** Counts the columns of a delimiter row at the end of a line; 0 if there is none. */
function countDashColumns(line: string): number {
  const dashes = line.split(/[^|: \t-]/).at(-1) ?? '';
  return dashes.includes('|') ? dashes.split('|').filter((cell) => cell.includes('-')).length : 0;
}

/** Returns whether a tree is too deep, without recursion. */
function isTooDeep(tree: Root): boolean {
  let level: { children?: unknown }[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => (Array.isArray(node.children) ? (node.children as typeof level) : []));
  }
  return false;
}

// Marks quoted words of a text, each with a link to the quoting challenge.

/** Marks the quoted words in a tree, as far as they are in plain text. */
function markQuoted(tree: Root, marks: readonly QuoteMark[]): void {
  if (marks.length > 0) markQuotedWords(tree, { marks, linked: new Set() }, false);
}

interface MarkState {
  marks: readonly QuoteMark[];
  /** Marks whose link has been added. */
  linked: Set<QuoteMark>;
}

function markQuotedWords(parent: Nodes, marking: MarkState, isLink: boolean): void {
  if (!('children' in parent)) return;
  const inLink = isLink || parent.type === 'link' || parent.type === 'linkReference';
  parent.children = parent.children.flatMap((child): RootContent[] => {
    if (child.type === 'text') return cutAtMarks(child, marking, inLink);
    markQuotedWords(child, marking, inLink);
    return [child];
  });
}

/** Splits a text node at the start and end of marks. */
function cutAtMarks(node: Text, { marks, linked }: MarkState, isLink: boolean): PhrasingContent[] {
  const from = node.position?.start.offset;
  const to = node.position?.end.offset;
  if (from === undefined || to === undefined) return [node];
  const here = marks.filter((mark) => mark.start < to && from < mark.end);
  if (here.length === 0) return [node];
  // If the source contains an entity or a backslash, offsets do not match: the whole node is marked.
  const isPlain = node.value.length === to - from;
  const isInside = (at: number): boolean => isPlain && at > from && at < to;
  const cuts = [
    ...new Set([from, ...here.flatMap(({ start, end }) => [start, end]).filter(isInside), to]),
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

const createChallengeLink = ({ href, challenge }: QuoteMark): Link => ({
  type: 'link',
  url: href,
  data: { hProperties: { className: ['quoted-by'] } },
  children: [{ type: 'text', value: challenge }],
});
