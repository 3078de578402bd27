// Looks again at a channel, a log or a store whenever something happens there, until there is what is waited for.

/** Calls `look` at once and after each wake-up, one at a time, until it finds something; undefined once the signal is aborted. */
export async function lookUntilFound<T>(
  watch: (wake: () => void) => () => void,
  look: () => Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let wakes = 0;
  let rouse: () => void = () => undefined;
  const wake = (): void => {
    wakes++;
    rouse();
  };
  const stop = watch(wake);
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const before = wakes;
      const found = await look();
      if (found !== undefined) return found;
      if (wakes === before) await new Promise<void>((resolve) => (rouse = resolve));
    }
    return undefined;
  } finally {
    stop();
    signal.removeEventListener('abort', wake);
  }
}
