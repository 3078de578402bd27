// What this council speaks with servers and heartbeats of other versions.

/** Counted up whenever what a heartbeat and a server say to each other changes. Each understands its own and the one before. */
export const SPEAKS = 1;
