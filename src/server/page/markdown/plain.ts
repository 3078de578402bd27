// A text as it was written, as HTML.

/** Inside of an element these two are all that HTML obeys. */
export const plainHtml = (text: string): string =>
  `<pre class="plain" dir="auto">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
