// Shortens a contribution in the prompts of others: its form and its beginning, so that one long answer does not crowd out the rest.
import { readForm } from '../ledger/text/form.ts';
import { DEFAULT_SHOWN_BYTES } from '../state/mode.ts';
import type { CouncilState } from '../state/state.ts';

/** How much of contributions a view shows: as the mode says, all of it, or so little that a prompt which was too long fits. */
export type Extent = 'mode' | 'full' | 'short';

/** Bytes of a contribution that a reader is shown. */
export interface ShownBytes {
  others: number;
  own: number;
}

/** Of each contribution, where the whole prompt was too long for a model. */
const SHORT_BYTES = 2048;

/** The coordinator reads everything, as far as it fits. */
export function limitShownBytes(
  { coordinator, shown = DEFAULT_SHOWN_BYTES }: Pick<CouncilState, 'coordinator' | 'shown'>,
  reader: string,
  extent: Extent = 'mode',
): ShownBytes {
  if (extent === 'short') return { others: SHORT_BYTES, own: SHORT_BYTES };
  const isAll = extent === 'full' || reader === coordinator || shown === 'all';
  return { others: isAll ? Infinity : shown, own: Infinity };
}

/** How much is shown of a text, in bytes. */
export interface Abridgement {
  shown: number;
  bytes: number;
}

/** The text with what is shown of it; without `abridged` where that is all. */
export function abridgeText(text: string, limit: number): { text: string; abridged?: Abridgement } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit) return { text };
  const most = Buffer.from(text)
    .subarray(0, limit)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  const lineEnd = most.lastIndexOf('\n');
  const beginning = lineEnd > most.length / 2 ? most.slice(0, lineEnd) : most;
  const form = readForm(text)
    .fields.filter(({ start }) => start >= beginning.length)
    .map(({ start, end }) => text.slice(start, end).trim());
  return {
    text: [beginning, '[…]', ...(form.length > 0 ? ['---', ...form, '---'] : [])].join('\n'),
    abridged: { shown: Buffer.byteLength(beginning), bytes },
  };
}

/** What of a text the others will not be shown, as a sentence for its author. */
export function describeAbridgement(
  state: Pick<CouncilState, 'coordinator' | 'shown'>,
  author: string,
  text: string,
): string[] {
  const { shown = DEFAULT_SHOWN_BYTES } = state;
  const bytes = Buffer.byteLength(text);
  if (author === state.coordinator || shown === 'all' || bytes <= shown) return [];
  return [
    `It has ${bytes} bytes: the prompts of the others show its form, its first ${shown} bytes and its claims. What matters stands first; the file keeps all.`,
  ];
}
