// Progress of a council in words, as plain lines on stderr.
import { formatLocalTime, formatDueTime } from '../base/local-time.ts';
import { formatDuration } from '../base/duration.ts';
import { toOneLine } from '../base/text.ts';
import type { Notice } from '../council/machine/transition-result.ts';
import type { Progress } from '../heartbeat/ports.ts';
import { nameUserAndHost } from './app.ts';
import type { App } from './app.ts';
import { fill, formatNames, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { explainMissingHeartbeats } from './missing-heartbeats.ts';
import type { DeadlineMove } from '../council/state/state.ts';
import { namePhase, translateAbsence, translateReason } from '../base/words/reasons.ts';
import { getPrivateRoot } from '../store/file/private-dir.ts';
import { extractSpokenWords } from '../council/ledger/text/spoken-words.ts';

/** Returns the displayed name for a participant's id. */
export type NameSeat = (id: string) => string;

/** Names of the seats, and the words of a language, for progress lines. */
export interface ProgressWording {
  nameSeat: NameSeat;
  w: Words;
}

const createEnglishTelling = (): ProgressWording => ({ nameSeat: (id) => id, w: loadWords('en') });

/** Progress as plain lines on stderr: for pipes, logs and cron. */
export function createPlainTeller(
  app: Pick<App, 'note'>,
  telling = createEnglishTelling,
): (progress: Progress) => void {
  return (progress) => {
    const line = renderProgressLine(progress, telling());
    if (line) app.note(`${progress.council}: ${line}`);
  };
}

/** Prints only what a person must know: warnings, and programs waiting for trust. */
export function createQuietTeller(app: Pick<App, 'note'>): (progress: Progress) => void {
  return (progress) => {
    if (progress.type === 'warning') app.note(toOneLine(progress.message, 500));
    if (progress.type === 'untrusted')
      app.note(`${progress.council}: ${renderUntrustedLine(progress, createEnglishTelling())}`);
  };
}

/** Whether the next attempt is so far off that the wait must be explained. */
export const isLongWait = (progress: Progress, now: number): boolean =>
  (progress.type === 'paused' || progress.type === 'attempt_failed') &&
  Date.parse(progress.until ?? '') - now > LONG_WAIT_MS;

const LONG_WAIT_MS = 10_000;

const renderUntrustedLine = (
  { participant, runs }: Progress & { type: 'untrusted' },
  { w }: ProgressWording,
): string =>
  fill(w.progress.untrusted, { who: participant ?? w.progress.notifyCommand, runs: toOneLine(runs, 300) });

/** Describes an event; undefined if another event already covers it. */
export function renderProgressLine(progress: Progress, telling = createEnglishTelling()): string | undefined {
  const { nameSeat, w } = telling;
  const words = w.progress;
  const who = 'participant' in progress && progress.participant ? nameSeat(progress.participant) : '';
  switch (progress.type) {
    case 'stopped':
      return fill(words.stopped, { who });
    case 'launching':
    case 'waiting':
    case 'said':
      return undefined;
    case 'launched':
      return fill(progress.attempt > 1 ? words.askingAgain : words.asking, {
        who,
        attempt: progress.attempt,
      });
    case 'recorded': {
      const { bytes, note } = progress;
      const line = fill(bytes === null ? words.responded : words.respondedBytes, {
        who,
        bytes: bytes ?? 0,
        time: formatMs(progress.ms),
      });
      return note ? `${line}; ${toOneLine(note, 300)}` : line;
    }
    case 'asked_again':
      return fill(words.askingForMissing, { who, missing: progress.missing.join(', ') });
    case 'attempt_failed':
      return progress.next === 'interrupted'
        ? fill(words.interrupted, { who })
        : renderFailureLine(progress, who, w);
    case 'paused':
      return fill(words.paused, {
        who,
        time: formatLocalTime(progress.until, Date.now(), w),
        reason: toOneLine(translateReason(progress.reason, w), 200),
      });
    case 'untrusted':
      return renderUntrustedLine(progress, telling);
    case 'blocked':
      return renderMissingTextLine(progress.participant, progress.place);
    case 'warning':
      return toOneLine(progress.message, 500);
    case 'notice':
      return renderNoticeLine(progress.notice, telling);
  }
}

function renderFailureLine(progress: Progress & { type: 'attempt_failed' }, who: string, w: Words): string {
  const { attempt } = progress;
  const outlook = describeAttemptFollowUp(progress, w);
  const said = toOneLine(translateReason(progress.reason, w), 300);
  const reason = outlook === '' ? said : `${said.replace(/\.$/, '')}; ${outlook}`;
  const line = fill(attempt > 1 ? w.progress.failedAgain : w.progress.failed, { who, attempt, reason });
  return progress.note === undefined ? line : `${line} (${progress.note})`;
}

/** Describes what follows a failed attempt; a short pause is not mentioned. */
function describeAttemptFollowUp(
  { next, until = '' }: Progress & { type: 'attempt_failed' },
  w: Words,
): string {
  if (next === 'absent') return w.progress.absentNow;
  const ms = Date.parse(until) - Date.now();
  return ms > SHORT_PAUSE_MS
    ? fill(w.progress.askedAgain, { when: formatDueTime(until, Date.now(), w) })
    : '';
}

const SHORT_PAUSE_MS = 3000;

/** Describes who is awaited, for output that does not show it all the time. */
export function renderWaitingLines(
  { council, phase: name, timeoutAt, people, elsewhere, needing, ranks }: Progress & { type: 'waiting' },
  { nameSeat, w }: ProgressWording,
): string[] {
  const [first = ''] = people;
  const time = formatLocalTime(timeoutAt, Date.now(), w);
  const facts = { phase: namePhase(name, { ranks }), time, first, council };
  const say = (words: string, who: string[]): string[] =>
    who.length === 0 ? [] : [fill(words, { ...facts, who: formatNames(who.map(nameSeat), w) })];
  return [
    ...say(w.progress.waitingPeople, people),
    ...say(w.progress.waitingElsewhere, elsewhere),
    ...explainMissingHeartbeats(needing, w).map((missing) => fill(w.progress.startHeartbeat, { ...missing })),
  ];
}

/** Describes who is awaited. Also mentions people while programs are running, which may take long. */
export function listWaits(progress: Progress, telling: ProgressWording): string[] {
  if (progress.type === 'waiting') return renderWaitingLines(progress, telling);
  if (progress.type !== 'launching') return [];
  return renderWaitingLines({ ...progress, type: 'waiting', elsewhere: [], needing: [] }, telling);
}

function renderNoticeLine(notice: Notice, { nameSeat, w }: ProgressWording): string {
  const words = w.progress;
  switch (notice.type) {
    case 'phase_opened':
      return fill(words.opened, { phase: namePhase(notice.phase, notice), tour: notice.tour });
    case 'absent':
      return fill(words.absent, {
        who: nameSeat(notice.participant),
        phase: notice.phase,
        reason: toOneLine(translateAbsence(notice.reason, w), 300),
      });
    case 'deadline_moved':
      return fill(words.moved, {
        phase: notice.phase,
        time: formatLocalTime(notice.timeoutAt, Date.now(), w),
        why: explainDeadlineMove(notice, w),
      });
    case 'synthesis_wanted':
      return fill(words.synthesisWanted, { who: nameSeat(notice.coordinator) });
    case 'archived':
      return fill(words.archived, { path: notice.path });
  }
}

export function explainDeadlineMove({ ms, why }: Pick<DeadlineMove, 'ms' | 'why'>, w: Words): string {
  const time = formatDuration(Math.abs(ms));
  switch (why) {
    case 'clock':
      return fill(ms > 0 ? w.progress.clockForward : w.progress.clockBack, { time });
    case 'asleep':
      return fill(w.progress.asleep, { time });
    case 'off':
      return w.progress.off;
  }
}

export const formatMs = (ms: number): string => (ms < 1000 ? `${ms} ms` : formatDuration(ms));

/** `place`: user and host that sealed the text. If they are this user and host, HOME or XDG_STATE_HOME was different. */
export function renderMissingTextLine(participant: string, place: string | null): string {
  const bring = `council reveal ${participant} --file FILE`;
  if (place !== nameUserAndHost())
    return `The sealed text of ${participant} is not on this machine: it lies at ${toOneLine(place ?? 'an unknown place')}. Bring it with: ${bring}`;
  return `The sealed text of ${participant} is not in ${getPrivateRoot(process.env)}: ${nameUserAndHost()} sealed it with another HOME or XDG_STATE_HOME, or it was taken away. Set that again, or bring it with: ${bring}`;
}

const LONGEST = 120;

/** Matches a form after a greeting, where it is not front matter. */
const FORM_WITHIN = /^---[ \t]*\n(?:[\w-]+:.*\n|[ \t]+.*\n|-.*\n)+---[ \t]*$/gm;
/** Matches braces and keys of JSON, and code fences. */
const DATA = /^\s*(?:[{}[\]]|"[^"]*"\s*:|```|~~~)/;

/**
 * Returns the first line of the author's prose after the form, without Markdown marks. Without prose, a heading or a line
 * that introduces something, otherwise the beginning of the form.
 */
export function extractFirstWords(text: string): string {
  const lines = extractSpokenWords(text)
    .replace(/\r\n/g, '\n')
    .replace(FORM_WITHIN, '')
    .split('\n')
    // Quoted lines are not the author's own words.
    .filter((line) => /\p{L}/u.test(line) && !/^\s*>/.test(line) && !DATA.test(line));
  const line = lines.find((one) => !/^\s*#|:[*_\s]*$/.test(one)) ?? lines[0];
  return toOneLine(line?.replace(/^[\s#*_-]+/, '').replace(/[*_`]+/g, '') ?? text, LONGEST);
}
