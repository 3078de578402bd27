// What is too much to be formatted: it is shown as it was written.
import type { Root } from 'mdast';

/** Formatting longer texts takes seconds. */
const MAX_BYTES = 64 * 1024;
/** Of blocks and emphasis in each other. A parser calls itself for each, and has so much stack. */
const MAX_DEPTH = 100;

const MARK = String.raw`(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]{1,80}\]:)`;
const DEEP = new RegExp(String.raw`^[ \t]*(?:${MARK}[ \t]*){${MAX_DEPTH},}|^[ \t]{${2 * MAX_DEPTH},}\S`, 'm');

/** Told without parsing it. */
export const isTooMuch = (text: string): boolean => Buffer.byteLength(text) > MAX_BYTES || DEEP.test(text);

/** True for a tree deeper than the limit; nothing here calls itself. */
export function isTooDeep(tree: Root): boolean {
  let level: { children?: unknown }[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => (Array.isArray(node.children) ? (node.children as typeof level) : []));
  }
  return false;
}
