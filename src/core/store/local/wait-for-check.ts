// Waits for a store's health check, without counting time in which this process was busy.
import { setTimeout as delay } from 'node:timers/promises';

/** Time limit of a health check, in milliseconds. Other calls may take longer. */
export const CHECK_TIMEOUT_MS = 2000;

/** The wait is split into this many parts: a busy period uses up only one of them, however long it was. */
const PARTS = 20;

/**
 * Waits two seconds for a health check, not counting time in which this process was too busy to notice;
 * returns `late` after that. Throws what the check throws.
 */
export async function waitForCheck<T>(check: Promise<T>): Promise<T | 'late'> {
  let isOver = false;
  const ended = check.finally(() => (isOver = true));
  const waitLonger = async (): Promise<'late'> => {
    for (let part = 0; part < PARTS && !isOver; part++)
      await delay(CHECK_TIMEOUT_MS / PARTS, undefined, { ref: false });
    return 'late';
  };
  return Promise.race([ended, waitLonger()]);
}
