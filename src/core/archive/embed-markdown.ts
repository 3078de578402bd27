// Embeds foreign Markdown in a page so that it cannot break out of its block.
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { escapeComments } from '../base/text.ts';

/**
 * Embeds foreign Markdown as one block of a larger page, which it cannot break out of: a block quote with
 * headings moved down by `levels` and front matter as a code block. Outside code, HTML is escaped, and link or
 * footnote definitions are disabled. For reading only: the text changes.
 */
export function embedMarkdown(text: string, levels: number): string {
  const block = cutFrontMatter(text);
  const front =
    block && block.yaml.trim() !== '' ? `${renderCodeBlock(block.yaml.trimEnd(), 'yaml')}\n\n` : '';
  const body = neutralizeLines((block?.body ?? text).trim().split(LINE_END), levels);
  return escapeComments(front + body.join('\n'))
    .split(LINE_END)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Renders a code block whose fence is longer than any in the code. */
export function renderCodeBlock(code: string, language: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/**
 * Returns the code fence that a text leaves open, which would swallow the rest of the page; empty if none. A
 * fence inside a list or quote ends with it and needs no closing.
 */
export function openFence(text: string): string {
  let fence = '';
  for (const line of text.split(LINE_END)) {
    const [, signs = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (signs === '') continue;
    if (fence === '') fence = signs.startsWith('~') || !rest.includes('`') ? signs : '';
    else if (signs.startsWith(fence) && rest.trim() === '') fence = '';
  }
  return fence;
}

/** The only three line endings in Markdown. */
const LINE_END = /\r\n|\r|\n/;
/** A code fence at the start of a line always opens. After other characters, renderers differ. */
const OPENING = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const PERHAPS_OPENING = /^[\s>*+.)\d-]*(?:`{3,}|~{3,})/;

/**
 * Neutralizes the lines of a text. Fenced code is left unchanged up to the first fence that renderers may
 * interpret differently: from there on, everything is treated as prose, which is safe in code, too.
 */
function neutralizeLines(lines: readonly string[], levels: number): string[] {
  let fence = '';
  let isCertain = true;
  return lines.map((line, at) => {
    if (fence !== '') {
      const bare = line.trim();
      if (bare.length < fence.length || bare !== fence[0]!.repeat(bare.length)) return line;
      // Whether an indented fence closes depends on tabs and unusual white space.
      isCertain = line.startsWith(bare) && /^[ \t]*$/.test(line.slice(bare.length));
      fence = '';
      return line;
    }
    const opening = isCertain ? OPENING.exec(line) : null;
    fence = opening?.[1] ?? opening?.[2] ?? '';
    if (fence !== '') return line;
    isCertain &&= !PERHAPS_OPENING.test(line);
    return neutralizeProse(line, lines[at - 1] ?? '', levels);
  });
}

/** Escapes HTML and definitions in a line, and lowers its heading. Backslashes also show inside code. */
function neutralizeProse(line: string, before: string, levels: number): string {
  return escapeSetextUnderline(line, before)
    .replace(/^[ \t]+/, expandTabs)
    .replace(
      /^( {0,3})(#{1,6})(?=[ \t]|$)/,
      (_, space: string, marks: string) => space + '#'.repeat(Math.min(6, marks.length + levels)),
    )
    .split(/([ \t]+)/)
    .map(escapeTags)
    .join('')
    .replaceAll(']:', ']\\:');
}

/** Escapes each `<` in a word that opens a tag, a comment or the like. URLs in angle brackets are kept. */
function escapeTags(word: string): string {
  // GitHub takes a backslash as part of a URL, and what follows as HTML again.
  const isAddress = /:\/\/|www\./i.test(word);
  return word.replace(/<(?=[a-z/!?])(?!https?:\/\/[^\s<>]*>)/gi, (_, at: number) => {
    if (isAddress) return '&lt;';
    let start = at;
    while (word[start - 1] === '\\') start -= 1;
    return (at - start) % 2 === 0 ? '\\<' : '<';
  });
}

/** A line below a text would make it a top-level heading: writes a rule instead, or escapes the characters. */
function escapeSetextUnderline(line: string, before: string): string {
  if (before.trim() === '' || !/^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) return line;
  return line.trim().startsWith('---') ? '***' : `\\${line.trim()}`;
}

/** After a quote marker, a tab would be two columns narrower. */
function expandTabs(space: string): string {
  let columns = 0;
  for (const sign of space) columns += sign === '\t' ? 4 - (columns % 4) : 1;
  return ' '.repeat(columns);
}
