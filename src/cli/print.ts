// Prints results and errors as text or JSON, and gives the exit code.
import { toldKept } from '../app/app.ts';
import type { Kept, Result } from '../app/app.ts';
import type { Event } from '../app/events.ts';
import { asCouncilError, errorDocument, EXIT_CODES } from '../base/errors.ts';
import { printableJson } from '../base/terminal.ts';
import { writeOut } from './stdout.ts';

/** What a command hands to its face: one document for `--json`, text for people. */
export interface Outcome {
  /** Undefined for a command that has no one document. */
  json: unknown;
  text: string;
  exitCode?: number;
}

/** The result of a use case, told to people in `text`. */
export const told = ({ document, failed }: Result, text: string): Outcome => ({
  json: document,
  text,
  exitCode: failed === undefined ? 0 : EXIT_CODES[failed],
});

/** Prints what a command handed back; returns its exit code. */
export function printOutcome(outcome: Outcome, json: boolean): number {
  if (json) {
    if (outcome.json !== undefined) writeOut(`${printableJson(outcome.json, 2)}\n`);
  } else if (outcome.text !== '') writeOut(`${outcome.text.replace(/\n$/, '')}\n`);
  return outcome.exitCode ?? 0;
}

/** Prints one event in a line of its own. */
export const printEvent = (event: Event): void => writeOut(`${printableJson(event)}\n`);

/** Prints an error in the form that was asked for; returns the exit code. An unknown error is a bug and keeps its stack. */
export function printError(thrown: unknown, json: boolean): number {
  const error = asCouncilError(thrown);
  if (json) writeOut(`${printableJson({ error: errorDocument(error) }, 2)}\n`);
  else {
    const { kept } = error.details as { kept?: Kept };
    const where = kept === undefined ? '' : `\n${toldKept(kept)}`;
    const hint = error.hint ? `\n${error.hint}` : '';
    writeOut(`council: ${error.message}${where}${hint}\n`, 2);
  }
  return error.exitCode;
}
