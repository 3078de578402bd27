import { formatDuration } from '../base/duration.ts';
import { oneLine } from '../base/text.ts';
import type { Progress } from '../heartbeat/ports.ts';
import type { Cli } from './io.ts';

/** Progress as plain lines on stderr: for pipes, logs and cron. */
export function plainLines(cli: Cli): (progress: Progress) => void {
  return (progress) => {
    const line = asLine(progress);
    if (line) cli.note(`${progress.council}: ${line}`);
  };
}

/** Only what a person must know: warnings. */
export function silent(cli: Cli): (progress: Progress) => void {
  return (progress) => {
    if (progress.type === 'warning') cli.note(oneLine(progress.message, 500));
  };
}

/** One event in words; undefined for what another event says as well. */
export function asLine(progress: Progress): string | undefined {
  switch (progress.type) {
    case 'launching':
      return undefined;
    case 'launched':
      return `${progress.participant} is asked${progress.attempt > 1 ? ` (attempt ${progress.attempt})` : ''}`;
    case 'recorded':
      return `${progress.participant} responded${progress.bytes === null ? '' : `: ${progress.bytes} bytes`} in ${formatMs(progress.ms)}${progress.note ? `; ${oneLine(progress.note, 300)}` : ''}`;
    case 'attempt_failed':
      return `${progress.participant} failed (attempt ${progress.attempt}): ${oneLine(progress.reason, 300)}${progress.final ? '; absent from this phase' : ''}`;
    case 'paused':
      return `${progress.participant} is paused until ${progress.until} (${oneLine(progress.reason, 200)})`;
    case 'blocked':
      return `the sealed text of ${progress.participant} is not on this machine; it lies at ${progress.place ?? 'an unknown place'}. Bring it with: council reveal ${progress.participant} --file FILE`;
    case 'archived':
      return `archived as ${progress.path}`;
    case 'warning':
      return oneLine(progress.message, 500);
    case 'effect':
      return effectLine(progress.effect);
  }
}

function effectLine(effect: (Progress & { type: 'effect' })['effect']): string | undefined {
  switch (effect.type) {
    case 'phase_opened':
      return `${effect.phase} is open (tour ${effect.tour})`;
    case 'absent':
      return `${effect.participant} was absent from ${effect.phase}: ${oneLine(effect.reason, 300)}`;
    case 'synthesis_wanted':
      return `the synthesis of ${effect.coordinator} is wanted`;
    case 'archive':
      return undefined;
  }
}

export const formatMs = (ms: number): string => (ms < 1000 ? `${ms} ms` : formatDuration(ms));
