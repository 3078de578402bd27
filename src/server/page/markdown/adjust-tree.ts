// Keeps intended line breaks in a Markdown tree, and highlights code blocks that name a language.
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
import { unified } from 'unified';
import type { Nodes, Root } from 'hast';
import { toString as toText } from 'mdast-util-to-string';
import type { Nodes as MarkdownNodes, PhrasingContent } from 'mdast';
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
export function highlightCode(tree: Nodes): Root {
  const root: Root = tree.type === 'root' ? tree : { type: 'root', children: [tree] as Root['children'] };
  return dropLongLanguages(root) ? (highlighter.runSync(root) as Root) : root;
}

/** Removes the language from blocks that are too long. Returns false if none is left to highlight. */
function dropLongLanguages(parent: Root | Extract<Nodes, { type: 'element' }>): boolean {
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
export function keepMeantBreaks(parent: MarkdownNodes): void {
  if (!('children' in parent)) return;
  if (parent.type !== 'paragraph') return parent.children.forEach(keepMeantBreaks);
  breakLines(parent, findIntendedBreaks(readLines(parent).split('\n')).values());
}

const readLines = (node: MarkdownNodes): string =>
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
