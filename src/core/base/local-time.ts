// Times for people: local, and relative. Files and `--json` keep ISO 8601 UTC.
import { fill, loadWords } from './words/words.ts';
import type { Words } from './words/words.ts';

type TimeWords = Pick<Words, 'times' | 'common'>;

const DAY = 86_400_000;
/** Units of a distance, each up to its limit in milliseconds. */
const UNITS = [
  [60_000, 1000, 's'],
  [3_600_000, 60_000, 'min'],
  [2 * DAY, 3_600_000, 'h'],
  [Infinity, DAY, 'd'],
] as const;

/** Formats the distance of an ISO time from `now` (ms since the epoch): "in 42 min", "3 d ago", "now". */
export function formatTimeDistance(iso: string, now: number, w: TimeWords = loadWords('en')): string {
  const ms = Date.parse(iso) - now;
  const [, size, unit] = UNITS.find(([limit]) => Math.abs(ms) < limit) ?? UNITS[3];
  const count = Math.round(Math.abs(ms) / size);
  if (count === 0) return w.times.now;
  const hours = Math.floor(Math.abs(ms) / 3_600_000);
  const minutes = Math.floor((Math.abs(ms) % 3_600_000) / 60_000);
  const time =
    unit === 'h'
      ? `${hours} h${minutes === 0 ? '' : ` ${minutes} min`}`
      : `${count} ${unit === 'd' ? w.times.day : unit}`;
  return fill(ms > 0 ? w.times.in : w.times.ago, { time });
}

/** "14 s left". */
export const formatTimeLeft = (iso: string, now: number, w: TimeWords = loadWords('en')): string =>
  formatTimeDistance(iso, now, { ...w, times: { ...w.times, in: w.times.left } });

/** Formats the local time of an ISO time, with the date if it is not today: "14:05", "Tue 24 Nov 2026, 14:05". */
export function formatLocalTime(iso: string, now: number, w: TimeWords = loadWords('en')): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  if (isSameDay(at, new Date(now))) return time;
  return `${formatLocalDay(at, w)}, ${time}`;
}

const isSameDay = (a: Date, b: Date): boolean =>
  a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear();

/** "in 42 min, 14:05". */
export const formatDueTime = (iso: string, now: number, w: TimeWords = loadWords('en')): string =>
  Number.isNaN(Date.parse(iso)) ? iso : `${formatTimeDistance(iso, now, w)}, ${formatLocalTime(iso, now, w)}`;

/** Formats "Tue 24 Nov 2026" without Intl: loading its data takes half as long as a command. */
const formatLocalDay = (at: Date, { times, common }: TimeWords): string =>
  fill(times.date, {
    weekday: times.weekdays.split(' ')[at.getDay()]!,
    day: at.getDate(),
    month: common.months.split(' ')[at.getMonth()]!,
    year: at.getFullYear(),
  });
