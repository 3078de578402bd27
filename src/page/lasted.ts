// How long something lasted, in words: on the server and in a browser.

/** "3 min 12 s", of milliseconds, in one piece: two units at most, and none of which there is nothing. */
export const lasted = (ms: number): string => durationOf(ms).replaceAll(' ', '\u00A0');

function durationOf(ms: number): string {
  if (ms < 9950) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  const first = units.findIndex(([count]) => count > 0);
  return units
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : []))
    .join(' ');
}
