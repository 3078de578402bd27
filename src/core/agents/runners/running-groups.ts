/**
 * Process groups that this process has launched and that still run, with their leaders' start
 * times, in case a number is reused.
 */
export const running = new Map<number, string>();
