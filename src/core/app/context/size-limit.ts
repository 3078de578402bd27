// The limit on what is given with a question.
import { CouncilError } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import type { ContextItem } from './context-item.ts';
import { contextSection } from './brief-section.ts';

/** Throws `too_large` when so much cannot go into a brief, with the largest that could be left out. */
export function requireRoom(items: readonly Pick<ContextItem, 'name' | 'bytes'>[], total: number): void {
  if (total <= READ_LIMITS.context) return;
  const largest = items.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5);
  const shown = largest.map(({ name, bytes }) => `${JSON.stringify(name)} (${bytes} bytes)`).join(', ');
  throw new CouncilError(
    'too_large',
    `What is given with the question takes ${total} bytes in ${items.length} ${items.length === 1 ? 'part' : 'parts'}; the limit is ${READ_LIMITS.context} (256 KiB), as everybody reads it in every phase.`,
    {
      hint: `Leave out the largest: ${shown}. Or name fewer files, or let the programs read the project themselves: --read project.`,
      details: { total, limit: READ_LIMITS.context },
    },
  );
}

/** The bytes that all of it takes in the brief, its list and fences included. */
export const sectionBytes = (items: readonly ContextItem[]): number =>
  Buffer.byteLength(contextSection(items, 'en'));
