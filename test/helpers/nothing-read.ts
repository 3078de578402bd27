import type { ReadBack } from '../../src/core/app/view.ts';

/** What is read of a text in which nothing was read. */
export const NOTHING_READ: ReadBack = {
  position: null,
  vote: null,
  approve: [],
  rank: [],
  blocking: [],
  confidence: null,
  agreed: false,
  done: false,
  quotes: [],
  challenges: [],
  answers: {},
  missing: [],
  unclear: [],
  saysBlocking: false,
};
