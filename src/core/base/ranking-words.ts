// How a ranking, and the phase for it, are shown.

/** A phase as it is shown: where answers are ranked, RESOLVE is the one for that. */
export const namePhase = (phase: string, { ranks }: { ranks?: string | null | undefined }): string =>
  ranks && phase === 'RESOLVE' ? 'RANK' : phase;

/** "P2 > P1 = P3". */
export const formatRank = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.join(' = ')).join(' > ');
