/** A part of a prompt under its heading; empty without a paragraph that says something. */
export function section(heading: string, paragraphs: string[]): string {
  const filled = paragraphs.map((text) => text.trim()).filter((text) => text !== '');
  return filled.length > 0 ? [`## ${heading}`, ...filled].join('\n\n') : '';
}
