// Runs work under the same key one after the other in this process.
const latest = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when everything that this process began before under the same key has ended: for a look and an act that belong
 * together and that no revision guards. Work must not wait for other work under its own key.
 */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const done = (latest.get(key) ?? Promise.resolve()).then(work);
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  latest.set(key, ended);
  void ended.then(() => latest.get(key) === ended && latest.delete(key));
  return done;
}
