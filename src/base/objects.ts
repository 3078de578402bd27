// Reading values whose shape nobody vouches for.

/** The keys of an object, none of which can be relied on; no keys for anything else. */
export const toUnknownRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
