// Puts English sentences of the code into French by rows: what has no row stays as it is. Pure.
import { makeOnFirstUse } from '../memoize.ts';
import { fill } from './words.ts';

/** An English sentence of the code and its French translation; `{name}` is a placeholder. */
export type FrenchRow = readonly [english: string, french: string];

/** Says a text in French: whole, or else line by line, or else sentence by sentence. */
export function createTranslator(...tables: readonly (readonly FrenchRow[])[]): (text: string) => string {
  const exact = new Map(tables.flat());
  const patterns = makeOnFirstUse(() =>
    [...exact].flatMap(([english, french]) =>
      english.includes('{') ? [{ pattern: toPattern(english), french }] : [],
    ),
  );
  const find = (text: string): string | undefined => {
    const same = exact.get(text);
    if (same !== undefined) return same;
    for (const { pattern, french } of patterns()) {
      const found = pattern.exec(text);
      if (found) return fill(french, found.groups ?? {});
    }
    return undefined;
  };
  const translateLine = (line: string): string =>
    find(line) ??
    line
      .split(/(?<=[.?]) /)
      .map((one) => find(one) ?? one)
      .join(' ');
  return (text) => exact.get(text) ?? text.split('\n').map(translateLine).join('\n');
}

const toPattern = (english: string): RegExp =>
  new RegExp(
    `^${english.replace(/[.?()[\]|+*$]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>.+?)`)}$`,
  );
