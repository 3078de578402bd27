// Reads values of unknown shape.

/** An object as a record of unknown values; an empty record for anything else. */
export const toUnknownRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
