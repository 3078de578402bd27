// Waits until a council may have changed, a deadline has passed or a signal aborts.
import type { Clock } from '../base/clock.ts';
import type { Documents } from '../store/documents.ts';

const LOOK_AGAIN_MS = 60_000;

/** Resolves when a council may have changed since revision `seen`, at `deadline` (ms since the epoch, by `clock`), or when `signal` aborts. */
export function untilChange(
  store: Pick<Documents, 'watch' | 'revision'>,
  name: string,
  seen: number,
  deadline: number | undefined,
  signal: AbortSignal,
  clock: Pick<Clock, 'now'> = { now: Date.now },
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Timers stand still while the machine sleeps, and do not see a clock that is set: whoever waits long looks again.
    const ms =
      deadline === undefined ? undefined : Math.min(Math.max(deadline - clock.now(), 0), LOOK_AGAIN_MS);
    const timer = ms === undefined ? undefined : setTimeout(finish, ms);
    const stop = store.watch(name, finish);
    function finish(): void {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', finish);
      resolve();
    }
    signal.addEventListener('abort', finish, { once: true });
    // What was committed between the caller's read and the watch would wake nobody.
    store.revision(name).then((now) => (now !== seen || signal.aborted) && finish(), reject);
  });
}
