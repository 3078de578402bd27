// Marks the words of a text that somebody quoted, each with a link to the challenge that quotes them.
import type { Emphasis, Link, Nodes, PhrasingContent, Root, RootContent, Text } from 'mdast';
import type { Mark } from './markdown-text.ts';

/** The tree with its quoted words marked, as far as they are plain words. */
export function markQuoted(tree: Root, marks: readonly Mark[]): void {
  if (marks.length > 0) markIn(tree, { marks, linked: new Set() }, false);
}

interface Marking {
  marks: readonly Mark[];
  /** Those that have their link. */
  linked: Set<Mark>;
}

function markIn(parent: Nodes, marking: Marking, isLink: boolean): void {
  if (!('children' in parent)) return;
  const inLink = isLink || parent.type === 'link' || parent.type === 'linkReference';
  parent.children = parent.children.flatMap((child): RootContent[] => {
    if (child.type === 'text') return piecesOf(child, marking, inLink);
    markIn(child, marking, inLink);
    return [child];
  });
}

/** A text cut where marks begin and end. */
function piecesOf(node: Text, { marks, linked }: Marking, isLink: boolean): PhrasingContent[] {
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
    return [marked(value), ...ending.map(linkTo)];
  });
}

const marked = (value: string): Emphasis => ({
  type: 'emphasis',
  data: { hName: 'mark' },
  children: [{ type: 'text', value }],
});

const linkTo = ({ href, challenge }: Mark): Link => ({
  type: 'link',
  url: href,
  data: { hProperties: { className: ['quoted-by'] } },
  children: [{ type: 'text', value: challenge }],
});
