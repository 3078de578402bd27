// The live view of a run as lines: the phase, and which participants work or are awaited.
import stringWidth from 'string-width';
import type { Progress } from '../app/app.ts';
import { toOneLine } from '../base/text.ts';
import { formatTimeDistance, formatTimeLeft, formatLocalTime } from '../base/local-time.ts';
import { suggestHeartbeatCommand } from '../app/missing-heartbeats.ts';
import type { Cli } from './io.ts';
import { namePhase, translateReason } from '../base/words/reasons.ts';
import { fill } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';

interface SeatActivity {
  /** When it began, ms since the epoch; null to show no time. */
  since: number | null;
  says(now: number): string;
}

/** The live view of a run, updated from progress events. */
export interface LiveView {
  take(progress: Progress, now: number): void;
  lines(columns: number, now: number): string[];
  /** Whether there is nothing to show. */
  isEmpty(): boolean;
  clear(): void;
}

/** The keys of the seats; s and q are reserved. */
const SEAT_KEYS = '123456789abcdefghijklmnoprtuvwxyz';
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** Changes along with the seconds: the picture stays the same in between, and a terminal recording small. */
const FRAME_MS = 1000;
const LONGEST_NAME = 20;

/** Describes the keys, also for narrow terminals. `answered`: keys of seats with readable answers, in order. */
export function listKeyHints(answered: readonly string[], { live }: Words): string[] {
  const keys = `[${renderKeys(answered)}]`;
  return [
    [live.readKeys, live.stopKeys],
    [live.readKeysShort, live.stopKeysShort],
  ].map(([read = '', stop = '']) => (answered.length > 0 ? `${fill(read, { keys })}  ${stop}` : stop));
}

/** Formats keys as `1-3` if contiguous, else `1,3`. */
function renderKeys(keys: readonly string[]): string {
  const row = SEAT_KEYS.slice(SEAT_KEYS.indexOf(keys[0] ?? ''), SEAT_KEYS.indexOf(keys.at(-1) ?? '') + 1);
  return row.length > 1 && row.length === keys.length ? `${row[0]}-${row.at(-1)}` : keys.join(',');
}

export const findSeatByKey = (key: string, order: readonly string[]): string | undefined =>
  order[SEAT_KEYS.indexOf(key)];

/** Returns the key of a seat; a space if there are more seats than keys. */
export const findKeyOfSeat = (id: string, order: readonly string[]): string =>
  SEAT_KEYS[order.indexOf(id)] ?? ' ';

/** `table` returns order and names of the seats, and key hints: the first that fits is shown. */
export function createLiveView(
  { paint }: Pick<Cli, 'paint'>,
  table: () => { order: readonly string[]; hints: readonly string[]; nameSeat(id: string): string; w: Words },
): LiveView {
  let phase: { name: string; tour: number; timeoutAt: number | null } | undefined;
  const doing = new Map<string, SeatActivity>();
  /** Who has answered in this round: an event that they are awaited may arrive later. */
  const heard = new Set<string>();

  const getKey = (id: string): string => findKeyOfSeat(id, table().order);
  const sortRows = (): [string, SeatActivity][] => {
    const { order } = table();
    return [...doing].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  };
  function renderLines(columns: number, now: number): string[] {
    if (!phase) return [];
    const width = columns - 1;
    const { hints, nameSeat, w } = table();
    const hint = hints.find((one) => one.length < width) ?? hints.at(-1);
    const names = Math.min(LONGEST_NAME, Math.max(0, ...[...doing.keys()].map((id) => nameSeat(id).length)));
    const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '';
    const rows = sortRows().map(([id, { since, says }]) => {
      const mark = since === null ? '…' : frame;
      const time = since === null ? '' : `${formatElapsedTime(now - since)} `;
      const row = `${getKey(id)} ${nameSeat(id).slice(0, LONGEST_NAME).padEnd(names)}  ${time}${says(now)}`;
      return `${paint('yellow', mark)} ${cutToColumns(row, width - 2)}`;
    });
    return [
      paint('bold', cutToColumns(renderPhaseHeading(phase, now, w), width)),
      ...rows,
      ...(hint === undefined || columns < 20 ? [] : [paint('dim', cutToColumns(hint, width))]),
    ];
  }
  return {
    lines: renderLines,
    isEmpty: () => phase === undefined,
    clear: () => {
      doing.clear();
      phase = undefined;
    },
    take(progress, now) {
      const opened = readOpenedPhase(progress);
      if (opened) {
        if (phase?.tour !== opened.tour) {
          doing.clear();
          heard.clear();
        }
        phase = {
          ...opened,
          timeoutAt: opened.timeoutAt ?? (phase?.tour === opened.tour ? phase.timeoutAt : null),
        };
      }
      if (progress.type === 'recorded') heard.add(progress.participant);
      for (const [id, what] of listChanges(progress, now, table().w)) {
        if (what && !(what.since === null && heard.has(id))) doing.set(id, what);
        else doing.delete(id);
      }
    },
  };
}

function readOpenedPhase(
  progress: Progress,
): { name: string; tour: number; timeoutAt: number | null } | undefined {
  if (progress.type === 'launching' || progress.type === 'waiting')
    return {
      name: namePhase(progress.phase, progress),
      tour: progress.tour,
      timeoutAt: Date.parse(progress.timeoutAt),
    };
  if (progress.type !== 'notice') return undefined;
  const { notice } = progress;
  if (notice.type === 'phase_opened')
    return { name: namePhase(notice.phase, notice), tour: notice.tour, timeoutAt: null };
  if (notice.type === 'deadline_moved')
    return { name: notice.phase, tour: notice.tour, timeoutAt: Date.parse(notice.timeoutAt) };
  return undefined;
}

/** Returns changed activities by participant; undefined for one that is done. */
function listChanges(progress: Progress, now: number, w: Words): [string, SeatActivity | undefined][] {
  const { live } = w;
  const createStill = (text: string): SeatActivity => ({ since: null, says: () => text });
  switch (progress.type) {
    case 'launching':
      return [
        ...progress.participants.map((id): [string, SeatActivity] => [id, createStill(live.queued)]),
        ...progress.people.map((id): [string, SeatActivity] => [id, createPersonDoing(id, w)]),
      ];
    case 'waiting':
      return [
        ...progress.people.map((id): [string, SeatActivity] => [id, createPersonDoing(id, w)]),
        ...progress.elsewhere.map((id): [string, SeatActivity] => [id, createStill(live.elsewhere)]),
        ...progress.needing.map(({ participant, labels }): [string, SeatActivity] => [
          participant,
          createStill(
            fill(live.needs, { labels: labels.join(', '), command: suggestHeartbeatCommand(labels) }),
          ),
        ]),
      ];
    case 'launched': {
      const { participant, attempt, of } = progress;
      return [[participant, { since: now, says: () => fill(live.attempt, { attempt, of }) }]];
    }
    case 'asked_again':
      return [
        [
          progress.participant,
          { since: now, says: () => fill(live.askedOnceMore, { missing: progress.missing.join(', ') }) },
        ],
      ];
    case 'attempt_failed':
      return [
        [
          progress.participant,
          progress.until === undefined ? undefined : describePause(progress, progress.until, w),
        ],
      ];
    case 'paused':
      return [
        [
          progress.participant,
          {
            since: null,
            says: (at) =>
              fill(live.paused, {
                time: formatLocalTime(progress.until, at, w),
                left: formatTimeLeft(progress.until, at, w),
                reason: toOneLine(translateReason(progress.reason, w)),
              }),
          },
        ],
      ];
    case 'untrusted':
      return progress.participant === undefined ? [] : [[progress.participant, createStill(live.untrusted)]];
    case 'recorded':
    case 'stopped':
      return [[progress.participant, undefined]];
    case 'notice':
      return progress.notice.type === 'absent' ? [[progress.notice.participant, undefined]] : [];
    default:
      return [];
  }
}

const createPersonDoing = (who: string, { live }: Words): SeatActivity => ({
  since: null,
  says: () => fill(live.person, { who }),
});

function describePause(
  { reason, attempt: failed }: Progress & { type: 'attempt_failed' },
  until: string,
  w: Words,
): SeatActivity {
  // The error code and the fix are in the line above.
  const why = toOneLine(translateReason(reason.replace(/ \(.*|;.*/s, ''), w));
  const attempt = failed + 1;
  const describeRetry = (now: number): string =>
    Date.parse(until) - now < 500
      ? fill(w.live.next, { why, attempt })
      : fill(w.live.nextAt, {
          why,
          time: formatLocalTime(until, now, w),
          in: formatTimeDistance(until, now, w),
        });
  return { since: null, says: describeRetry };
}

function renderPhaseHeading(
  { name: phase, tour, timeoutAt }: { name: string; tour: number; timeoutAt: number | null },
  now: number,
  w: Words,
): string {
  if (timeoutAt === null) return fill(w.live.round, { phase, tour });
  const at = new Date(timeoutAt).toISOString();
  if (timeoutAt <= now) return fill(w.live.over, { phase, tour });
  return fill(w.live.left, {
    phase,
    tour,
    left: formatTimeLeft(at, now, w),
    time: formatLocalTime(at, now, w),
  });
}

/** "7 s", "2 min 5 s". */
function formatElapsedTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s ` : `${Math.floor(seconds / 60)} min ${seconds % 60} s `;
}

/** Cuts a text to a number of columns. */
function cutToColumns(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let shown = '';
  for (const char of text) {
    if (stringWidth(shown + char) >= columns) break;
    shown += char;
  }
  return `${shown}…`;
}
