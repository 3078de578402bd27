// Addresses of what stands on a page: `#said-2-henry`, `#challenge-c3`.

/** An id that no text can make: whatever is no letter, digit or sign of an id is written as its number. */
export const anchor = (...parts: readonly (string | number)[]): string =>
  parts
    .map((part) => String(part).replace(/[^\w.-]/gu, (sign) => `_${sign.codePointAt(0)!.toString(16)}`))
    .join('-');

/** Where a contribution of a round stands: on this page, or on the one of that round. */
export const linkToContribution = (folded: ReadonlyMap<number, unknown>, tour: number, by: string): string =>
  `${folded.has(tour) ? roundPage(tour) : ''}#${anchor('said', tour, by)}`;

/** The page of the same council with that round in full. */
export const roundPage = (tour: number): string => `?round=${tour}`;
