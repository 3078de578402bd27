// Templates of pages: a value that is put into one is text, and comes out as text. Only this file can make an exception.
import { html as template, raw } from 'hono/html';

/** HTML or SVG that was made by these templates. */
export interface Html {
  readonly isEscaped: true;
  toString(): string;
}

type Value = string | number | null | undefined | false | Html | readonly Value[];

/** Fills a template. Strings are escaped, templates go in as they are, and null, undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const filled = template(squeezeTemplate(strings), ...values);
  if (filled instanceof Promise) throw new TypeError('A page waits for nothing.');
  return filled;
}

const known = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** A template without the indentation that it has in a source file. */
function squeezeTemplate(strings: TemplateStringsArray): TemplateStringsArray {
  let short = known.get(strings);
  if (!short) {
    const parts = strings.map((part) => part.replace(/\s*\n\s*/g, '\n'));
    known.set(strings, (short = Object.assign(parts, { raw: parts })));
  }
  return short;
}

/** HTML that `markdownToHtml` has made. */
export const trustSanitizedHtml = (text: string): Html => raw(text);

/** A style sheet of our own, byte for byte: a page carries its hash. */
export const ownStyle = (css: string): Html => raw(`<style>${css}</style>`);
