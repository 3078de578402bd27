// Fences foreign texts in a prompt with a marker that no text contains.
import { sha256 } from '../../base/ids.ts';
import type { CouncilState } from '../state/state.ts';

/** Puts a text between two lines that nobody can have written into it. */
export interface Fence {
  (text: string): string;
  marker: string;
}

/** The fence of one view. Its marker hangs on all that is `shown`, and is derived again until it does not stand there. */
export function fence(state: CouncilState, reader: string, shown: string): Fence {
  const seed = sha256(JSON.stringify([state.conversationId, reader, state.tour, sha256(shown)]));
  for (let attempt = 0; ; attempt++) {
    const marker = `council-text-${sha256(`${seed} ${attempt}`).slice(0, 16)}`;
    if (shown.includes(marker)) continue;
    return Object.assign((text: string) => `BEGIN ${marker}\n${text}\nEND ${marker}`, { marker });
  }
}
