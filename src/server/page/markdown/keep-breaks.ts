// Keeps the lines of a text whose author does not wrap by hand.
import type { Nodes, PhrasingContent } from 'mdast';
import { findMeantBreaks } from '../../../core/base/meant-breaks.ts';

/** As in the terminal: line breaks that were meant stay, those of hand-wrapped text are spaces. */
export function keepMeantBreaks(parent: Nodes): void {
  if (!('children' in parent)) return;
  if (parent.type !== 'paragraph') return parent.children.forEach(keepMeantBreaks);
  breakLines(parent, findMeantBreaks(readLines(parent).split('\n')).values());
}

const readLines = (node: Nodes): string =>
  node.type === 'break'
    ? '\n'
    : 'children' in node
      ? node.children.map(readLines).join('')
      : 'value' in node
        ? node.value
        : '';

/** `meant`: of each line that ends in what follows, whether it is to end there. */
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
