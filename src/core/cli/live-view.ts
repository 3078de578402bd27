// What the live view of a run shows: the phase, and who of the table is at work or waited for, as lines.
import stringWidth from 'string-width';
import type { Progress } from '../app/app.ts';
import { oneLine } from '../base/text.ts';
import { distance, localTime } from '../base/local-time.ts';
import { formatLabels, suggestHeartbeatCommand } from '../app/missing-heartbeats.ts';
import type { Cli } from './io.ts';
import { namePhase } from '../base/words/reasons.ts';

/** What a participant is doing. */
interface Doing {
  /** When that began, ms since the epoch; null where the time does not matter. */
  since: number | null;
  says(now: number): string;
}

/** The picture of a run, from what is told of it. */
export interface LiveView {
  /** Takes in what has happened. */
  take(progress: Progress, now: number): void;
  /** The lines of the picture. */
  lines(columns: number, now: number): string[];
  /** Whether there is anything to see. */
  isEmpty(): boolean;
  clear(): void;
}

/** The key of each seat: s and q are taken. */
const SEAT_KEYS = '123456789abcdefghijklmnoprtuvwxyz';
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;
const LONGEST_NAME = 20;

/** What the keys do, for so many seats: in full, and for a narrow terminal. */
export function listKeyHints(seats: number): string[] {
  const last = SEAT_KEYS[Math.min(seats, SEAT_KEYS.length) - 1];
  const keys = seats > 1 ? `[1-${last}]` : '[1]';
  return [`${keys} read an answer  [s + number] stop waiting`, `${keys} read  [s + number] stop`];
}

/** The seat that a key stands for. */
export const findSeatByKey = (key: string, order: readonly string[]): string | undefined =>
  order[SEAT_KEYS.indexOf(key)];

/** The key of a seat; a space for the seats beyond the keys. */
export const findKeyOfSeat = (id: string, order: readonly string[]): string =>
  SEAT_KEYS[order.indexOf(id)] ?? ' ';

/** `table` tells who sits where, what they are called, and what the keys do: the first that fits is shown. */
export function liveView(
  { paint }: Pick<Cli, 'paint'>,
  table: () => { order: readonly string[]; hints: readonly string[]; nameSeat(id: string): string },
): LiveView {
  let phase: { name: string; tour: number; timeoutAt: number | null } | undefined;
  const doing = new Map<string, Doing>();

  const keyOf = (id: string): string => findKeyOfSeat(id, table().order);
  const sorted = (): [string, Doing][] => {
    const { order } = table();
    return [...doing].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  };
  function lines(columns: number, now: number): string[] {
    if (!phase) return [];
    const width = columns - 1;
    const { hints, nameSeat } = table();
    const hint = hints.find((one) => one.length < width) ?? hints.at(-1);
    const names = Math.min(LONGEST_NAME, Math.max(0, ...[...doing.keys()].map((id) => nameSeat(id).length)));
    const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '';
    const rows = sorted().map(([id, { since, says }]) => {
      const mark = since === null ? '…' : frame;
      const time = since === null ? '' : `${formatElapsedTime(now - since)} `;
      const row = `${keyOf(id)} ${nameSeat(id).slice(0, LONGEST_NAME).padEnd(names)}  ${time}${says(now)}`;
      return `${paint('yellow', mark)} ${cut(row, width - 2)}`;
    });
    return [
      paint('bold', cut(renderPhaseHeading(phase, now), width)),
      ...rows,
      ...(hint === undefined || columns < 20 ? [] : [paint('dim', cut(hint, width))]),
    ];
  }
  return {
    lines,
    isEmpty: () => phase === undefined,
    clear: () => {
      doing.clear();
      phase = undefined;
    },
    take(progress, now) {
      const opened = readOpenedPhase(progress);
      if (opened) {
        if (phase?.tour !== opened.tour) doing.clear();
        phase = {
          ...opened,
          timeoutAt: opened.timeoutAt ?? (phase?.tour === opened.tour ? phase.timeoutAt : null),
        };
      }
      for (const [id, what] of changes(progress, now)) {
        if (what) doing.set(id, what);
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

/** Whose doing has changed, and to what; undefined for who is done. */
function changes(progress: Progress, now: number): [string, Doing | undefined][] {
  const still = (text: string): Doing => ({ since: null, says: () => text });
  switch (progress.type) {
    case 'launching':
      return [
        ...progress.participants.map((id): [string, Doing] => [id, still('queued')]),
        ...progress.people.map((id): [string, Doing] => [id, person(id)]),
      ];
    case 'waiting':
      return [
        ...progress.people.map((id): [string, Doing] => [id, person(id)]),
        ...progress.elsewhere.map((id): [string, Doing] => [id, still('asked by another process')]),
        ...progress.needing.map(({ participant, labels }): [string, Doing] => [
          participant,
          still(`needs ${formatLabels(labels)}: ${suggestHeartbeatCommand(labels)}`),
        ]),
      ];
    case 'launched': {
      const { participant, attempt, of } = progress;
      return [[participant, { since: now, says: () => `attempt ${attempt} of ${of}` }]];
    }
    case 'asked_again':
      return [
        [progress.participant, { since: now, says: () => `asked once more: ${progress.missing.join(', ')}` }],
      ];
    case 'attempt_failed':
      return [
        [
          progress.participant,
          progress.until === undefined ? undefined : describePause(progress, progress.until),
        ],
      ];
    case 'paused':
      return [
        [
          progress.participant,
          {
            since: null,
            says: (at) =>
              `paused until ${localTime(progress.until, at)} (${formatTimeLeft(progress.until, at)} left): ${oneLine(progress.reason)}`,
          },
        ],
      ];
    case 'untrusted':
      return progress.participant === undefined
        ? []
        : [[progress.participant, still('waits for trust: council trust')]];
    case 'recorded':
    case 'stopped':
      return [[progress.participant, undefined]];
    case 'notice':
      return progress.notice.type === 'absent' ? [[progress.notice.participant, undefined]] : [];
    default:
      return [];
  }
}

const person = (id: string): Doing => ({
  since: null,
  says: () => `waiting: council respond ${id}`,
});

function describePause({ reason, attempt }: Progress & { type: 'attempt_failed' }, until: string): Doing {
  // Its code and what mends it stand in the line above.
  const why = oneLine(reason).replace(/ \(.*|;.*/s, '');
  const says = (now: number): string =>
    Date.parse(until) - now < 500
      ? `${why}; attempt ${attempt + 1} is next`
      : `${why}; next attempt at ${localTime(until, now)} (${distance(until, now)})`;
  return { since: null, says };
}

/** "14 s". */
const formatTimeLeft = (until: string, now: number): string => distance(until, now).replace(/^in /, '');

function renderPhaseHeading(
  { name, tour, timeoutAt }: { name: string; tour: number; timeoutAt: number | null },
  now: number,
): string {
  const what = `${name}, round ${tour}`;
  if (timeoutAt === null) return what;
  const at = new Date(timeoutAt).toISOString();
  return timeoutAt > now
    ? `${what}: ${formatTimeLeft(at, now)} left (${localTime(at, now)})`
    : `${what}: its time is up`;
}

/** "7 s", "2 min 5 s". */
function formatElapsedTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s ` : `${Math.floor(seconds / 60)} min ${seconds % 60} s `;
}

/** The beginning of a text that fits so many columns. */
function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let shown = '';
  for (const char of text) {
    if (stringWidth(shown + char) >= columns) break;
    shown += char;
  }
  return `${shown}…`;
}
