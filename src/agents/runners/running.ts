/** The process groups that this process has launched and that run, with what tells their leader from a later process of that number. */
export const running = new Map<number, string>();
