// How long tests wait for what must come, in milliseconds: far from what the slowest machine takes.
export const PATIENCE_MS = 90_000;
