// Somebody's Markdown as HTML that can do nothing: no script, no style, nothing loaded, and no word lost.
import type { Root } from 'mdast';
import rehypeSanitize from 'rehype-sanitize';
import type { Options as Schema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { demoteHeadings } from './headings.ts';
import { keepWords } from './kept-words.ts';
import { isTooDeep, isTooMuch } from './limits.ts';
import type { MarkdownText } from './markdown-text.ts';
import { markQuoted } from './marks.ts';
import { plainHtml } from './plain.ts';

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
    return formatted(input);
  } catch (error) {
    // Too little stack for what the limits let through.
    if (error instanceof RangeError) return plainHtml(input.text);
    throw error;
  }
}

function formatted({ text, prefix, level, marks }: MarkdownText): string {
  const tree: Root = parser.parse(text);
  if (isTooDeep(tree)) return plainHtml(text);
  keepWords(tree, prefix);
  markQuoted(tree, marks);
  demoteHeadings(tree, level);
  const clean = rehypeSanitize({ ...SCHEMA, clobberPrefix: prefix });
  return writer.stringify(clean(withDirections(hypertext.runSync(tree))));
}

/** Each block reads in the direction of its own script; code reads as the page does. */
function withDirections(tree: Hypertext): Hypertext {
  for (const block of tree.children)
    if (block.type === 'element' && block.tagName !== 'pre') block.properties.dir = 'auto';
  return tree;
}
