// Tells the line breaks that an author meant from those of an author who wraps by hand. Pure.

/** Who wraps by hand writes lines of at least so many characters. */
const WRAPPED = 40;

/** Of each line of a paragraph but the last, whether it was meant to end there: where an author wraps, the next word would not have fitted. */
export function findMeantBreaks(lines: readonly string[]): boolean[] {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  return lines.slice(1).map((following, at) => {
    const [next = ''] = following.split(' ');
    return longest < WRAPPED || lines[at]!.length + 1 + next.length <= longest;
  });
}
