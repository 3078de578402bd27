// Gives a long text in pages that a model can take, with their fences whole.
import { cutText } from '../remote/paginate-lists.ts';

/** Bytes of a page: below 20,000 tokens in any script. */
const TEXT_PAGE_BYTES = 40_000;

/** The pages of a text. One begins where a paragraph does, and what a fence holds is fenced on each of them. */
export function textPages(text: string, bytes = TEXT_PAGE_BYTES): string[] {
  const pages: string[] = [];
  let fence: string | undefined;
  for (let at = 0; at < text.length || pages.length === 0;) {
    const most = cutText(text, at, bytes);
    const isLast = at + most.length >= text.length;
    const end = isLast ? most.length : endOfParagraph(most);
    const part = most.slice(0, end);
    const begun: string = fence === undefined ? part : `BEGIN ${fence}\n${part}`;
    fence = openFence(begun);
    pages.push(fence === undefined || isLast ? begun : `${begun}\nEND ${fence}`);
    at += end;
  }
  return pages;
}

/** Behind the last paragraph of a part, else its last line, else its last character. */
function endOfParagraph(part: string): number {
  for (const sign of ['\n\n', '\n']) {
    const at = part.lastIndexOf(sign);
    if (at > part.length / 2) return at + sign.length;
  }
  return part.length;
}

/** The fence that is not closed at the end of a part. */
function openFence(part: string): string | undefined {
  let open: string | undefined;
  for (const [, sign, name] of part.matchAll(/^(BEGIN|END) (council-text-\w+)$/gm))
    if (sign === 'BEGIN') open ??= name;
    else if (name === open) open = undefined;
  return open;
}
