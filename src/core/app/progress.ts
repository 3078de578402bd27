// Progress of a council in words, as plain lines on stderr.
import { localTime, formatDueTime } from '../base/local-time.ts';
import { formatDuration } from '../base/duration.ts';
import { oneLine } from '../base/text.ts';
import type { Notice } from '../council/machine/notice.ts';
import type { Progress } from '../heartbeat/ports.ts';
import type { App } from './app.ts';
import { loadWords } from '../base/words/words.ts';
import { missingTextLine } from './missing-text.ts';
import { missingHeartbeats } from './missing-heartbeats.ts';
import type { Moved } from '../council/state/state.ts';
import { namePhase } from '../base/words/reasons.ts';

/** What a participant is called, by its id. */
export type NameSeat = (id: string) => string;

const byId: NameSeat = (id) => id;

/** Progress as plain lines on stderr: for pipes, logs and cron. */
export function plainLines(app: Pick<App, 'note'>, nameSeat = byId): (progress: Progress) => void {
  return (progress) => {
    const line = asLine(progress, nameSeat);
    if (line) app.note(`${progress.council}: ${line}`);
  };
}

/** Only what a person must know: warnings, and what still has to be trusted. */
export function silent(app: Pick<App, 'note'>): (progress: Progress) => void {
  return (progress) => {
    if (progress.type === 'warning') app.note(oneLine(progress.message, 500));
    if (progress.type === 'untrusted') app.note(`${progress.council}: ${untrustedLine(progress)}`);
  };
}

/** Whether the next attempt is so far away that the wait has to be explained. */
export const isLongWait = (progress: Progress, now: number): boolean =>
  (progress.type === 'paused' || progress.type === 'attempt_failed') &&
  Date.parse(progress.until ?? '') - now > LONG_WAIT_MS;

const LONG_WAIT_MS = 10_000;

const untrustedLine = ({
  participant = 'the notify command',
  runs,
}: Progress & { type: 'untrusted' }): string =>
  `${participant} is waiting for trust (${oneLine(runs, 300)}). Look at it with: council trust`;

/** One event in words; undefined for what another event says as well. */
export function asLine(progress: Progress, nameSeat = byId): string | undefined {
  switch (progress.type) {
    case 'stopped':
      return `${nameSeat(progress.participant)} was stopped: nobody waits for it in this phase`;
    case 'launching':
    case 'waiting':
    case 'said':
      return undefined;
    case 'launched':
      return `asking ${nameSeat(progress.participant)}${progress.attempt > 1 ? ` (attempt ${progress.attempt})` : ''}`;
    case 'recorded':
      return `${nameSeat(progress.participant)} responded${progress.bytes === null ? '' : `: ${progress.bytes} bytes`} in ${formatMs(progress.ms)}${progress.note ? `; ${oneLine(progress.note, 300)}` : ''}`;
    case 'asked_again':
      return `asking ${nameSeat(progress.participant)} once more, for what is missing: ${progress.missing.join(', ')}`;
    case 'attempt_failed':
      if (progress.next === 'interrupted') return `${nameSeat(progress.participant)} was interrupted`;
      return failureLine(progress, nameSeat(progress.participant));
    case 'paused':
      return `${nameSeat(progress.participant)} is paused until ${localTime(progress.until, Date.now())} (${oneLine(progress.reason, 200)})`;
    case 'untrusted':
      return untrustedLine(progress);
    case 'blocked':
      return missingTextLine(progress.participant, progress.place);
    case 'warning':
      return oneLine(progress.message, 500);
    case 'notice':
      return noticeLine(progress.notice, nameSeat);
  }
}

function failureLine(progress: Progress & { type: 'attempt_failed' }, who: string): string {
  const { attempt } = progress;
  const outlook = describeAttemptFollowUp(progress);
  const reason = oneLine(progress.reason, 300);
  const note = progress.note === undefined ? '' : ` (${progress.note})`;
  return `${who} failed${attempt > 1 ? ` again (attempt ${attempt})` : ''}: ${outlook === '' ? reason : reason.replace(/\.$/, '') + outlook}${note}`;
}

/** What follows a failed attempt; a pause of a moment is not worth a word. */
function describeAttemptFollowUp({ next, until = '' }: Progress & { type: 'attempt_failed' }): string {
  if (next === 'absent') return '; absent from this phase';
  const ms = Date.parse(until) - Date.now();
  return ms > SHORT_PAUSE_MS ? `; asked again ${formatDueTime(until, Date.now())}` : '';
}

const SHORT_PAUSE_MS = 3000;

/** Who is waited for, for those who do not see them all the time. */
export function waitingLines({
  council,
  phase,
  timeoutAt,
  people,
  elsewhere,
  needing,
  ranks,
}: Progress & { type: 'waiting' }): string[] {
  const until = `in ${namePhase(phase, { ranks })}, until ${localTime(timeoutAt, Date.now())}.`;
  return [
    ...(people.length > 0
      ? [
          `Waiting for ${people.join(', ')} ${until} They answer with: council respond ${people[0]} --name ${council}`,
        ]
      : []),
    ...(elsewhere.length > 0
      ? [`Waiting for ${elsewhere.join(', ')} ${until} Another process asks them.`]
      : []),
    ...missingHeartbeats(needing, loadWords('en')).map(
      ({ sentence, command }) => `${sentence} Start one with: ${command}`,
    ),
  ];
}

function noticeLine(notice: Notice, nameSeat: NameSeat): string {
  switch (notice.type) {
    case 'phase_opened':
      return `${namePhase(notice.phase, notice)} is open (round ${notice.tour})`;
    case 'absent':
      return `${nameSeat(notice.participant)} was absent from ${notice.phase}: ${oneLine(notice.reason.replace(/^failed: /, ''), 300)}`;
    case 'deadline_moved':
      return `${notice.phase} now lasts until ${localTime(notice.timeoutAt, Date.now())}: ${whyMoved(notice)}`;
    case 'synthesis_wanted':
      return `waiting for ${nameSeat(notice.coordinator)}'s synthesis`;
    case 'archived':
      return `archived as ${notice.path}`;
  }
}

/** Why a deadline has moved, in words. */
export function whyMoved({ ms, why }: Pick<Moved, 'ms' | 'why'>): string {
  const time = formatDuration(Math.abs(ms));
  switch (why) {
    case 'clock':
      return `the clock was set ${ms > 0 ? 'forward' : 'back'} by ${time} while the phase was open`;
    case 'asleep':
      return `the machine slept for ${time} while somebody was being asked`;
    case 'off':
      return `the machine was off when the deadline passed, so the phase gets the time it had left`;
  }
}

export const formatMs = (ms: number): string => (ms < 1000 ? `${ms} ms` : formatDuration(ms));
