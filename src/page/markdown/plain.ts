// A text as it was written, as HTML.

/** Inside of an element these two are all that HTML obeys. */
export const plainHtml = (text: string): string =>
  `<pre class="plain">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
