// Waits until tasks change, or for a while.
import type { Tasks } from '../store.ts';

/** Changes come in bursts. */
const SETTLE_MS = 20;

/** Wakes when the store changes, or after a while. */
export function watcher(tasks: Pick<Tasks, 'watch'>): { stop(): void; changed(ms: number): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;
  const unwatch = tasks.watch(() => {
    clearTimeout(timer);
    timer = setTimeout(wake, SETTLE_MS);
  });
  return {
    stop() {
      unwatch();
      clearTimeout(timer);
    },
    changed: (ms) =>
      new Promise((resolve) => {
        clearTimeout(timer);
        wake = resolve;
        timer = setTimeout(resolve, ms);
      }),
  };
}
