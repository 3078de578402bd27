// What a contribution holds that is not its author's word to the others: reasoning in tags, HTML quotes and comments.

const OPENS =
  /^[ \t]*<(think|thinking|reasoning|scratchpad|analysis|reflection|blockquote)\b[^>\n]*>|<!--/gim;

/**
 * A text of the same length with reasoning in tags, quotes in HTML and comments blanked: a tag that begins a line up to the one that
 * closes it, or to the end where none does. Line ends stay. Linear time.
 */
export function withoutReasoning(text: string): string {
  if (!text.includes('<')) return text;
  const parts: string[] = [];
  let from = 0;
  OPENS.lastIndex = 0;
  for (let open = OPENS.exec(text); open !== null; open = OPENS.exec(text)) {
    const tag = open[1];
    const end = tag === undefined ? endOfComment(text, open.index) : endOfTag(text, OPENS.lastIndex, tag);
    parts.push(text.slice(from, open.index), blank(text.slice(open.index, end)));
    from = end;
    OPENS.lastIndex = end;
  }
  return parts.join('') + text.slice(from);
}

function endOfComment(text: string, start: number): number {
  const close = text.indexOf('-->', start);
  return close === -1 ? text.length : close + 3;
}

/** Where the tag that is open at `start` is closed, those inside it counted. */
function endOfTag(text: string, start: number, tag: string): number {
  const either = new RegExp(`<(/?)${tag}\\b[^>\\n]*>`, 'gi');
  either.lastIndex = start;
  let depth = 1;
  for (let found = either.exec(text); found !== null; found = either.exec(text)) {
    depth += found[1] === '/' ? -1 : 1;
    if (depth === 0) return either.lastIndex;
  }
  return text.length;
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');
