// Addresses of what stands on a page: `#said-2-henry`, `#challenge-c3`.

/** An id that no text can make: whatever is no letter, digit or sign of an id is written as its number. */
export const anchor = (...parts: readonly (string | number)[]): string =>
  parts
    .map((part) => String(part).replace(/[^\w.-]/gu, (sign) => `_${sign.codePointAt(0)!.toString(16)}`))
    .join('-');
