import { CouncilError, systemCode } from '../base/errors.ts';
import { printableJson } from '../base/terminal.ts';
import { toldKept } from '../council/use/refused-texts.ts';
import type { Kept } from '../council/use/refused-texts.ts';
import { writeOut } from './stdout.ts';

/** What a command hands to its face: one document for `--json`, text for people. */
export interface Outcome {
  /** Undefined for a command that has no one document. */
  json: unknown;
  text: string;
  exitCode?: number;
}

/** Prints what a command handed back; returns its exit code. */
export function printOutcome(outcome: Outcome, json: boolean): number {
  if (json) {
    if (outcome.json !== undefined) writeOut(`${printableJson(outcome.json, 2)}\n`);
  } else if (outcome.text !== '') writeOut(`${outcome.text.replace(/\n$/, '')}\n`);
  return outcome.exitCode ?? 0;
}

/** An error as `--json` carries it. */
export function errorDocument(
  error: CouncilError,
): { code: string; message: string; hint: string | null } & Record<string, unknown> {
  return { ...error.details, code: error.code, message: error.message, hint: error.hint ?? null };
}

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

/** What was thrown, as the error that is shown: a failing system call is `io`, anything unknown a bug. */
export function asCouncilError(thrown: unknown): CouncilError {
  if (thrown instanceof CouncilError) return thrown;
  const code = systemCode(thrown);
  if (code)
    return new CouncilError('io', (thrown as Error).message, { details: { system: code }, cause: thrown });
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return new CouncilError('failed', `This is a bug in council: ${stack}`, {
    hint: 'Nothing that was acknowledged is lost. Please report it with the lines above.',
  });
}
