// The result of a turn, from its raw outcome.
import { stripVTControlCharacters } from 'node:util';
import { classifyFailure, describeTimeout, isLate } from './classify-failure.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { isComplaint } from './complaint.ts';
import type { ProgramRemedies } from './failure-classes.ts';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { redact, redactLine } from './redact.ts';
import type { Failure, FailureKind, SpeakRequest, SpeakResult, PrintedText } from './turn-types.ts';
import { SEARCHED_FOR_SECRETS, KEPT_OF_STDERR } from './streams.ts';

/** Details of a preset's program. */
interface ProgramDetails {
  /** Variables whose values must not be shown, besides those of the agent's file. */
  secrets: readonly string[];
  /** Maximum bytes of raw output. */
  maxRaw: number;
  /** Fixes for failures of this program. */
  ways?: ProgramRemedies;
}

const TAIL_BYTES = 2048;
/** EX_TEMPFAIL of sysexits.h: the only way for a plain program to say "later". */
const TEMPFAIL = 75;

/** Builds the result of a turn, with its reason in one line. */
export function buildTurnResult(
  request: SpeakRequest,
  ended: FinishedTurn,
  known?: ProgramDetails,
): SpeakResult {
  const { maxOutput = MAX_CONTRIBUTION_BYTES } = request;
  const secrets = [...request.agent.env, ...(known?.secrets ?? [])].map((name) => request.env[name] ?? '');
  const stderr = redactOutputEnd(ended.stderr, secrets);
  const answer = ended.answer ?? ended.stdout;
  const told = {
    stderr: findTellingLine(stderr),
    stdout: () => findTellingLine(takeTail(redactOutputEnd(ended.stdout, secrets))),
  };
  const failure = classifyFailure(findTurnFailure(request, ended, told, known?.maxRaw ?? maxOutput), ended, {
    agent: request.agent,
    ways: known?.ways,
  });
  const reason = failure && redactLine(stripVTControlCharacters(failure.reason), secrets);
  // A program that never ran has said nothing, so the whole reason may be shown.
  const isUnheard = failure?.kind === 'config' && ended.broken !== null;
  const safeReason = failure?.safeReason ?? (isUnheard ? reason : undefined);
  return {
    ok: failure === null,
    output: answer.subarray(0, maxOutput),
    exitCode: ended.exitCode,
    signal: ended.signal,
    timedOut: ended.stoppedFor === 'timeout' || ended.stoppedFor === 'silence',
    cancelled: ended.stoppedFor === 'cancelled',
    truncated: ended.stoppedFor === 'overflow' || answer.length > maxOutput,
    durationMs: ended.durationMs,
    reason,
    failure: failure?.kind ?? null,
    ...(failure?.known && { known: failure.known }),
    ...(safeReason !== undefined && { safeReason }),
    retryAfterMs: failure?.kind === 'rate-limit' ? (failure.retryAfterMs ?? null) : null,
    usage: ended.usage,
    ...(request.session && ended.session !== undefined && { session: ended.session }),
    stderrTail: takeTail(stderr),
    renderPrinted: () => renderPrintedOutput(ended, secrets),
  };
}

function findTurnFailure(
  { agent, maxOutput = MAX_CONTRIBUTION_BYTES }: SpeakRequest,
  { stoppedFor, broken, failure, signal, exitCode, stdout, answer }: FinishedTurn,
  said: { stderr: string; stdout(): string },
  maxRaw: number,
): Failure | null {
  const formatDetail = (line: string): string => (line === '' ? '' : `: ${line}`);
  const because = formatDetail(said.stderr);
  const createFailure = (reason: string, kind: FailureKind = 'failed'): Failure => ({ kind, reason });
  if (stoppedFor === 'cancelled') return createFailure('cancelled', 'cancelled');
  if (broken !== null) return broken;
  if (isLate(stoppedFor)) return createFailure(describeTimeout(agent, stoppedFor), 'timeout');
  if (stoppedFor === 'overflow') return createFailure(`output exceeds ${formatBytes(maxRaw)}`);
  if (signal !== null) return createFailure(`ended by ${signal}${because}`);
  if (failure) return failure;
  if (exitCode === TEMPFAIL) return createFailure(`exit code ${exitCode}${because}`, 'rate-limit');
  // Some programs complain on stdout.
  if (exitCode !== 0) return createFailure(`exit code ${exitCode}${because || formatDetail(said.stdout())}`);
  const text = answer ?? stdout;
  const words = text.toString('utf8').trim();
  if (words === '') return createFailure(`printed nothing${because}`);
  if (isComplaint(words)) return createFailure(`printed nothing but a complaint: ${words}`);
  return text.length > maxOutput ? createFailure(`output exceeds ${formatBytes(maxOutput)}`) : null;
}

/** Returns the end of a program's output without secrets, neither whole ones nor one cut at its start. */
function redactOutputEnd(printed: Buffer, secrets: string[]): string {
  const end = stripVTControlCharacters(printed.subarray(-SEARCHED_FOR_SECRETS).toString('utf8'));
  return redact(end, secrets, printed.length >= SEARCHED_FOR_SECRETS);
}

/**
 * Returns the last line with information: no stack frame, bracket, or the version that Node prints below a
 * crash.
 */
function findTellingLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  // Node prints the properties of an uncaught error below its stack.
  const thrown = lines.findLast((line) => /^\w*Error(?: \[\w+\])?: /.test(line));
  if (thrown !== undefined && lines.some((line) => /^Node\.js v\d/.test(line))) return thrown;
  return lines.findLast((line) => /\p{L}/u.test(line) && !/^at |^Node\.js v\d/.test(line)) ?? '';
}

/** Returns the end of a text; its first character may have been cut. */
const takeTail = (text: string): string =>
  Buffer.from(text)
    .subarray(-TAIL_BYTES)
    .toString('utf8')
    .replace(/^\ufffd+(?=.)/s, '');

function formatBytes(count: number): string {
  const [size, unit] =
    count % 1_048_576 === 0 ? [1_048_576, 'MiB'] : count % 1024 === 0 ? [1024, 'KiB'] : [1, 'bytes'];
  return `${count / size} ${unit}`;
}

// A program's output for display: without secrets, and shortened in the middle.

/** Bytes kept from the start and the end of an output. */
const BEGINNING = 32 * 1024;
const END = 96 * 1024;
/** Longer than any secret, so that one across the cut is found first. */
const MARGIN = 4096;

/** Renders both outputs of a turn with `secrets` replaced. */
export const renderPrintedOutput = (
  { stdout, stderr }: FinishedTurn,
  secrets: readonly string[],
): PrintedText => ({
  stdout: shortenOutput(stdout, secrets, false),
  // Of a long stderr, only the end was kept while it ran.
  stderr: shortenOutput(stderr, secrets, stderr.length >= KEPT_OF_STDERR),
});

function shortenOutput(bytes: Buffer, secrets: readonly string[], isEnd: boolean): string {
  const clean = (part: Buffer, cut: boolean): string =>
    redact(stripVTControlCharacters(part.toString('utf8')), secrets, cut);
  if (bytes.length <= BEGINNING + END) return clean(bytes, isEnd);
  const left = bytes.length - BEGINNING - END;
  const beginning = clean(bytes.subarray(0, BEGINNING + MARGIN), isEnd).slice(0, BEGINNING);
  return `${beginning}\n[… ${left} bytes left out …]\n${clean(bytes.subarray(-END), true)}`;
}
