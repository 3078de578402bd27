// Offline panel: parses a brief into everything that the reviewers need.
import { toString } from 'mdast-util-to-string';
import { parseMarkdown, readBlock, splitProseWords } from './prose.ts';
import type { Node, Tree, Block } from './prose.ts';
import { getSentences } from './says.ts';
import type { Language, Sentences } from './says.ts';
import { createContainerCounter, isTooNested } from '../core/base/nesting.ts';

/** A range of offsets in the brief. */
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

export interface Document {
  /** The brief without its byte order mark, up to the size limit. */
  text: string;
  /** The brief with unreadable parts blanked, from which `tree` was parsed. Same offsets as `text`. */
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
  /** Bold words at the start of a paragraph, which usually define a term. */
  definitions: readonly (Span & { text: string })[];
  /** Words of prose, without code, tables and front matter. */
  words: number;
  /** Whether the prose seems to be English or French, or is too short to tell. */
  isKnownLanguage: boolean;
  language: Language;
  /** The panel's sentences in that language. */
  say: Sentences;
  /** How many lines could not be read. */
  unread: number;
  binary: boolean;
}

/** Parses a brief; any text is valid. Throws `RangeError` if its Markdown is nested too deep for a parser. */
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
/** Languages that share short words with French. */
const OTHERS = [
  'el la los las de del y que en un una es son por para con no se su al lo como más pero o',
  'il lo la gli le di della del e un una che è sono per con non si al da nel come più ma o',
  'o a os as de do da dos das e um uma que em no na é são por para com não se ao como mais mas ou',
].map((words) => new Set(words.split(' ')));
/** English prose has a third of such words, terse technical notes a sixth, other languages almost none. */
const ENGLISH_SHARE = 0.1;
const ENOUGH_TO_TELL = 30;

function detectLanguage(prose: string): Pick<Document, 'isKnownLanguage' | 'language' | 'say'> {
  const words = splitProseWords(prose.slice(0, 200_000)).map((word) => word.toLowerCase());
  const share = (of: ReadonlySet<string>): number =>
    words.filter((word) => of.has(word)).length / Math.max(1, words.length);
  const english = share(ENGLISH);
  const french = share(FRENCH);
  const other = Math.max(...OTHERS.map(share));
  const language = french > 0.12 && french > Math.max(english, other) ? 'fr' : 'en';
  const isShort = words.length < ENOUGH_TO_TELL && other <= 0.12;
  const isKnownLanguage = language === 'fr' || isShort || english >= ENGLISH_SHARE;
  return { isKnownLanguage, language, say: getSentences(language) };
}

/** The maximum length that is read, in UTF-16 units. */
const MAX_LENGTH = 256 * 1024;
/** Ordinary prose of that length has a third as many lines; more would only slow down a parser. */
const MAX_LINES = 12_500;
/** Some constructs take time quadratic in a paragraph's length, so longer ones are cut. */
const MAX_RUN = 32 * 1024;
/** Emphasis and brackets in one paragraph: pairing them takes quadratic time. */
const MAX_MARKS = 1000;
const NEW_BLOCK = /^\s*(?:[-+*]\s|\d{1,9}[.)]\s|#|\|)/;
/** Maximum run of blank lines passed to the parser; each one takes longer than a kilobyte of text. */
const MAX_BLANK = 100;
/** Quotes and lists: closing them takes quadratic time. */
const MAX_CONTAINERS = 1500;
/** Lazy continuation lines of a quote or item take quadratic time. */
const MAX_LAZY = 1000;
const FENCE = /^[ \t>]*(?:```|~~~)/;

/** A brief made safe to parse: same length and offsets, with unreadable parts blanked. */
interface LegibleText {
  /** The part of the brief that is read, unchanged. */
  source: string;
  /** `source` with unreadable lines and superfluous blank lines replaced by spaces. */
  parsed: string;
  /** Offset of the first character of each line. */
  starts: number[];
  /** How many lines were not read. */
  unread: number;
  /** Whether the text is mostly binary. */
  binary: boolean;
}

/** Cuts and blanks a brief so that any input can be parsed in bounded time. Pure. */
export function makeLegible(brief: string): LegibleText {
  const whole = brief.replace(/^\uFEFF/, '');
  const limit = findLineStarts(whole.slice(0, MAX_LENGTH))[MAX_LINES] ?? MAX_LENGTH;
  const cut =
    whole.length > limit ? Math.max(whole.lastIndexOf('\n', limit - 1) + 1, limit / 2) : whole.length;
  const source = whole.slice(0, cut);
  const starts = findLineStarts(source);
  const binary = isBinary(source);
  const { parsed, blanked } = binary
    ? { parsed: '', blanked: starts.length }
    : blankUnreadable(source, starts);
  return { source, parsed, starts, unread: blanked + countLines(whole.slice(cut)), binary };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

const countLines = (text: string): number => (text.trim() === '' ? 0 : findLineStarts(text.trimEnd()).length);

/** Text with one control or replacement character in a hundred was not written by a person. */
function isBinary(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  const odd = text.match(/[\u0000-\u0008\u000E-\u001F\uFFFD\uFFFE\uFFFF]/g)?.length ?? 0;
  return odd >= 10 && odd / text.length > 0.01;
}

function blankUnreadable(source: string, starts: readonly number[]): { parsed: string; blanked: number } {
  const pieces: string[] = [];
  const isTooMuch = createParagraphGuard();
  let blanked = 0;
  let blanks = 0;
  for (const [index, start] of starts.entries()) {
    const line = source.slice(start, starts[index + 1] ?? source.length);
    const text = line.trimEnd();
    const unreadable = isTooMuch(text, line.length);
    if (text === '') {
      blanks += 1;
      const next = source.slice(starts[index + 1] ?? source.length, starts[index + 2] ?? source.length);
      // The last line end of the run stays, or the next line would become indented code.
      pieces.push(blanks > MAX_BLANK && next.trim() === '' ? ' '.repeat(line.length) : line);
      continue;
    }
    blanks = 0;
    if (unreadable) blanked += 1;
    pieces.push(unreadable ? ' '.repeat(text.length) + line.slice(text.length) : line);
  }
  return { parsed: pieces.join(''), blanked };
}

/** Returns a function that says of each line whether to blank it, to limit the parsing time of paragraphs. */
function createParagraphGuard(): (text: string, length: number) => boolean {
  let size = 0;
  let marks = 0;
  let fenced = false;
  let containers = 0;
  let lazy = 0;
  const startsAt = createContainerCounter();
  return (text, length) => {
    const head = text.slice(0, 1000);
    const started = startsAt(text);
    containers += started;
    lazy = text === '' || NEW_BLOCK.test(head) ? 0 : lazy + 1;
    const fence = FENCE.test(head);
    if (fence) fenced = !fenced;
    size = text === '' ? 0 : size + length;
    if (fenced || fence || text === '' || NEW_BLOCK.test(head)) marks = 0;
    if (!fenced) marks += text.match(/[*_~[\]]/g)?.length ?? 0;
    // A table cut in two would leave rows that look like prose.
    const tooLong = size > MAX_RUN && !(text.startsWith('|') && length < MAX_RUN) && !fence;
    const isIntricate =
      isTooNested(text) ||
      (started > 0 && containers > MAX_CONTAINERS) ||
      (lazy > MAX_LAZY && !fence && !fenced);
    if (!tooLong && marks <= MAX_MARKS && !isIntricate) return false;
    size = 0;
    marks = 0;
    lazy = 0;
    return true;
  };
}
