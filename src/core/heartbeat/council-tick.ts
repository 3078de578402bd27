// What one tick did to one council.
import type { Snapshot } from '../council/use/update-council.ts';
import type { CloseReason } from '../council/state/choices.ts';
import type { Waiting } from '../store/due-index.ts';
import type { Launches } from './launch/attempts.ts';

/** What one tick did to one council: the shape of `council tick --json`. */
export interface CouncilTick {
  name: string;
  conversationId: string;
  from: string;
  to: string;
  reason: CloseReason | null;
  transitions: { from: string; to: string; reason: CloseReason }[];
  launched: string[];
  failed: Launches['failed'];
  archive: string | null;
  /** Set when this council could not be advanced; the others were. */
  error?: { code: string; message: string; hint?: string };
}

/** What a pass did to a council, and what is left to do, or to wait for, in it. */
export interface Passed {
  done: CouncilTick;
  launching?: Snapshot;
  waiting?: Waiting;
}

export const nothingDone = (name: string): CouncilTick => ({
  name,
  conversationId: '',
  from: '',
  to: '',
  reason: null,
  transitions: [],
  launched: [],
  failed: [],
  archive: null,
});
