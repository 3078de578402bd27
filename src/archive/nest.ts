import { cutFrontMatter } from '../base/front-matter-block.ts';
import { escapeComments } from '../base/text.ts';

/**
 * Somebody's Markdown as a part of a larger page: its headings go down by `levels`, its front matter becomes a code
 * block, an open code fence is closed, and no comment can hide what follows. For reading only: the text is changed.
 */
export function nested(text: string, levels: number): string {
  const block = cutFrontMatter(text);
  const front = block && block.yaml.trim() !== '' ? `${fenced(block.yaml.trimEnd(), 'yaml')}\n\n` : '';
  const lines = (block?.body ?? text).trim().split(/\r?\n/);
  let fence = '';
  const body = lines.map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== '') {
      if (mark?.[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = '';
      return line;
    }
    if (mark && !(mark[1]!.startsWith('`') && mark[2]!.includes('`'))) fence = mark[1]!;
    return line.replace(
      /^( {0,3})(#{1,6})(?=[ \t]|$)/,
      (_, space: string, marks: string) => space + '#'.repeat(Math.min(6, marks.length + levels)),
    );
  });
  return escapeComments(front + [...body, ...(fence === '' ? [] : [fence])].join('\n'));
}

/** A code block whose fence is longer than any in the code. */
export function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
