// Puts a failed turn into its class, from how it ended and what was printed.
import { stripVTControlCharacters } from 'node:util';
import { formatDuration } from '../../base/duration.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { isComplaint, knownFailure, noProgram, withoutAnswer } from './known-failures.ts';
import type { About } from './known-failures.ts';
import type { Failure, FailureKind, KnownFailure, SpeakRequest } from './turn-types.ts';

/** Bytes at the end of stderr in which a program says what went wrong. */
const LOOKED_AT = 4096;
/** Lines at the end in which a program asks for something that it waits for. */
const ASKING_LINES = 6;

type Late = 'timeout' | 'silence';

/** Whether council ended it because it took too long. */
export const isLate = (stoppedFor: FinishedTurn['stoppedFor']): stoppedFor is Late =>
  stoppedFor === 'timeout' || stoppedFor === 'silence';

export const describeTimeout = ({ timeout, inactivity }: SpeakRequest['agent'], stoppedFor: Late): string =>
  stoppedFor === 'timeout'
    ? `no answer within ${formatDuration(timeout)}`
    : `printed nothing for ${formatDuration(inactivity ?? 0)}`;

/** A failure with what the table of known ones says of it, and whether another attempt can help as that has it. */
export function classifyFailure(
  failure: Failure | null,
  ended: FinishedTurn,
  about: About & Pick<SpeakRequest, 'agent'>,
): (Failure & { known?: KnownFailure }) | null {
  if (failure === null) return null;
  const { agent } = about;
  if (failure.missing !== undefined)
    return { ...failure, known: noProgram(agent.command[0] ?? agent.runner, failure.missing, about) };
  const late = isLate(ended.stoppedFor) ? ended.stoppedFor : null;
  const found = knownFailure(
    {
      ...failure,
      status: failure.status ?? null,
      printed: printedOn(failure, ended),
      exitCode: late ? null : ended.exitCode,
      ending: late && describeTimeout(agent, late),
    },
    about,
  );
  // A program that waits for a quota until its time is up is known by what it said meanwhile. What else it printed on its
  // way is no reason.
  const meanwhile = late && found?.kind === 'rate-limit' ? ended.failure : null;
  const reason = meanwhile ? `${failure.reason}: ${meanwhile.reason}` : failure.reason;
  const isOpen = failure.kind === 'failed' || failure.kind === 'timeout';
  const kind = isOpen ? (found?.kind ?? kindOfStatus(failure)) : failure.kind;
  const wait = kind === 'rate-limit' ? (failure.retryAfterMs ?? readWait(reason, Date.now())) : null;
  return {
    ...failure,
    kind,
    reason,
    ...(found && { known: found.known }),
    ...(wait !== null && { retryAfterMs: wait }),
  };
}

/** 408 and 409 pass; every other complaint about the request would come again. */
const kindOfStatus = ({ kind, status = null }: Failure): FailureKind => {
  if (status === 408) return 'timeout';
  return status !== null && status >= 400 && status < 500 && status !== 409 ? 'config' : kind;
};

/** What was printed about a failure, the most telling first. Nothing that may be an answer. */
function printedOn({ kind, class: own }: Failure, ended: FinishedTurn): string[] {
  const { stoppedFor, broken, failure: reported, signal, exitCode, stdout } = ended;
  const said = (ended.answer ?? stdout).subarray(0, LOOKED_AT).toString('utf8');
  if (stoppedFor === null && isComplaint(said)) return [said];
  const stderr = stripVTControlCharacters(ended.stderr.subarray(-LOOKED_AT).toString('utf8'));
  const complaint = withoutAnswer(stdout.toString('utf8'));
  if (own !== undefined) return [];
  if (isLate(stoppedFor)) return [reported?.reason ?? '', stderr, complaint].map(lastLines);
  if (stoppedFor !== null || signal !== null) return [];
  if (broken !== null) return kind === 'config' ? [broken.reason] : [];
  if (reported !== null) return [reported.reason, reported.clue ?? '', ...(exitCode === 0 ? [] : [stderr])];
  return exitCode === 0 ? (stdout.length === 0 ? [stderr] : []) : [stderr, complaint];
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-ASKING_LINES).join('\n');

// Reads when a provider may be asked again out of its own words.

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN =
  /(?:try again in|retry (?:after|in)|resets? (?:after|in))[: ]*(?:about )?((?:[\d.]+ *(?:ms|[smhd])[a-z]*[, ]*)+)/i;
const CLOCK = /\b(?:try again|resets?)(?: at)? (\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?(?: \(([\w/+-]+)\))?/i;
const INSTANT = /\b(?:try again|resets?|until)(?: at| on)? (\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))/i;
/** Seconds since 1970, as "limit reached|1790000000". */
const EPOCH = /\blimit reached\|(\d{10})\b/i;

/** Milliseconds in "try again in 1h 5m", "resets 3:45pm (Europe/Paris)", "limit reached|1790000000"; null without any. */
function readWait(text: string, now: number): number | null {
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
