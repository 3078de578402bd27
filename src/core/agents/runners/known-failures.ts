// The class of a failed launch, from the table of known failures, and in words that are safe in a blind phase.
import { oneLine, toUnknownRecord } from '../../base/text.ts';
import { loadWords } from '../../base/words/words.ts';
import { CLASSES, COMPLAINT } from './failure-classes.ts';
import { parseJson } from './presets/find-documents.ts';
import type { About, FailureClass } from './failure-classes.ts';
import type { FailureClassName, FailureKind, KnownFailure, SpeakResult } from './turn-types.ts';

export type { About, Ways } from './failure-classes.ts';

const classes = Object.entries(CLASSES) as [FailureClassName, FailureClass][];

/** Characters of the longest complaint; longer texts are answers. */
export const LONGEST_COMPLAINT = 1024;

/** Who fills in the form is answering, and may speak of logins and limits. */
const FORM_LINE =
  /^[\s>*_`#"{-]*(?:position|vote|approve|agreed|confidence|blocking|confiance|approuve)[\s*_`"]*:/im;
/** A program that broke off prints its error so, and the frames of its stack below. */
const CRASH =
  /^(?:Traceback \(most recent call last\):$|(?:[\w.]*(?:Error|Exception)|error|fatal)(?: \[\w+\])?: |\w+: \(\d+\) )/;

/** What a program said about its failure, or all of its text where that is short and no answer. */
export const withoutAnswer = (text: string): string =>
  text.length > LONGEST_COMPLAINT || FORM_LINE.test(text) ? '' : text;

/**
 * Whether a whole text is an error message and no answer, even with exit code 0: one known line of a provider, an error as JSON
 * or as an HTML page, or the stack of a program that crashed.
 */
export function isComplaint(text: string): boolean {
  const said = withoutAnswer(text.trim());
  const json = /^[[{]/.test(said) ? parseJson(said) : undefined;
  if (json !== undefined) return [json].flat().some(isErrorReport);
  const page = /^<(?:!doctype html|html)\b.*?<title>([^<]*)/is.exec(said)?.[1];
  if (page !== undefined) return isComplaint(page);
  const [line = '', ...below] = said.split('\n');
  const isAlone = below.every((row) => /^(?:\s|$)/.test(row));
  if (CRASH.test(line) && (below.length > 0 ? isAlone || line.endsWith('):') : findPrinted(line)))
    return true;
  return COMPLAINT.test(line) && (isAlone || parseJson(below.join('\n')) !== undefined);
}

/** An error that a provider reports as JSON: named so, with a status of HTTP, or a complaint alone. */
function isErrorReport(document: unknown): boolean {
  const {
    error,
    errors = error,
    status,
    code = status,
    message,
    detail = message,
  } = toUnknownRecord(document);
  if (Array.isArray(errors) ? errors.length > 0 : typeof errors === 'object' ? errors !== null : errors)
    return true;
  return (Number(code) >= 400 && Number(code) < 600) || (typeof detail === 'string' && isComplaint(detail));
}

const findPrinted = (text: string): FailureClassName | undefined =>
  classes.find(([, { printed }]) => printed?.test(text))?.[0];

/** What tells one failure from another. */
interface Clues {
  kind: FailureKind;
  /** The class that the program's own report tells. */
  class?: FailureClassName;
  /** What was said about it, the most telling first. */
  printed: readonly string[];
  /** The HTTP status that the provider answered, where it is known. */
  status: number | null;
  exitCode: number | null;
  /** How council ended it: "no answer within 5m"; null when it ended by itself. */
  ending: string | null;
}

/** The class of a failure, where it is a known one, with its kind. Which words tell it does not get out. */
export function knownFailure(
  clues: Clues,
  about: About,
): { known: KnownFailure; kind: FailureKind } | undefined {
  if (clues.kind === 'cancelled') return undefined;
  const { exitCode, ending } = clues;
  const status = clues.status ?? findHttpStatus(clues.printed);
  const name = classify({ ...clues, status });
  if (name === undefined) return undefined;
  const { mend, kind }: FailureClass = CLASSES[name];
  const sentence = loadWords('en').reasons[name];
  const code = status !== null ? `HTTP ${status}` : exitCode ? `exit code ${exitCode}` : null;
  const how = [code, ending].filter((one) => one !== null).join(', ');
  const says = how === '' ? sentence : `${sentence} (${how})`;
  return { known: { class: name, says, mend: oneLine(mend(about), 200) }, kind };
}

function classify({
  kind,
  class: own,
  printed,
  status,
  exitCode,
  ending,
}: Clues): FailureClassName | undefined {
  if (own !== undefined) return own;
  // The program's own report has named the class.
  if (kind === 'rate-limit') return 'limit';
  if (kind === 'refusal') return 'refusal';
  const possible = ending === null ? classes : classes.filter(([, { hangs }]) => hangs);
  for (const text of printed) {
    const told = possible.find(([, one]) => one.printed?.test(text));
    if (told) return told[0];
  }
  if (ending !== null) return undefined;
  return classes.find(
    ([, { statuses = [], exits = [] }]) => statuses.includes(status ?? 0) || exits.includes(exitCode ?? 0),
  )?.[0];
}

/** The HTTP status that an error speaks of: "status 401", "HTTP 429", "API Error: 401", "answered 404". */
function findHttpStatus(printed: readonly string[]): number | null {
  const phrase =
    /\b(?:status(?: code)?|HTTP(?:\/[\d.]+)?|error(?: code)?|answered|rejected)[\s:=(]{1,3}([45]\d\d)\b/i;
  const found = printed.map((text) => phrase.exec(text)?.[1]).find((one) => one !== undefined);
  return found === undefined ? null : Number(found);
}

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

/**
 * The class of a failure in a few words, without any word of what the program said: a blind phase shows no more.
 * A program that never ran has said nothing, so there the whole reason stands. Null when it is ok.
 */
export function safeReason(result: SpeakResult): string | null {
  const { ok, failure, exitCode, signal, timedOut, cancelled, truncated, reason, output } = result;
  if (ok) return null;
  if (cancelled) return 'interrupted';
  if (result.known) return inOneLine(result.known);
  if (timedOut || failure === 'timeout') return 'no answer in time';
  if (truncated) return 'too much output';
  if (result.safeReason !== undefined) return result.safeReason;
  if (failure === 'config')
    return exitCode === null && signal === null ? (reason ?? '') : 'wrong configuration';
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
