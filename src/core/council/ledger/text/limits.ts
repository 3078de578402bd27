// What all text readers share: the type of a range, and limits on how much of one contribution is read. The last
// item includes any excess, or the search stops.

/** Maximum number of claims per contribution: more than anyone can discuss. The last one includes the rest. */
export const MAX_CLAIMS = 200;
/** Maximum number of challenges per contribution: more than anyone can answer. The last one includes the rest. */
export const MAX_CHALLENGES = 100;
/** Maximum UTF-16 units of a challenge that shares its objection with the next quote: each stores a copy. */
export const MAX_SHARED = 20_000;
/**
 * Search budget for the quotes of one contribution, in word comparisons. It is enough for a hundred quotes
 * with a megabyte from every participant; quotes beyond it are not found.
 */
export const MAX_EFFORT = 24 * 1024 * 1024;

/** A range of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}
