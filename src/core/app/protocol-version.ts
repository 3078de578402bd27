// What this council speaks with servers and heartbeats of other versions.

/** Counted up whenever what a heartbeat and a server say to each other changes. Each understands its own and the one before. */
export const SPEAKS = 2;

/** From this one on a worker does tasks as well. */
export const SPEAKS_OF_TASKS = 2;
