import { stripVTControlCharacters } from 'node:util';
import { formatDuration } from '../../base/duration.ts';
import { MAX_CONTRIBUTION_BYTES, oneLine } from '../../base/text.ts';
import { redact } from './redact.ts';
import type { FailureKind, SpeakRequest, SpeakResult } from './speak.ts';

/** What is known when a launched program is over. */
export interface Ended {
  stdout: Buffer;
  /** The end of stderr; longer than what is shown, so that a secret is not cut before it is found. */
  stderr: Buffer;
  exitCode: number | null;
  signal: string | null;
  /** Why council ended it, null when it ended by itself. */
  stoppedFor: 'timeout' | 'silent' | 'cancelled' | 'overflow' | null;
  /** What kept it from running or from getting its prompt, null when nothing did. */
  broken: string | null;
  durationMs: number;
}

const TAIL_BYTES = 2048;

/** What holds for a program that was not started. */
export const NOTHING = {
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  exitCode: null,
  signal: null,
  stoppedFor: null,
  broken: null,
};

/** The result of a turn, with its reason in one line. */
export function outcome(request: SpeakRequest, ended: Ended): SpeakResult {
  const secrets = request.agent.env.map((name) => request.env[name] ?? '');
  const stderr = redact(stripVTControlCharacters(ended.stderr.toString('utf8')), secrets);
  const reason = failure(request, ended, lastLine(stderr));
  return {
    ok: reason === null,
    output: ended.stdout,
    exitCode: ended.exitCode,
    signal: ended.signal,
    timedOut: ended.stoppedFor === 'timeout' || ended.stoppedFor === 'silent',
    cancelled: ended.stoppedFor === 'cancelled',
    truncated: ended.stoppedFor === 'overflow',
    durationMs: ended.durationMs,
    reason: reason === null ? null : oneLine(reason, 300),
    failure: reason === null ? null : kindOf(ended),
    retryAfterMs: null,
    usage: null,
    stderrTail: lastBytes(stderr, TAIL_BYTES),
  };
}

function failure(
  { agent, maxOutput = MAX_CONTRIBUTION_BYTES }: SpeakRequest,
  ended: Ended,
  said: string,
): string | null {
  const because = said === '' ? '' : `: ${said}`;
  if (ended.stoppedFor === 'cancelled') return 'cancelled';
  if (ended.broken !== null) return ended.broken;
  if (ended.stoppedFor === 'timeout') return `no answer within ${formatDuration(agent.timeout)}${because}`;
  if (ended.stoppedFor === 'silent')
    return `nothing was heard for ${formatDuration(agent.inactivity ?? 0)}${because}`;
  if (ended.stoppedFor === 'overflow') return `output exceeds ${bytes(maxOutput)}`;
  if (ended.signal !== null) return `ended by ${ended.signal}${because}`;
  if (ended.exitCode !== 0) return `exit code ${ended.exitCode}${because}`;
  return ended.stdout.toString('utf8').trim() === '' ? `printed nothing${because}` : null;
}

function kindOf({ stoppedFor, broken }: Ended): FailureKind {
  if (stoppedFor === 'cancelled' || stoppedFor === 'timeout') return stoppedFor;
  if (stoppedFor === 'silent') return 'timeout';
  return broken === null ? 'failed' : 'config';
}

/** The last line that tells something: not a stack frame, a bracket, or the version Node prints under its own crash. */
function lastLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.findLast((line) => /\p{L}/u.test(line) && !/^at |^Node\.js v\d/.test(line)) ?? '';
}

function lastBytes(text: string, count: number): string {
  const buffer = Buffer.from(text);
  if (buffer.length <= count) return text;
  let start = buffer.length - count;
  // Not in the middle of a character.
  while ((buffer[start]! & 0xc0) === 0x80) start++;
  return buffer.subarray(start).toString('utf8');
}

function bytes(count: number): string {
  const units: [number, string][] = [
    [1024 * 1024, 'MiB'],
    [1024, 'KiB'],
  ];
  const [size, unit] = units.find(([size]) => count >= size && count % size === 0) ?? [1, 'bytes'];
  return `${count / size} ${unit}`;
}
