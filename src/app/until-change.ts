// Waits until a council may have changed, a deadline has passed or a signal aborts.
import type { Clock } from '../base/clock.ts';
import type { Documents } from '../store/documents.ts';

const LOOK_AGAIN_MS = 60_000;

export interface CouncilWatch {
  /** Resolves when the council has another revision than `seen`, at `deadline` (ms since the epoch), or when `signal` aborts. */
  untilChange(seen: number, deadline: number | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** One watch of a council for as long as a process waits for it: to begin one costs a connection where a database keeps it. */
export function watchCouncil(
  store: Pick<Documents, 'watch' | 'revision'>,
  name: string,
  clock: Pick<Clock, 'now'> = { now: Date.now },
): CouncilWatch {
  let wake: () => void = () => undefined;
  const stop = store.watch(name, () => wake());
  return {
    stop,
    untilChange: (seen, deadline, signal) =>
      new Promise((resolve, reject) => {
        // Timers stand still while the machine sleeps, and do not see a clock that is set: whoever waits long looks again.
        const ms =
          deadline === undefined ? undefined : Math.min(Math.max(deadline - clock.now(), 0), LOOK_AGAIN_MS);
        const timer = ms === undefined ? undefined : setTimeout(finish, ms);
        function finish(): void {
          wake = () => undefined;
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          resolve();
        }
        // What was committed between the caller's read and the watch would wake nobody; and a hint may speak of what was read.
        wake = () => void store.revision(name).then((now) => now !== seen && finish(), reject);
        signal.addEventListener('abort', finish, { once: true });
        if (signal.aborted) finish();
        else wake();
      }),
  };
}
