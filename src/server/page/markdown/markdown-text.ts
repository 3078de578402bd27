// A piece of Markdown that is to become HTML, and what its place on the page asks for.

/** Quoted words of a text. */
export interface Mark {
  /** UTF-16 units of the Markdown. */
  start: number;
  end: number;
  /** The challenge that quotes them, such as `c3`, and the address of its thread on the page. */
  challenge: string;
  href: string;
}

export interface MarkdownText {
  text: string;
  /** What every id in it begins with: no two texts of a page share one. */
  prefix: string;
  /** The level of the heading that it stands under, 1 to 6: its own are below that. */
  level: number;
  marks: readonly Mark[];
}

/** Inside of an element these two are all that HTML obeys. */
export const plainHtml = (text: string): string =>
  `<pre class="plain" dir="auto">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
