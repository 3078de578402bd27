// How long something lasted, in words: on the server and in a browser.

/** "3 min 12 s", of milliseconds, in one piece. */
export const lasted = (ms: number): string => durationOf(ms).replaceAll(' ', '\u00A0');

function durationOf(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600)];
  const [minutes, rest] = [Math.floor((seconds % 3600) / 60), Math.round(seconds % 60)];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}
