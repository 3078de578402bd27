// Reading values whose shape nobody vouches for.

/** The keys of an object, none of which can be relied on; no keys for anything else. */
export const keysOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
