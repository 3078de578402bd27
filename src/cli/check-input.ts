import { readFileSync } from 'node:fs';
import { CouncilError, systemCode } from '../base/errors.ts';
import { requireCleanText } from '../base/text.ts';
import type { Options } from '../app/app.ts';
import type { CommandSpec } from './spec.ts';

/** What ends a line in Markdown, in YAML or on a terminal. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
/** What Node puts in the place of bytes that are not UTF-8. */
const REPLACED = '\uFFFD';

/** What a command is called with, whichever face it comes through. */
export interface Input {
  args: readonly string[];
  options: Options;
  /** What comes as text instead of on stdin; its line breaks are its own. */
  text?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** True when arguments are those of this process, where Node may have replaced bytes. */
  isOwnCommandLine: boolean;
}

/**
 * Checks all that a command is given beside files and stdin: positional arguments, options, council's own variables.
 * Each must be one line of valid text; names of files, and the command line of an agent, may hold line breaks. Throws
 * `invalid_text` for bytes that are not UTF-8, for NUL and half characters, and `usage` for a line break.
 */
export function checkInput(spec: Pick<CommandSpec, 'args' | 'options'>, input: Input): void {
  const isPath = (name: string): boolean =>
    name === 'root' ||
    spec.options.some(({ flags }) => optionName(flags) === name && /<(file|dir)>/.test(flags));
  const positions = spec.args.split(' ').map((arg) => arg.replace(/[^a-z]/g, ''));
  input.args.forEach((value, at) => {
    const name = positions[Math.min(at, positions.length - 1)] ?? '';
    const what = `The argument ${name === '' ? at + 1 : name}`;
    check(what, value, { line: name !== 'command', file: input.isOwnCommandLine ? 'cmdline' : undefined });
  });
  for (const [name, given] of Object.entries(input.options)) {
    const what = `The option --${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    for (const value of [given].flat())
      if (typeof value === 'string')
        check(what, value, { line: !isPath(name), file: input.isOwnCommandLine ? 'cmdline' : undefined });
  }
  for (const [name, value = ''] of Object.entries(input.env))
    if (name.startsWith('COUNCIL_'))
      check(`The environment variable ${name}`, value, { line: name !== 'COUNCIL_ROOT', file: 'environ' });
  if (input.text !== undefined) requireCleanText(input.text, 'The text');
}

interface Demands {
  /** It must be one line. */
  line: boolean;
  /** Where the system keeps the bytes that Node has decoded; undefined when nothing was decoded. */
  file: 'cmdline' | 'environ' | undefined;
}

function check(what: string, value: string, { line, file }: Demands): void {
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
      hint: 'A longer text goes into a file: --brief FILE for the question, --file FILE for a contribution.',
    });
}

/**
 * Whether all that this process was given is UTF-8: then a replacement character is one that somebody wrote. Only Linux
 * shows the bytes; elsewhere the character itself is taken as the sign of broken ones.
 */
function isUtf8(file: 'cmdline' | 'environ'): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(`/proc/self/${file}`));
    return true;
  } catch (error) {
    if (systemCode(error)) return false;
    throw error;
  }
}

/** `brief` for `--brief <file>`, `budgetUsd` for `--budget-usd <n>`: the name under which a parsed option is found. */
const optionName = (flags: string): string =>
  (/--(?:no-)?([a-z-]+)/.exec(flags)?.[1] ?? '').replace(/-([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
