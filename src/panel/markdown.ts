// Offline panel: the Markdown parser.
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm).freeze();

/** The syntax tree of a Markdown document, as remark makes it. */
export type Tree = ReturnType<typeof parser.parse>;
export type Node = Tree['children'][number];

/** Parses GitHub's Markdown with front matter. Any text is valid. Throws `RangeError` when it nests too deep. */
export const parseMarkdown = (text: string): Tree => parser.parse(text);
