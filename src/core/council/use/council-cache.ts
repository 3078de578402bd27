// Caches the last council that was parsed or serialized.
import { rememberingLast } from '../../base/memoize.ts';
import { parse, serializeAndSeal } from '../document/document.ts';
import type { Council } from '../state/state.ts';

let last: { text: string; council: Council } | undefined;

/**
 * Parses the council in a document's text; throws like `parse`. Cached, because each turn reads the same
 * revision several times. Safe, since a council is never modified in place: each new one is a copy.
 */
export function parseCachedCouncil({ text, name }: { text: string; name: string }): Council {
  if (last?.text !== text) last = { text, council: parse(text, `council "${name}"`) };
  return last.council;
}

/** Returns the text of the next revision and caches it, so that it need not be parsed again. */
export function serializeAndCache(next: Council): string {
  last = serializeAndSeal(next);
  return last.text;
}

/** Returns the byte length of a text; the last one is cached. */
export const countBytes: (text: string) => number = rememberingLast(
  (text: string) => Buffer.byteLength(text),
  (text) => text,
);
