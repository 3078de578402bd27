// Fences foreign texts in a prompt with a marker that no text contains.
import { sha256 } from './ids.ts';

/** Puts a text between two marker lines that cannot occur in it. */
export interface Fence {
  (text: string): string;
  marker: string;
}

/** How every marker begins. */
export const MARKER = 'council-text-';

/** The fence of a marker that is known to stand in none of its texts. */
export const buildFence = (marker: string): Fence =>
  Object.assign((text: string) => `BEGIN ${marker}\n${text}\nEND ${marker}`, { marker });

/** The fence of one prompt. Its marker hangs on `seed` and on all that is `shown`, and is derived again until it does not stand there. */
export function createFence(seed: readonly unknown[], shown: string): Fence {
  const start = sha256(JSON.stringify([...seed, sha256(shown)]));
  for (let attempt = 0; ; attempt++) {
    const marker = `${MARKER}${sha256(`${start} ${attempt}`).slice(0, 16)}`;
    if (shown.includes(marker)) continue;
    return buildFence(marker);
  }
}
