// How much of one contribution is read: what goes beyond belongs to the last of it, or is not looked for.

/** Claims of one contribution: more than anybody can discuss. What follows belongs to the last of them. */
export const MAX_CLAIMS = 200;
/** Challenges of one contribution: more than anybody can answer. What follows belongs to the last of them. */
export const MAX_CHALLENGES = 100;
/** UTF-16 units of a challenge that shares its objection with the quote below it: each has its copy of the rest. */
export const MAX_SHARED = 20_000;
/**
 * Looking for the quotes of one contribution, in words that are compared. A hundred quotes fit, with a megabyte of every participant; what is
 * not looked for is not found.
 */
export const MAX_EFFORT = 24 * 1024 * 1024;
