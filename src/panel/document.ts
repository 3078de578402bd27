// Offline panel: reads a brief into everything that the reviewers need.
import { toString } from 'mdast-util-to-string';
import { makeLegible } from './legible.ts';
import { parseMarkdown } from './markdown.ts';
import type { Node, Tree } from './markdown.ts';
import { readBlock, wordsOf } from './prose.ts';
import type { Language } from './says.ts';
import type { Block } from './prose.ts';

/** A stretch of the brief, by offsets. */
export interface Span {
  start: number;
  end: number;
}

export interface Heading extends Span {
  depth: number;
  text: string;
  /** The texts of the headings above it in the outline. */
  parents: readonly string[];
}

/** Everything the reviewers need to know about a brief, read once. */
export interface Document {
  /** The brief as it was read, unchanged. */
  text: string;
  /** The brief with unreadable parts blanked: what `tree` was parsed from. Same offsets as `text`. */
  parsed: string;
  tree: Tree;
  /** Offset of the first character of each line. */
  starts: readonly number[];
  blocks: readonly Block[];
  headings: readonly Heading[];
  links: readonly (Span & { url: string })[];
  /** Inline and fenced code. */
  code: readonly (Span & { value: string })[];
  quotations: readonly Span[];
  /** Words set in bold at the start of a paragraph: how Markdown writes a definition. */
  definitions: readonly (Span & { text: string })[];
  /** Words of prose; code, tables and front matter do not count. */
  words: number;
  /** True when the prose is in English or French as far as can be told, or too short to tell. */
  isKnownLanguage: boolean;
  /** What the panel says about it is said in this language. */
  language: Language;
  /** How many lines could not be read. */
  unread: number;
  binary: boolean;
}

/** Reads a brief. Any text will do. Throws `RangeError` when its Markdown nests too deep for a parser. */
export function readDocument(brief: string): Document {
  const { source, parsed, starts, unread, binary } = makeLegible(brief);
  const tree = parseMarkdown(parsed);
  const found = collect(tree, parsed);
  const prose = found.blocks.map((block) => block.text).join(' ');
  const words = found.blocks.reduce((sum, block) => sum + block.words, 0);
  return { text: source, parsed, tree, starts, ...found, words, ...detectLanguage(prose), unread, binary };
}

function collect(tree: Tree, source: string) {
  const blocks: Block[] = [];
  const headings: Heading[] = [];
  const links: (Span & { url: string })[] = [];
  const code: (Span & { value: string })[] = [];
  const quotations: Span[] = [];
  const definitions: (Span & { text: string })[] = [];
  const outline: Heading[] = [];

  const visit = (node: Node): void => {
    const span = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
    if (node.type === 'heading') {
      while ((outline.at(-1)?.depth ?? 0) >= node.depth) outline.pop();
      const heading = {
        ...span,
        depth: node.depth,
        text: toString(node),
        parents: outline.map((above) => above.text),
      };
      outline.push(heading);
      headings.push(heading);
      blocks.push(readBlock('heading', node, source));
    } else if (node.type === 'paragraph') {
      blocks.push(readBlock('paragraph', node, source));
      const first = node.children[0];
      if (first?.type === 'strong') definitions.push({ ...span, text: toString(first).replace(/[:.]$/, '') });
    } else if (node.type === 'link') links.push({ ...span, url: node.url });
    else if (node.type === 'code' || node.type === 'inlineCode') code.push({ ...span, value: node.value });
    else if (node.type === 'blockquote') quotations.push(span);
    if ('children' in node) for (const child of node.children) visit(child);
  };
  for (const child of tree.children) visit(child);
  return { blocks, headings, links, code, quotations, definitions };
}

const ENGLISH = new Set(
  'the of and to that for with this are from not have which you when has its if it be by or these can your they their we than into but does do there them our'.split(
    ' ',
  ),
);
const FRENCH = new Set(
  'le la les des du de et un une est dans pour par sur que qui en au aux avec ne pas sont ce cette ou nous il elle se plus'.split(
    ' ',
  ),
);
/** English prose has a third of such words, terse technical notes a sixth, other languages next to none. */
const ENGLISH_SHARE = 0.1;
const ENOUGH_TO_TELL = 30;

function detectLanguage(prose: string): Pick<Document, 'isKnownLanguage' | 'language'> {
  const words = wordsOf(prose.slice(0, 200_000)).map((word) => word.toLowerCase());
  const share = (of: ReadonlySet<string>): number =>
    words.filter((word) => of.has(word)).length / Math.max(1, words.length);
  const english = share(ENGLISH);
  const french = share(FRENCH);
  const language = french > 0.12 && french > english ? 'fr' : 'en';
  return {
    isKnownLanguage: language === 'fr' || words.length < ENOUGH_TO_TELL || english >= ENGLISH_SHARE,
    language,
  };
}
