// Prints results and errors as text or JSON, and returns the exit code.
import { describeKept } from '../app/app.ts';
import type { Result } from '../app/app.ts';
import type { Event } from '../app/events.ts';
import { asCouncilError, CouncilError, toErrorDocument, EXIT_CODES } from '../base/errors.ts';
import { formatPrintableJson } from '../base/terminal.ts';
import type { Language } from '../base/words/words.ts';
import { foldForTerminal, isStdoutOpen, writeOut } from './stdout.ts';
import type { ShowOptions } from './render-markdown.ts';
import { formatLocalTime, formatDueTime } from '../base/local-time.ts';

/** A command's result: one document for `--json`, text for people. */
export interface Outcome {
  /** Undefined for a command without a single document. */
  json: unknown;
  text: string;
  /** Whether `text` is prose to be wrapped on a narrow terminal; otherwise it is printed as it is. */
  folds?: true;
  exitCode?: number;
}

/** Creates the outcome of a use case with its text for people. */
export const toTextOutcome = ({ document, failed }: Result, text: string): Outcome => ({
  json: document,
  text,
  exitCode: failed === undefined ? 0 : EXIT_CODES[failed],
});

/** Like `toTextOutcome`, for prose that may be wrapped on a narrow terminal. */
export const toProseOutcome = (result: Result, text: string): Outcome => ({
  ...toTextOutcome(result, text),
  folds: true,
});

/** Prints an outcome; returns its exit code. Throws `io` if stdout cannot be written. */
export async function printOutcome(outcome: Outcome, json: boolean): Promise<number> {
  try {
    if (json) {
      if (outcome.json !== undefined) writeOut(`${formatPrintableJson(outcome.json, 2)}\n`);
    } else if (outcome.text !== '') {
      const text = outcome.folds ? await foldForTerminal(outcome.text) : outcome.text;
      writeOut(`${text.replace(/\n$/, '')}\n`);
    }
  } catch (error) {
    if (isStdoutOpen() || !(error instanceof CouncilError)) throw error;
    const hint = 'The command has done what it was asked for; only this output is missing.';
    throw new CouncilError(error.code, error.message, { hint, details: error.details, cause: error });
  }
  return outcome.exitCode ?? 0;
}

/** Prints one event on its own line. */
export const printEvent = (event: Event): void => writeOut(`${formatPrintableJson(event)}\n`);

/**
 * Prints an error in the requested form, or as lines if stdout cannot be written; returns the exit code. An
 * unknown error is a bug and keeps its stack.
 */
export function printError(thrown: unknown, json: boolean): number {
  const error = asCouncilError(thrown);
  if (!json || !wasWritten(`${formatPrintableJson({ error: toErrorDocument(error) }, 2)}\n`))
    writeOut(`${formatErrorLines(error)}\n`, 2);
  return error.exitCode;
}

function wasWritten(text: string): boolean {
  try {
    if (isStdoutOpen()) writeOut(text);
  } catch (error) {
    if (isStdoutOpen()) throw error;
  }
  return isStdoutOpen();
}

/** Like `printError`, wrapped for the terminal and in the reader's language. */
export async function tellError(
  thrown: unknown,
  { json, lang }: { json: boolean; lang: Language },
): Promise<number> {
  if (json) return printError(thrown, json);
  const error = asCouncilError(thrown);
  const translate = await loadRefusalTranslator(lang);
  writeOut(`${await foldForTerminal(formatErrorLines(error, translate), 'stderr')}\n`, 2);
  return error.exitCode;
}

/** Refusals and questions are English in the code. */
export const loadRefusalTranslator = async (lang: Language): Promise<(text: string) => string> =>
  lang === 'fr' ? (await import('../base/words/refusals.ts')).toFrenchRefusal : String;

function formatErrorLines(
  { message, hint, details }: CouncilError,
  translate = (text: string) => text,
): string {
  const { kept } = details;
  return [`council: ${translate(message)}`, kept && describeKept(kept), hint && translate(hint)]
    .filter(Boolean)
    .join('\n');
}

/** Returns the Markdown layout options for this terminal. */
export const pageOptions = (cli: { paint(style: 'bold', text: string): string }): ShowOptions => ({
  width: Math.min(process.stdout.columns || 80, 100),
  color: cli.paint('bold', 'x') !== 'x',
});

/**
 * Replaces the given times (ISO 8601 UTC) in a text by local time: "Tue 24 Nov 2026, 14:05", in French "24
 * nov. 2026, 14:05". A time at the end of its line after a colon is also relative: "Deadline: in 42 min,
 * 14:05". Other times were written by people or agents, and stay as they are.
 */
export function withLocalTimes(text: string, times: readonly string[], lang: Language, now: number): string {
  const { local, distant } = lang === 'en' ? createEnglishForms(now) : createTimeForms(lang, now);
  const known = new Set(times);
  return text.replace(TIME, (all, colon: string | undefined, iso: string) => {
    if (!known.has(iso)) return all;
    return colon === undefined ? local(iso) : `${colon}${distant(iso)}`;
  });
}

/** A time, with the preceding colon if nothing follows it on the line. */
const TIME = /(: (?=\S+(?:\n|$)))?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/g;

interface TimeForms {
  local(iso: string): string;
  distant(iso: string): string;
}

const createEnglishForms = (now: number): TimeForms => ({
  local: (iso) => formatLocalTime(iso, now),
  distant: (iso) => formatDueTime(iso, now),
});

/** Upper limits of a distance in minutes, with the unit and its length in minutes. */
const UNITS: readonly [number, number, Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'minute'],
  [2880, 60, 'hour'],
  [Infinity, 1440, 'day'],
];

function createTimeForms(lang: Language, now: number): TimeForms {
  const relative = new Intl.RelativeTimeFormat(lang);
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
  const formatLocal = (iso: string): string => format.format(new Date(iso));
  const formatWithDistance = (iso: string): string => {
    const minutes = (Date.parse(iso) - now) / 60_000;
    const [, size, unit] = UNITS.find(([limit]) => Math.abs(minutes) < limit) ?? [0, 1440, 'day'];
    return `${relative.format(Math.trunc(minutes / size), unit)}, ${formatLocal(iso)}`;
  };
  return { local: formatLocal, distant: formatWithDistance };
}
