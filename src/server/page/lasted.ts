// How long something lasted, in words: on the server and in a browser.

/** What differs between languages: "0.9 s", "3 d". */
interface Marks {
  decimal: string;
  day: string;
}

/** "3 min 12 s", of milliseconds, in one piece: two units at most, none of them zero. */
export const formatUnbrokenTime = (ms: number, marks: Marks): string =>
  formatTwoUnits(ms, marks).replaceAll(' ', '\u00A0');

function formatTwoUnits(ms: number, { decimal, day }: Marks): string {
  if (ms < 9950) return `${String(Math.round(ms / 100) / 10).replace('.', decimal)} s`;
  const seconds = Math.round(ms / 1000);
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), day],
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
