// Reads when a provider may be asked again, out of its own words and headers.

/** What leads to it. */
const LEAD =
  /\b(?:try again|retry[-_ ]?(?:after|in|delay)|resets?(?:[-_ ]?(?:at|after|in|on))?|until|limit reached)(-ms)?\b["'\s:=|]*(?:(?:at|after|in|on|about)\s+)*/gi;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SPAN = String.raw`(\d+(?:\.\d+)?)\s*(?:(ms)|(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?|(h)(?:(?:ou)?rs?)?|(d)(?:ays?)?)(?![a-z])`;
const SPANS = new RegExp(`^(?:${SPAN}[,\\s]*(?:and\\s+)?)+`, 'i');
const NUMBER = /^(\d+(?:\.\d+)?)(?=\s*(?:$|[\n,}"']))/;
const INSTANT = /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT)/;
/** "3pm", "15:00", "Nov 30th, 2026 3:15 PM (Europe/Paris)". */
const CLOCK =
  /^(?:(?<day>[A-Z][a-z]{2,8} \d{1,2})(?:st|nd|rd|th)?(?:, (?<year>\d{4}))?,? (?:at )?)?(?<hour>\d{1,2})(?::(?<minute>\d\d)(?![\d:])| ?(?=[ap]\.?m))(?: ?(?<half>[ap])\.?m\b)?\.?(?: \((?<zone>[\w/+-]+)\))?/i;
const DAY_MS = 86_400_000;
/** No timer is longer than this by far. */
const LONGEST_MS = 10 * DAY_MS;

/** Milliseconds in "try again in 1h 5m", "resets Nov 30, 3:45pm (Europe/Paris)", "retry-after: 30"; null without any. */
export function readWait(text: string, now: number): number | null {
  for (const { 0: lead, 1: unit, index } of text.matchAll(LEAD)) {
    const wait = readMoment(text.slice(index + lead.length, index + lead.length + 80), unit ? 1 : 1000, now);
    if (wait !== undefined) return Math.min(Math.max(0, Math.round(wait)), LONGEST_MS);
  }
  return null;
}

function readMoment(words: string, unit: number, now: number): number | undefined {
  const spans = [...(SPANS.exec(words)?.[0] ?? '').matchAll(new RegExp(SPAN, 'gi'))];
  if (spans.length > 0)
    return spans.reduce((sum, [, count, ...units]) => {
      const name = units.find((one) => one !== undefined)?.toLowerCase() as keyof typeof UNITS;
      return sum + Number(count) * UNITS[name];
    }, 0);
  const instant = INSTANT.exec(words)?.[0];
  if (instant !== undefined) return Date.parse(instant) - now;
  const number = NUMBER.exec(words)?.[1];
  // Ten digits are seconds since 1970.
  if (number !== undefined) return number.length === 10 ? Number(number) * 1000 - now : Number(number) * unit;
  return readClock(CLOCK.exec(words)?.groups, now);
}

function readClock(found: Record<string, string | undefined> | undefined, now: number): number | undefined {
  const here = found && readLocalTime(now, found.zone);
  if (!found || here === undefined) return undefined;
  const { day, year, hour, minute = 0, half } = found;
  const isAfternoon = half?.toLowerCase() === 'p';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  const date =
    day === undefined
      ? here - (here % DAY_MS)
      : Date.parse(`${day}, ${year ?? new Date(here).getUTCFullYear()} UTC`);
  const wait = date + hours * UNITS.h + Number(minute) * UNITS.m - here;
  // The next time that a clock shows it, or a calendar.
  if (day === undefined) return wait > 0 ? wait : wait + DAY_MS;
  return wait < -DAY_MS && year === undefined ? wait + 365 * DAY_MS : wait;
}

/** What calendar and clock show there, as if it were UTC; undefined for a zone that is none. */
function readLocalTime(now: number, timeZone: string | undefined): number | undefined {
  try {
    return Date.parse(`${new Date(now).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
