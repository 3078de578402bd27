// The fence of one view: by its council, its reader and its round.
import { createFence } from '../../base/fence.ts';
import type { Fence } from '../../base/fence.ts';
import type { CouncilState } from '../state/state.ts';

export type { Fence };

/** The same view has the same fence. */
export const fence = (state: CouncilState, reader: string, shown: string): Fence =>
  createFence([state.conversationId, reader, state.tour], shown);
