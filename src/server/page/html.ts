// HTML templates that escape inserted values. Only this file may make exceptions.
import { html as template, raw } from 'hono/html';

/** HTML or SVG made by these templates. */
export interface Html {
  readonly isEscaped: true;
  toString(): string;
}

type Value = string | number | null | undefined | false | Html | readonly Value[];

/** Fills a template: escapes strings, inserts templates as they are, and omits null, undefined and false. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const filled = template(squeezeTemplate(strings), ...values);
  if (filled instanceof Promise) throw new TypeError('A page waits for nothing.');
  return filled;
}

const known = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** Removes the source file's indentation from a template. */
function squeezeTemplate(strings: TemplateStringsArray): TemplateStringsArray {
  let short = known.get(strings);
  if (!short) {
    const parts = strings.map((part) => part.replace(/\s*\n\s*/g, '\n'));
    known.set(strings, (short = Object.assign(parts, { raw: parts })));
  }
  return short;
}

/** Inserts HTML made by `convertMarkdownToHtml`. */
export const trustSanitizedHtml = (text: string): Html => raw(text);

/** Inserts council's own style sheet, byte for byte, since the page contains its hash. */
export const renderStyle = (css: string): Html => raw(`<style>${css}</style>`);
