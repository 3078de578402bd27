// Checks texts and reads the numbers of an input.
import { readFileSync } from 'node:fs';
import { CouncilError, ignoreSystemFault } from '../../base/errors.ts';
import { requireCleanText } from '../../base/text.ts';
import type { DecimalField } from './fields.ts';

/** Matches what ends a line in Markdown, in YAML or on a terminal. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
/** The character that Node substitutes for bytes that are not UTF-8. */
const REPLACED = '\uFFFD';

/**
 * Checks council's own environment variables: each must be one line of valid text, except paths of folders. Throws like
 * `checkText`.
 */
export function checkVariables(env: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(env))
    if (name.startsWith('COUNCIL_'))
      checkText(`The environment variable ${name}`, value, {
        line: name !== 'COUNCIL_ROOT',
        file: 'environ',
      });
}

interface Demands {
  /** It must be one line. */
  line: boolean;
  /** Where the system exposes the bytes that Node decoded; undefined if nothing was decoded. */
  file: 'cmdline' | 'environ' | undefined;
}

/**
 * Checks a text in the input of a call. Throws `invalid_text` for bytes that are not UTF-8, NUL and half of a surrogate
 * pair, and `usage` for a line break where only one line is allowed.
 */
export function checkText(what: string, value: string, { line, file }: Demands): void {
  requireCleanText(value, what);
  if (file && value.includes(REPLACED) && !isUtf8(file))
    throw new CouncilError(
      'invalid_text',
      `${what} is not valid UTF-8 (at offset ${value.indexOf(REPLACED)}).`,
      {
        hint: 'Write it in UTF-8: set a UTF-8 locale such as LANG=C.UTF-8, or convert it with iconv -t UTF-8.',
      },
    );
  const at = line ? value.search(LINE_BREAK) : -1;
  if (at >= 0)
    throw new CouncilError('usage', `${what} has a line break (at offset ${at}) and must be one line.`, {
      hint:
        file === 'cmdline'
          ? 'A longer text goes into a file: --brief FILE for the question, --file FILE for a contribution.'
          : 'A longer text is the brief of a question, or the text of a contribution.',
    });
}

/**
 * Whether the raw arguments or variables are valid UTF-8, so that a replacement character was typed
 * on purpose. Only Linux exposes the bytes; elsewhere the character counts as a sign of broken
 * ones.
 */
function isUtf8(file: 'cmdline' | 'environ'): boolean {
  const decode = () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(`/proc/self/${file}`));
  return ignoreSystemFault(decode) !== undefined;
}

/** Reads a number, or digits with a decimal point, within the bounds of its field; undefined for anything else. */
export function parseDecimal(value: unknown, { min, max }: DecimalField): number | undefined {
  const number = typeof value === 'string' && /^\d*\.?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : undefined;
}

/** Reads an existing day as YYYY-MM-DD; undefined for anything else. */
export function parseDay(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = isDay ? new Date(`${value}T00:00:00Z`) : undefined;
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(String(value))
    ? String(value)
    : undefined;
}
