// Waits for a judgement of a store, and blames no store for the time in which this process was busy.
import { setTimeout as delay } from 'node:timers/promises';

/** How long a judgement may take, in milliseconds. What it is asked for may take longer. */
export const JUDGED_WITHIN_MS = 2000;

/** The wait is cut into this many parts: a process that was busy has used up one of them, however long it was busy. */
const PARTS = 20;

/**
 * Waits two seconds for a judgement, not counting the time in which this process was too busy to hear of it; `late` after that.
 * Throws what the judgement throws.
 */
export async function judgeInTime<T>(judging: Promise<T>): Promise<T | 'late'> {
  let isOver = false;
  const judged = judging.finally(() => (isOver = true));
  const waitLonger = async (): Promise<'late'> => {
    for (let part = 0; part < PARTS && !isOver; part++)
      await delay(JUDGED_WITHIN_MS / PARTS, undefined, { ref: false });
    return 'late';
  };
  return Promise.race([judged, waitLonger()]);
}
