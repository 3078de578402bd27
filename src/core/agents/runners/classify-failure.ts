// Classifies failed turns and provider errors, in words that are safe in a blind phase.
import { stripVTControlCharacters } from 'node:util';
import { formatDuration } from '../../base/duration.ts';
import { isObject, toOneLine, toUnknownRecord } from '../../base/text.ts';
import { loadWords } from '../../base/words/words.ts';
import { isComplaint, dropAnswer } from './complaint.ts';
import { CLASSES, createProgramFailure } from './failure-classes.ts';
import type { FailureSubject, FailureClass } from './failure-classes.ts';
import type { FinishedTurn } from './finished-turn.ts';
import type { Failure, FailureClassName, FailureKind, KnownFailure, SpeakRequest } from './turn-types.ts';
import type { APICallError } from 'ai';
import type { ModelChoice } from '../providers.ts';
import { redactLine } from './redact.ts';

/** Bytes at the end of stderr to search for the cause. */
const LOOKED_AT = 4096;
/** Lines at the end to search for a prompt that the program waits on. */
const ASKING_LINES = 6;

type TimeoutKind = 'timeout' | 'silence';

/** Whether council ended the turn because it took too long. */
export const isLate = (stoppedFor: FinishedTurn['stoppedFor']): stoppedFor is TimeoutKind =>
  stoppedFor === 'timeout' || stoppedFor === 'silence';

/** Describes why a launch was ended: `timeout` in total, or `inactivity` without output (both ms). */
export const describeTimeout = (
  { timeout, inactivity }: SpeakRequest['agent'],
  stoppedFor: TimeoutKind,
): string =>
  stoppedFor === 'timeout'
    ? `no answer within ${formatDuration(timeout)}`
    : `printed nothing for ${formatDuration(inactivity ?? 0)}`;

/** Adds the matching entry of the known failures to a failure, and from it whether a retry can help. */
export function classifyFailure(
  failure: Failure | null,
  ended: FinishedTurn,
  about: FailureSubject & Pick<SpeakRequest, 'agent'>,
): (Failure & { known?: KnownFailure }) | null {
  if (failure === null || failure.kind === 'cancelled') return failure;
  const { agent } = about;
  if (failure.missing !== undefined)
    return {
      ...failure,
      known: createProgramFailure(agent.command[0] ?? agent.runner, failure.missing, about),
    };
  const late = isLate(ended.stoppedFor) ? ended.stoppedFor : null;
  const exitCode = late ? null : ended.exitCode;
  const printed = collectPrinted(failure, ended);
  const status = failure.status ?? findHttpStatus(printed);
  const found = findClass(failure, printed, { status, exitCode, isLate: late !== null });
  const wait = failure.retryAfterMs ?? readWait(printed.join('\n'), Date.now());
  // A limit that passes by itself is not an empty account.
  const name = found === 'credit' && wait !== null ? 'limit' : found;
  const isOpen = failure.kind === 'failed' || failure.kind === 'timeout';
  const kind = isOpen
    ? name
      ? CLASSES[name].kind
      : classifyStatus(failure.kind, failure.status)
    : failure.kind;
  // The reported reason of a program that waited for its quota until the timeout. Other output is no reason.
  const meanwhile = late && kind === 'rate-limit' ? ended.failure : null;
  const how = [
    status !== null ? `HTTP ${status}` : exitCode ? `exit code ${exitCode}` : null,
    late && describeTimeout(agent, late),
  ].filter((one) => one !== null);
  return {
    ...failure,
    kind,
    reason: meanwhile ? `${failure.reason}: ${meanwhile.reason}` : failure.reason,
    ...(name && { known: describeKnown(name, how, about) }),
    ...(kind === 'rate-limit' && wait !== null && { retryAfterMs: wait }),
  };
}

/** Keeps the matched words out of the result. */
function describeKnown(name: FailureClassName, how: string[], about: FailureSubject): KnownFailure {
  const { mend }: FailureClass = CLASSES[name];
  const sentence = loadWords('en').reasons[name];
  const says = how.length === 0 ? sentence : `${sentence} (${how.join(', ')})`;
  return { class: name, says, mend: toOneLine(mend(about), 200) };
}

/** Returns the class that the program's own report names, else one matched by its output, status or exit code. */
function findClass(
  { class: own, kind }: Failure,
  printed: readonly string[],
  { status, exitCode, isLate }: { status: number | null; exitCode: number | null; isLate: boolean },
): FailureClassName | undefined {
  if (own !== undefined) return own;
  if (kind === 'rate-limit') return 'limit';
  if (kind === 'refusal') return 'refusal';
  const all = Object.entries(CLASSES) as [FailureClassName, FailureClass][];
  const possible = isLate ? all.filter(([, { hangs }]) => hangs) : all;
  const told = printed.map((text) => possible.find(([, one]) => one.printed?.test(text)));
  const found =
    told.find((one) => one !== undefined) ??
    possible.find(
      ([, { statuses = [], exits = [] }]) => statuses.includes(status ?? 0) || exits.includes(exitCode ?? 0),
    );
  return found?.[0];
}

/** Finds the HTTP status in an error: "status 401", "HTTP 429", "API Error: 401", "answered 404". */
function findHttpStatus(printed: readonly string[]): number | null {
  const phrase =
    /(?:\b(?:status(?: code)?|HTTP(?:\/[\d.]+)?|error(?: code| \([^)]{0,80}\))?|answered|rejected)[\s:=(]{1,3}|<(?:title|h1)>)([45]\d\d)\b/i;
  const found = printed.map((text) => phrase.exec(text)?.[1]).find((one) => one !== undefined);
  return found === undefined ? null : Number(found);
}

/** 408 and 409 are temporary; any other client error would come again. */
const classifyStatus = (kind: FailureKind, status: number | null = null): FailureKind => {
  if (status === 408) return 'timeout';
  return status !== null && status >= 400 && status < 500 && status !== 409 ? 'config' : kind;
};

/** Returns the output about a failure, most relevant first, without anything that may be an answer. */
function collectPrinted({ kind, class: own, reason, clue = '' }: Failure, ended: FinishedTurn): string[] {
  const { stoppedFor, broken, failure: reported, signal, exitCode, stdout } = ended;
  const said = (ended.answer ?? stdout).toString('utf8');
  if (stoppedFor === null && isComplaint(said)) return [said.slice(-LOOKED_AT), said.slice(0, LOOKED_AT)];
  if (own !== undefined) return [];
  const stderr = stripVTControlCharacters(ended.stderr.subarray(-LOOKED_AT).toString('utf8'));
  const complaint = dropAnswer(stdout.toString('utf8'));
  if (isLate(stoppedFor)) return [reported?.reason ?? '', stderr, complaint].map(takeLastLines);
  if (stoppedFor !== null || signal !== null) return [];
  if (broken !== null) return kind === 'config' ? [reason] : [];
  if (reported !== null) return [reason, clue, ...(exitCode === 0 ? [] : [stderr])];
  return exitCode === 0 ? (stdout.length === 0 ? [stderr] : []) : [stderr, complaint];
}

const takeLastLines = (text: string): string => text.trimEnd().split('\n').slice(-ASKING_LINES).join('\n');

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
/** Upper bound: real waits are much shorter. */
const LONGEST_MS = 10 * DAY_MS;

/**
 * Reads milliseconds from "try again in 1h 5m", "resets Nov 30, 3:45pm (Europe/Paris)", "retry-after: 30";
 * else null.
 */
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
  // Ten digits are seconds since the epoch.
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
  // The next time of day, or date, that matches.
  if (day === undefined) return wait > 0 ? wait : wait + DAY_MS;
  return wait < -DAY_MS && year === undefined ? wait + 365 * DAY_MS : wait;
}

/** Returns the local date and time in a zone, as if it were UTC; undefined for an unknown zone. */
function readLocalTime(now: number, timeZone: string | undefined): number | undefined {
  try {
    return Date.parse(`${new Date(now).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Converts a provider's error: its own message is the reason, without the key. */
export function classifyModelFailure(
  error: unknown,
  { provider, model, baseUrl, key }: ModelChoice,
  isApiCall: (error: unknown) => error is APICallError,
  now: number,
): Failure {
  const clean = (text: string): string => redactLine(text, key === null ? [] : [key]);
  const createFailure = (reason: string): Failure => ({ kind: 'failed', reason: clean(reason) });
  // An error event in the middle of a stream is the provider's own object.
  if (!isApiCall(error))
    return {
      ...createFailure(`${provider} broke off: ${extractProviderMessage(error)}`),
      clue: clean(getErrorType(error)),
    };
  const { statusCode: status, responseHeaders: headers = {}, responseBody = '' } = error;
  if (status === undefined)
    return createFailure(`${baseUrl} cannot be reached: ${findInnermostMessage(error)}`);
  const about = status === 404 ? ` (model ${JSON.stringify(model)} at ${baseUrl})` : '';
  const names = ['retry-after-ms', 'retry-after'].filter((name) => name in headers);
  const told = [...names.map((name) => `${name}: ${headers[name]}`), responseBody].join('\n');
  const pause = readWait(told, now);
  return {
    ...createFailure(`${provider} answered ${status}${about}: ${error.message}`),
    clue: clean(responseBody),
    status,
    ...(pause !== null && { retryAfterMs: pause }),
  };
}

function extractProviderMessage(error: unknown): string {
  if (error instanceof Error) return findInnermostMessage(error);
  if (!isObject(error)) return String(error);
  return typeof error.message === 'string' ? error.message : JSON.stringify(error);
}

const getErrorType = (error: unknown): string => (isObject(error) ? String(error.type ?? '') : '');

/** Returns the innermost message, since `fetch failed` and the like say nothing. */
function findInnermostMessage(error: Error): string {
  const { code } = toUnknownRecord(error);
  if (error.cause instanceof Error) return findInnermostMessage(error.cause);
  return error.message === '' && typeof code === 'string' ? code : error.message;
}
