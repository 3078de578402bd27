// Reads and writes a council once for all that ask for the same revision in a row.
import { rememberingLast } from '../../base/memoize.ts';
import { parse, serializeAndSeal } from '../document/document.ts';
import type { Council } from '../state/state.ts';

let last: { text: string; council: Council } | undefined;

/**
 * The council in a document's text; throws like `parse`. Cached, because each turn reads the same
 * revision several times. A council is never changed in place: each next one is a copy.
 */
export function parseCachedCouncil({ text, name }: { text: string; name: string }): Council {
  if (last?.text !== text) last = { text, council: parse(text, `council "${name}"`) };
  return last.council;
}

/** The text of the next revision. It is cached, so that it need not be parsed again. */
export function serializeAndCache(next: Council): string {
  last = serializeAndSeal(next);
  return last.text;
}

/** The bytes of such a text, counted once. */
export const countBytes: (text: string) => number = rememberingLast(
  (text: string) => Buffer.byteLength(text),
  (text) => text,
);
