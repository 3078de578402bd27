// Offline panel: the Markdown parser, and the running text of blocks with offsets preserved.
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** A paragraph or heading as running text of the same length as its source. */
export interface Block {
  kind: 'paragraph' | 'heading';
  /** Offset in the brief of the block's first character. */
  start: number;
  /** Markup is replaced by spaces, code and addresses by `CODE`, so that all offsets are preserved. */
  text: string;
  words: number;
  /** How many of the words are in links. */
  linked: number;
}

/** Replaces code: a symbol, so that no language rule mistakes it for a word. */
const CODE = '¤';
// In scripts without spaces between words, each character counts as a word.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_-]*[\p{L}\p{N}\p{M}])?/gu;
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/g;

export const splitProseWords = (text: string): string[] => text.match(WORD) ?? [];

/** Reads the running text of a paragraph or heading node of `source`. */
export function readBlock(kind: Block['kind'], node: Node, source: string): Block {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? start;
  const parts: string[] = [];
  let at = start;
  let linked = 0;
  const put = (from: number, text: string): void => {
    parts.push(' '.repeat(Math.max(0, from - at)), text);
    at = from + text.length;
  };
  const walk = (inner: Node | Tree, inLink: boolean): void => {
    const from = inner.position?.start.offset ?? at;
    const raw = source.slice(from, inner.position?.end.offset ?? from);
    if (inner.type === 'text') {
      const text = stripTextMarkup(raw);
      if (inLink) linked += splitProseWords(text).length;
      put(from, text);
    } else if (inner.type === 'inlineCode' || inner.type === 'image' || inner.type === 'imageReference') {
      put(from, CODE.repeat(raw.length));
    } else if ('children' in inner) {
      for (const child of inner.children)
        walk(child, inLink || inner.type === 'link' || inner.type === 'linkReference');
    }
  };
  walk(node, false);
  put(end, '');
  const text = parts.join('');
  return { kind, start, text, words: splitProseWords(text).length, linked };
}

/** Blanks the markup in a text node's source: line ends with continuation marks, escapes, entities, addresses. */
function stripTextMarkup(raw: string): string {
  const blank = (match: string): string => ' '.repeat(match.length);
  return raw
    .replace(/[\r\n][\r\n \t>]*/g, blank)
    .replace(/\\([!-/:-@[-`{-~])/g, ' $1')
    .replace(/&#?[a-z0-9]{1,31};/gi, blank)
    .replace(ADDRESS, (match) => CODE.repeat(match.length));
}

const parser = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm).freeze();

/** The syntax tree of a Markdown document, as created by remark. */
export type Tree = ReturnType<typeof parser.parse>;
export type Node = Tree['children'][number];

/** Parses GitHub's Markdown with front matter; any text is valid. Throws `RangeError` if it is nested too deep. */
export const parseMarkdown = (text: string): Tree => parser.parse(text);
