// Caches for pure functions that are called repeatedly with the same input.

/**
 * Creates a value on first use and keeps it. Saves the cost of unused values, such as words of the other
 * language and Unicode regular expressions. A dozen of these take 2.5 ms of the 56 ms of a `respond`.
 */
export function makeOnFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Memoizes the last call of `work`, by the string that `key` returns. The value must not be changed. */
export function memoizeLast<A, T>(work: (input: A) => T, key: (input: A) => string): (input: A) => T {
  let last: { key: string; value: T } | undefined;
  return (input) => {
    const now = key(input);
    if (last?.key !== now) last = { key: now, value: work(input) };
    return last.value;
  };
}

/** Memoizes the last call; inputs are compared with `isSame`, unless they are the same object. */
export function memoizeWhileSame<A, T>(
  isSame: (before: A, now: A) => boolean,
  work: (input: A) => T,
): (input: A) => T {
  let last: { input: A; value: T } | undefined;
  return (input) => {
    const isKnown = last !== undefined && (last.input === input || isSame(last.input, input));
    last = { input, value: isKnown ? last!.value : work(input) };
    return last.value;
  };
}

/** Memoizes `work` for each object, as long as the object is in use. Neither may be changed. */
export function memoizeByObject<K extends object, T>(work: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { value: T }>();
  return (of) => {
    const found = known.get(of) ?? { value: work(of) };
    known.set(of, found);
    return found.value;
  };
}

/** A cache for the newest keys. */
type Memory<T> = (key: string, make: () => T) => T;

/** Creates such a cache for each owner object. A value may be kept up to date by the code that has this cache. */
export function createOwnerCache<T>(most: number): (owner: object, key: string, make: () => T) => T {
  const memories = new WeakMap<object, Memory<T>>();
  return (owner, key, make) => {
    const memory = memories.get(owner) ?? memoizeNewest<T>(most);
    memories.set(owner, memory);
    return memory(key, make);
  };
}

/** Caches values of the `most` recently used keys. Values must not be changed. A rejected promise is dropped. */
export function memoizeNewest<T>(most: number): Memory<T> {
  const known = new Map<string, T>();
  return (key, make) => {
    const isKnown = known.has(key);
    const value = isKnown ? known.get(key)! : make();
    if (!isKnown && value instanceof Promise) value.catch(() => known.delete(key));
    known.delete(key);
    known.set(key, value);
    if (known.size > most) known.delete(known.keys().next().value!);
    return value;
  };
}

/** Wraps what reports a line, so that each line is reported once. */
export function dropRepeats(say: (line: string) => void): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (told.has(line)) return;
    told.add(line);
    say(line);
  };
}
