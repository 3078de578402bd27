// The result of a turn, from how it ended, what was said and why it was stopped.
import { stripVTControlCharacters } from 'node:util';
import { classifyFailure, describeTimeout, isLate } from './classify-failure.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { isComplaint } from './complaint.ts';
import type { Ways } from './failure-classes.ts';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { redact, redactedLine } from './redact.ts';
import type { Failure, FailureKind, SpeakRequest, SpeakResult, Printed } from './turn-types.ts';
import { KEPT_AT_END, KEPT_OF_STDERR } from './streams.ts';

/** What holds for the programs of a preset. */
interface ProgramDetails {
  /** Names of variables whose values must not be shown, beside those of the agent's file. */
  secrets: readonly string[];
  /** The most bytes of raw output that were accepted. */
  maxRaw: number;
  /** What mends failures of this program. */
  ways?: Ways;
}

const TAIL_BYTES = 2048;
/** EX_TEMPFAIL of sysexits.h: the one way a plain program can say "later". */
const TEMPFAIL = 75;

/** The result of a turn, with its reason in one line. */
export function outcome(request: SpeakRequest, ended: FinishedTurn, known?: ProgramDetails): SpeakResult {
  const { maxOutput = MAX_CONTRIBUTION_BYTES } = request;
  const secrets = [...request.agent.env, ...(known?.secrets ?? [])].map((name) => request.env[name] ?? '');
  const stderr = redactOutputEnd(ended.stderr, secrets);
  const answer = ended.answer ?? ended.stdout;
  const told = {
    stderr: lastLine(stderr),
    stdout: () => lastLine(takeTail(redactOutputEnd(ended.stdout, secrets))),
  };
  const failure = classifyFailure(findTurnFailure(request, ended, told, known?.maxRaw ?? maxOutput), ended, {
    agent: request.agent,
    ways: known?.ways,
  });
  const reason = failure && redactedLine(stripVTControlCharacters(failure.reason), secrets);
  // What never ran has said nothing, so there the whole reason may be seen.
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
  const behindColon = (line: string): string => (line === '' ? '' : `: ${line}`);
  const because = behindColon(said.stderr);
  const createFailure = (reason: string, kind: FailureKind = 'failed'): Failure => ({ kind, reason });
  if (stoppedFor === 'cancelled') return createFailure('cancelled', 'cancelled');
  if (broken !== null) return broken;
  if (isLate(stoppedFor)) return createFailure(describeTimeout(agent, stoppedFor), 'timeout');
  if (stoppedFor === 'overflow') return createFailure(`output exceeds ${bytes(maxRaw)}`);
  if (signal !== null) return createFailure(`ended by ${signal}${because}`);
  if (failure) return failure;
  if (exitCode === TEMPFAIL) return createFailure(`exit code ${exitCode}${because}`, 'rate-limit');
  // Some programs complain on stdout.
  if (exitCode !== 0) return createFailure(`exit code ${exitCode}${because || behindColon(said.stdout())}`);
  const text = answer ?? stdout;
  const words = text.toString('utf8').trim();
  if (words === '') return createFailure(`printed nothing${because}`);
  if (isComplaint(words)) return createFailure(`printed nothing but a complaint: ${words}`);
  return text.length > maxOutput ? createFailure(`output exceeds ${bytes(maxOutput)}`) : null;
}

/** The end of what a program printed, without secrets: neither whole ones nor one that is cut at its beginning. */
function redactOutputEnd(printed: Buffer, secrets: string[]): string {
  const end = stripVTControlCharacters(printed.subarray(-KEPT_AT_END).toString('utf8'));
  return redact(end, secrets, printed.length >= KEPT_AT_END);
}

/** The last line with information: not a stack frame, a bracket, or the version Node prints under its own crash. */
function lastLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  // Node prints the properties of an uncaught error below its stack.
  const thrown = lines.findLast((line) => /^\w*Error(?: \[\w+\])?: /.test(line));
  if (thrown !== undefined && lines.some((line) => /^Node\.js v\d/.test(line))) return thrown;
  return lines.findLast((line) => /\p{L}/u.test(line) && !/^at |^Node\.js v\d/.test(line)) ?? '';
}

/** The end of a text; the first character may have been cut in its middle. */
const takeTail = (text: string): string =>
  Buffer.from(text)
    .subarray(-TAIL_BYTES)
    .toString('utf8')
    .replace(/^\ufffd+(?=.)/s, '');

function bytes(count: number): string {
  const [size, unit] =
    count % 1_048_576 === 0 ? [1_048_576, 'MiB'] : count % 1024 === 0 ? [1024, 'KiB'] : [1, 'bytes'];
  return `${count / size} ${unit}`;
}

// A program's output for display: without secrets, and shortened in the middle.

/** Bytes of an output that are kept, from its beginning and from its end. */
const BEGINNING = 32 * 1024;
const END = 96 * 1024;
/** Longer than any secret: one that a cut goes through is found whole first. */
const MARGIN = 4096;

/** Both outputs of a turn. `secrets` are replaced. */
export const renderPrintedOutput = (
  { stdout, stderr }: FinishedTurn,
  secrets: readonly string[],
): Printed => ({
  stdout: shortenOutput(stdout, secrets, false),
  // Of a long one only the end was kept while it ran.
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
