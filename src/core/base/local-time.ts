/** Times as people read them: in their own time zone, and how far away. Files and `--json` keep ISO 8601 UTC. */

const DAY = 86_400_000;
/** Below the limit (ms) a distance is told in this unit. */
const UNITS = [
  [60_000, 1000, 's'],
  [3_600_000, 60_000, 'min'],
  [2 * DAY, 3_600_000, 'h'],
  [Infinity, DAY, 'd'],
] as const;

/** How far an ISO time is from `now` (ms since the epoch): "in 42 min", "3 d ago", "now". */
export function distance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  const [, size, unit] = UNITS.find(([limit]) => Math.abs(ms) < limit) ?? UNITS[3];
  const count = Math.round(Math.abs(ms) / size);
  if (count === 0) return 'now';
  const hours = Math.floor(Math.abs(ms) / 3_600_000);
  const minutes = Math.floor((Math.abs(ms) % 3_600_000) / 60_000);
  const told = unit === 'h' ? `${hours} h${minutes === 0 ? '' : ` ${minutes} min`}` : `${count} ${unit}`;
  return ms > 0 ? `in ${told}` : `${told} ago`;
}

/** The local time of an ISO time, with its day where that is not the day of `now`: "14:05", "Tue 24 Nov 2026, 14:05". */
export function localTime(iso: string, now: number): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  if (isSameDay(at, new Date(now))) return time;
  return `${localDay(at)}, ${time}`;
}

const isSameDay = (a: Date, b: Date): boolean =>
  a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear();

/** "in 42 min, 14:05". */
export const formatDueTime = (iso: string, now: number): string =>
  Number.isNaN(Date.parse(iso)) ? iso : `${distance(iso, now)}, ${localTime(iso, now)}`;

/** "Tue 24 Nov 2026", without Intl: loading its data takes as long as half of a command. */
function localDay(at: Date): string {
  const [weekday, month, day, year] = at.toDateString().split(' ');
  return `${weekday} ${Number(day)} ${month} ${year}`;
}
