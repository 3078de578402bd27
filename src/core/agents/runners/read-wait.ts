// Reads when a provider may be asked again out of its own words.

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN =
  /(?:try again in|retry (?:after|in)|resets? (?:after|in))[: ]*(?:about )?((?:[\d.]+ *(?:ms|[smhd])[a-z]*[, ]*)+)/i;
const CLOCK = /\b(?:try again|resets?)(?: at)? (\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?(?: \(([\w/+-]+)\))?/i;
const INSTANT = /\b(?:try again|resets?|until)(?: at| on)? (\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))/i;
/** Seconds since 1970, as "limit reached|1790000000". */
const EPOCH = /\blimit reached\|(\d{10})\b/i;

/** Milliseconds in "try again in 1h 5m", "resets 3:45pm (Europe/Paris)", "limit reached|1790000000"; null without any. */
export function readWait(text: string, now: number): number | null {
  const parts = [...(SPAN.exec(text)?.[1] ?? '').matchAll(/(\d+(?:\.\d+)?) *(ms|[smhd])/gi)];
  if (parts.length > 0)
    return Math.round(
      parts.reduce(
        (total, [, count, unit]) => total + Number(count) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0),
        0,
      ),
    );
  const at = Number(EPOCH.exec(text)?.[1] ?? NaN) * 1000 || Date.parse(INSTANT.exec(text)?.[1] ?? '');
  if (Number.isFinite(at)) return Math.max(0, at - now);
  const [found, hour, minute = '0', half = '', zone] = CLOCK.exec(text) ?? [];
  const minutes = minutesOfDay(now, zone);
  if (found === undefined || minutes === undefined) return null;
  const wanted = (Number(hour) % 12) * 60 + Number(minute) + (half.toLowerCase() === 'p' ? 720 : 0);
  return ((wanted - minutes + 1440) % 1440 || 1440) * 60_000;
}

/** What the clock shows there; undefined for a zone that is none. */
function minutesOfDay(now: number, zone: string | undefined): number | undefined {
  try {
    const format = { hour: 'numeric', minute: 'numeric', hourCycle: 'h23', timeZone: zone } as const;
    const shown = new Intl.DateTimeFormat('en-GB', format).format(now);
    const [hours = 0, minutes = 0] = shown.split(':').map(Number);
    return hours * 60 + minutes;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
