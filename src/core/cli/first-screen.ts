// Shortens a long text to what a screen has room for.

/** A shorter beginning would say nothing. */
const LEAST_ROWS = 12;
/** Its heading and the lines around it. */
const AROUND = 6;

/** As much of a long text as leaves room for what stands below it, and how many lines are left in the words of `rest`. */
export function showFirstScreen(
  text: string,
  { rows, rest }: { rows: number; rest: (lines: number) => string },
): string {
  const lines = text.trimEnd().split('\n');
  const most = Math.max(LEAST_ROWS, rows - AROUND);
  if (lines.length <= most + 1) return text;
  return [...lines.slice(0, most), rest(lines.length - most)].join('\n');
}
