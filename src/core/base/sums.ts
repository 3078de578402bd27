// Adds figures up.

export const sumFigures = (figures: readonly number[]): number =>
  figures.reduce((sum, figure) => sum + figure, 0);

/** The sum of those that are known; null where none is. */
export function sumKnown(figures: readonly (number | null | undefined)[]): number | null {
  const known = figures.filter((figure) => figure !== null && figure !== undefined);
  return known.length === 0 ? null : sumFigures(known);
}
