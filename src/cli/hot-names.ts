/** The commands that `hot.ts` has. Named here, because the first file loads nothing that is not needed. */
export const HOT = ['respond', 'view', 'status', 'wait', 'tick'];
