// Remembers what was worked out last: for pure work that is asked for the same thing many times in a row.

/** `work` of what `key` says is the same, worked out once for as long as nothing else is asked. The value must not be changed. */
export function rememberingLast<A, T>(work: (input: A) => T, key: (input: A) => string): (input: A) => T {
  let last: { key: string; value: T } | undefined;
  return (input) => {
    const now = key(input);
    if (last?.key !== now) last = { key: now, value: work(input) };
    return last.value;
  };
}

/** What was made for the newest keys. */
type Memory<T> = (key: string, make: () => T) => T;

/** Makes what a key stands for once, and hands it out again while it is among the `most` newest: it must not be changed. */
export function rememberingNewest<T>(most: number): Memory<T> {
  const known = new Map<string, T>();
  return (key, make) => {
    const value = known.has(key) ? known.get(key)! : make();
    known.delete(key);
    known.set(key, value);
    for (const [oldest] of known) if (known.size > most) known.delete(oldest);
    return value;
  };
}
