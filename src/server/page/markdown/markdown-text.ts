// A Markdown text to be converted to HTML, with what depends on its place on the page.

export interface QuoteMark {
  /** Offset in UTF-16 units of the Markdown. */
  start: number;
  end: number;
  /** The quoting challenge, such as `c3`, and the address of its thread on the page. */
  challenge: string;
  href: string;
}

export interface MarkdownText {
  text: string;
  /** Prefix of all its ids, unique on a page. */
  prefix: string;
  /** The level of the heading above it, 1 to 6: its own are below that. */
  level: number;
  marks: readonly QuoteMark[];
}

/** Inside an element, only these two characters have a meaning in HTML. */
export const renderPlainHtml = (text: string): string =>
  `<pre class="plain" dir="auto">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
