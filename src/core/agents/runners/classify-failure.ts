// Puts a failed turn into its class, from how it ended and what was printed, in words that are safe in a blind phase.
import { stripVTControlCharacters } from 'node:util';
import { formatDuration } from '../../base/duration.ts';
import { oneLine } from '../../base/text.ts';
import { loadWords } from '../../base/words/words.ts';
import { isComplaint, withoutAnswer } from './complaint.ts';
import { CLASSES } from './failure-classes.ts';
import type { About, FailureClass } from './failure-classes.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { noProgram } from './known-failures.ts';
import { readWait } from './read-wait.ts';
import type { Failure, FailureClassName, FailureKind, KnownFailure, SpeakRequest } from './turn-types.ts';

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
  if (failure === null || failure.kind === 'cancelled') return failure;
  const { agent } = about;
  if (failure.missing !== undefined)
    return { ...failure, known: noProgram(agent.command[0] ?? agent.runner, failure.missing, about) };
  const late = isLate(ended.stoppedFor) ? ended.stoppedFor : null;
  const exitCode = late ? null : ended.exitCode;
  const printed = collectPrinted(failure, ended);
  const status = failure.status ?? findHttpStatus(printed);
  const found = findClass(failure, printed, { status, exitCode, isLate: late !== null });
  const wait = failure.retryAfterMs ?? readWait(printed.join('\n'), Date.now());
  // What passes by itself is no empty account.
  const name = found === 'credit' && wait !== null ? 'limit' : found;
  const isOpen = failure.kind === 'failed' || failure.kind === 'timeout';
  const kind = isOpen
    ? name
      ? CLASSES[name].kind
      : kindOfStatus(failure.kind, failure.status)
    : failure.kind;
  // What a program that waits for a quota until its time is up said meanwhile. What else it printed is no reason.
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

/** Which words tell it does not get out. */
function describeKnown(name: FailureClassName, how: string[], about: About): KnownFailure {
  const { mend }: FailureClass = CLASSES[name];
  const sentence = loadWords('en').reasons[name];
  const says = how.length === 0 ? sentence : `${sentence} (${how.join(', ')})`;
  return { class: name, says, mend: oneLine(mend(about), 200) };
}

/** The class that its own report names, that what was printed tells, or its status and exit code. */
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

/** The HTTP status that an error speaks of: "status 401", "HTTP 429", "API Error: 401", "answered 404". */
function findHttpStatus(printed: readonly string[]): number | null {
  const phrase =
    /(?:\b(?:status(?: code)?|HTTP(?:\/[\d.]+)?|error(?: code| \([^)]{0,80}\))?|answered|rejected)[\s:=(]{1,3}|<(?:title|h1)>)([45]\d\d)\b/i;
  const found = printed.map((text) => phrase.exec(text)?.[1]).find((one) => one !== undefined);
  return found === undefined ? null : Number(found);
}

/** 408 and 409 pass; every other complaint about the request would come again. */
const kindOfStatus = (kind: FailureKind, status: number | null = null): FailureKind => {
  if (status === 408) return 'timeout';
  return status !== null && status >= 400 && status < 500 && status !== 409 ? 'config' : kind;
};

/** What was printed about a failure, the most telling first. Nothing that may be an answer. */
function collectPrinted({ kind, class: own, reason, clue = '' }: Failure, ended: FinishedTurn): string[] {
  const { stoppedFor, broken, failure: reported, signal, exitCode, stdout } = ended;
  const said = (ended.answer ?? stdout).toString('utf8');
  if (stoppedFor === null && isComplaint(said)) return [said.slice(-LOOKED_AT), said.slice(0, LOOKED_AT)];
  if (own !== undefined) return [];
  const stderr = stripVTControlCharacters(ended.stderr.subarray(-LOOKED_AT).toString('utf8'));
  const complaint = withoutAnswer(stdout.toString('utf8'));
  if (isLate(stoppedFor)) return [reported?.reason ?? '', stderr, complaint].map(lastLines);
  if (stoppedFor !== null || signal !== null) return [];
  if (broken !== null) return kind === 'config' ? [reason] : [];
  if (reported !== null) return [reason, clue, ...(exitCode === 0 ? [] : [stderr])];
  return exitCode === 0 ? (stdout.length === 0 ? [stderr] : []) : [stderr, complaint];
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-ASKING_LINES).join('\n');
