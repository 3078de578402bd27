// Reads and writes a council once for all that ask for the same revision in a row, and says where there is none.
import { rememberingLast } from '../../base/memoize.ts';
import { parse, serializeAndSeal } from '../document/document.ts';
import type { Council } from '../state/state.ts';
import { CouncilError } from '../../base/errors.ts';
import { nearest } from '../../base/unknown-name.ts';
import type { Ports } from './ports.ts';

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
export const bytesIn: (text: string) => number = rememberingLast(
  (text: string) => Buffer.byteLength(text),
  (text) => text,
);

/** `unknown_council`, with the name that is nearest and some that exist. */
export async function unknownCouncil(ports: Pick<Ports, 'store'>, name: string): Promise<CouncilError> {
  const active = await ports.store.list();
  const near = nearest(name, active);
  return new CouncilError('unknown_council', `There is no active council "${name}".`, {
    hint:
      active.length === 0
        ? 'Start one with: council ask "QUESTION"'
        : `${near === undefined ? '' : `Did you mean ${near}? `}Active: ${someNames(active)}. Choose one with --name.`,
    details: { name },
  });
}

const MOST = 5;

/** The first five names, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const more = names.length > MOST ? ` and ${names.length - MOST} more (see: council status)` : '';
  return `${names.slice(0, MOST).join(', ')}${more}`;
}
