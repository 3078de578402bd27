// Headings of a text below the heading that it stands under, with no level left out.
import type { Heading, Nodes, Root, RootContent } from 'mdast';
import { toString as wordsOf } from 'mdast-util-to-string';

/** Six levels are all that there are. */
const DEEPEST = 6;

/** The tree with its headings demoted: the first one a level below `level`, deeper ones a level each. One without words is none. */
export function demoteHeadings(tree: Root, level: number): void {
  demoteIn(tree, { level, open: [] });
}

interface Outline {
  level: number;
  /** The headings that are open at this place, as they were written and as they are shown. */
  open: { written: number; shown: number }[];
}

function demoteIn(parent: Nodes, outline: Outline): void {
  if (!('children' in parent)) return;
  parent.children = parent.children.map((child): RootContent => {
    if (child.type !== 'heading') {
      demoteIn(child, outline);
      return child;
    }
    return wordsOf(child).trim() === ''
      ? { type: 'paragraph', children: child.children }
      : demoted(child, outline);
  });
}

function demoted(heading: Heading, { level, open }: Outline): Heading {
  while ((open.at(-1)?.written ?? 0) >= heading.depth) open.pop();
  const shown = Math.min(DEEPEST, (open.at(-1)?.shown ?? level) + 1);
  open.push({ written: heading.depth, shown });
  return { ...heading, depth: shown as Heading['depth'] };
}
