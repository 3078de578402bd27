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
