// A key for what belongs to one contribution: what is grouped by it once is not searched for each of them.

/** The same for everything that one participant said in one round. */
export const formatTurnKey = ({ by, tour }: { by: string; tour: number }): string => `${tour} ${by}`;
