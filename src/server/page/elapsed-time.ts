// Formats durations, on the server and in a browser.

/** The marks that differ between languages: "0.9 s", "3 d". */
interface Marks {
  decimal: string;
  day: string;
}

/** Formats milliseconds as "3 min 12 s" with non-breaking spaces: at most two units, without zeros. */
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
