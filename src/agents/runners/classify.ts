// Puts a failed turn into its class, from how it ended and what was printed.
import { stripVTControlCharacters } from 'node:util';
import { formatDuration } from '../../base/duration.ts';
import type { Ended } from './ended.ts';
import { isComplaint, knownFailure, noProgram } from './known-failures.ts';
import type { About } from './known-failures.ts';
import type { Failure, KnownFailure, SpeakRequest } from './speak.ts';

/** Bytes at the end of stderr in which a program says what went wrong. */
const LOOKED_AT = 4096;
/** More than this on stdout is an answer, or a part of one, and no complaint. */
const LONGEST_COMPLAINT = 1024;
/** Who fills in the form is answering, and may speak of logins and limits. */
const FORM_LINE =
  /^[\s>*_`#"{-]*(?:position|vote|approve|agreed|confidence|blocking|confiance|approuve)[\s*_`"]*:/im;
/** Lines at the end in which a program asks for something that it waits for. */
const ASKING_LINES = 6;

type Late = 'timeout' | 'silence';

/** Whether council ended it because it took too long. */
export const isLate = (stoppedFor: Ended['stoppedFor']): stoppedFor is Late =>
  stoppedFor === 'timeout' || stoppedFor === 'silence';

export const endingOf = ({ timeout, inactivity }: SpeakRequest['agent'], stoppedFor: Late): string =>
  stoppedFor === 'timeout'
    ? `no answer within ${formatDuration(timeout)}`
    : `printed nothing for ${formatDuration(inactivity ?? 0)}`;

/** A failure with what the table of known ones says of it, and whether another attempt can help as that has it. */
export function classified(
  failure: Failure | null,
  ended: Ended,
  about: About & Pick<SpeakRequest, 'agent'>,
): (Failure & { known?: KnownFailure }) | null {
  if (failure === null) return null;
  const { agent } = about;
  if (failure.missing !== undefined)
    return { ...failure, known: noProgram(agent.command[0] ?? agent.runner, failure.missing, about) };
  const { stoppedFor } = ended;
  const clues = {
    kind: failure.kind,
    printed: printedOn(failure, ended),
    status: failure.status ?? null,
    exitCode: isLate(stoppedFor) ? null : ended.exitCode,
    ending: isLate(stoppedFor) ? endingOf(agent, stoppedFor) : null,
  };
  const found = knownFailure(clues, about);
  if (!found) return failure;
  const isOpen = failure.kind === 'failed' || failure.kind === 'timeout';
  return { ...failure, known: found.known, kind: isOpen ? found.kind : failure.kind };
}

/** What was printed about a failure, the most telling first. Nothing that may be an answer. */
function printedOn({ kind }: Failure, ended: Ended): string[] {
  const { stoppedFor, broken, failure: reported, signal, exitCode, stdout } = ended;
  const said = (ended.answer ?? stdout).subarray(0, LOOKED_AT).toString('utf8');
  if (stoppedFor === null && isComplaint(said)) return [said];
  const stderr = stripVTControlCharacters(ended.stderr.subarray(-LOOKED_AT).toString('utf8'));
  const short = stdout.length <= LONGEST_COMPLAINT ? stdout.toString('utf8') : '';
  const complaint = FORM_LINE.test(short) ? '' : short;
  if (isLate(stoppedFor)) return [stderr, complaint].map(lastLines);
  if (stoppedFor !== null || signal !== null) return [];
  if (broken !== null) return kind === 'config' ? [broken.reason] : [];
  if (reported === null) return exitCode === 0 ? (stdout.length === 0 ? [stderr] : []) : [stderr, complaint];
  // Without an exit code that complains, a report may be the answer itself in another form than was asked for.
  if (exitCode === 0 && kind === 'failed') return [];
  return kind === 'config' ? [reported.reason, stderr] : [reported.reason];
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-ASKING_LINES).join('\n');
