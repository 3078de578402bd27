// What is said of failed launches: their known failure, and in a few words that are safe in a blind phase.
import type { About } from './failure-classes.ts';
import type { KnownFailure, SpeakResult } from './turn-types.ts';

export type { About, Ways } from './failure-classes.ts';

/** Why a program is not found. */
export const notFound = (program: string): string =>
  /[\\/]/.test(program) ? 'there is no such program, or it may not be executed' : 'it is not on PATH';

/** A program that cannot be started: not there, or not where a command says. `why`: "it is not on PATH". */
export const noProgram = (program: string, why: string, { agent, ways }: About): KnownFailure => ({
  says: `the program ${JSON.stringify(program)} cannot be launched: ${why}`,
  mend:
    ways !== undefined && agent.command.length === 0
      ? `install it: ${ways.install}`
      : `change "command" in its file (council agents show ${agent.id})`,
});

/** A known failure in one line. */
const inOneLine = ({ says, mend }: KnownFailure): string => (mend === '' ? says : `${says}; ${mend}`);

/** The class of a failure in a few words, without any word of what was said: a blind phase shows no more. Null when it is ok. */
export function safeReason(result: SpeakResult): string | null {
  const { ok, failure, exitCode, signal, timedOut, cancelled, truncated, reason, output } = result;
  if (ok) return null;
  if (cancelled) return 'interrupted';
  if (result.known) return inOneLine(result.known);
  if (timedOut || failure === 'timeout') return 'no answer in time';
  if (truncated) return 'too much output';
  if (result.safeReason !== undefined) return result.safeReason;
  if (failure === 'config') return 'wrong configuration';
  if (signal !== null) return `ended by ${signal}`;
  if (exitCode === null) return 'no answer';
  if (exitCode !== 0) return `exit code ${exitCode}`;
  const isEmpty =
    reason === null ? output.toString('utf8').trim() === '' : reason.startsWith('printed nothing');
  return isEmpty
    ? 'printed nothing'
    : 'what it printed cannot be read as an answer; its owner sees it with: council logs';
}

/** Why it failed with all that was said about it, for when that may be seen: the class first, where it is a known one. */
export const wholeReason = (result: SpeakResult): string | null =>
  result.known ? `${inOneLine(result.known)}${quoteProgram(result)}` : result.reason;

/** What the program itself said, to stand behind the class of its failure; empty where the class says all. */
export function quoteProgram({ known, reason }: Pick<SpeakResult, 'known' | 'reason'>): string {
  const said = (reason ?? '').replace(/^exit code \d+(?:: )?/, '');
  // A program that is not there, or that says nothing while it waits, has no words of its own.
  const isAll = !known || known.says.startsWith('the program ') || known.says.includes(said);
  return isAll ? '' : `. It said: ${said}`;
}
