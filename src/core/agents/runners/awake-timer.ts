/** Milliseconds between two looks at the clock. */
const STEP_MS = 1000;

/** A timer for a limit of a launch. */
export interface AwakeTimer {
  /** Begins anew. */
  refresh(): void;
  end(): void;
}

/**
 * Calls `ring` after `ms` milliseconds in which this process ran. The time of a sleeping machine or a stopped process
 * (Ctrl-Z) does not count: a launch is not ended for time that council was not there to listen. `clock` counts milliseconds.
 */
export function awakeTimer(
  ms: number,
  ring: () => void,
  clock = (): number => performance.now(),
): AwakeTimer {
  let left = ms;
  let seen = clock();
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const step = Math.min(left, STEP_MS);
    timer = setTimeout(() => {
      const now = clock();
      const slept = now - seen > step + STEP_MS;
      // A timer that is late by more than a moment: nothing ran meanwhile.
      left -= Math.min(now - seen, step + STEP_MS);
      // A program that has ended meanwhile is heard before its time is called over.
      if (slept) left = Math.max(left, STEP_MS);
      seen = now;
      if (left > 0) wait();
      else ring();
    }, step);
  };
  wait();
  return {
    refresh() {
      left = ms;
      seen = clock();
    },
    end: () => clearTimeout(timer),
  };
}
