/** Nine times nine times nine …: `levels` lines of a few bytes that stand for 9 ** levels values. */
export function aliasBomb(levels: number): string {
  const nine = (item: string) => Array.from({ length: 9 }, () => item).join(', ');
  return Array.from(
    { length: levels },
    (_, level) => `a${level}: &a${level} [${nine(level === 0 ? 'x' : `*a${level - 1}`)}]`,
  ).join('\n');
}
