/** The commands that have a file of their own in dist/. Named here, because the first file loads nothing that is not needed. */
export const HOT = ['respond', 'view', 'status', 'wait', 'tick'];
