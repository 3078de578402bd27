// Quoting of words for crontab lines and systemd units.
import { CouncilError } from '../base/errors.ts';
import { escapeControlChar } from '../base/shell.ts';
import { oneLine } from '../base/text.ts';

/** Throws `usage` for text that a crontab cannot hold: it has a line for each job and no way to write a line break. */
export function refuseLineBreaks(what: string, text: string): void {
  if (!/[\n\r]/.test(text)) return;
  throw new CouncilError('usage', `${what} has a line break, which a crontab cannot hold: ${oneLine(text)}`, {
    hint: 'Rename it, or use one of these, which can: council install --systemd, council heartbeat.',
  });
}

/**
 * A word of a crontab's command, for its sh. cron itself reads `\%` as % and, in some versions, two
 * backslashes as one. So % stands outside the quotes, where sh gives the same result with or
 * without the backslash, and two backslashes never stand together.
 */
export function cronWord(word: string): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/['%]|\\(?=\\)/g, (char) => (char === '\\' ? "\\''" : `'\\${char}'`))}'`;
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/g;

/** A value in quotes for a systemd unit: `Environment=` takes it so. % begins a specifier everywhere in a unit. */
export const unitValue = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replace(CONTROLS, escapeControlChar)}"`;

/** What `unitValue` was given. */
export const fromUnitValue = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replaceAll('%%', '%')
    .replace(/\\(x[0-9a-f]{2}|.)/g, (_, char: string) => UNESCAPED[char] ?? decodePercentCode(char));

const UNESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const decodePercentCode = (char: string): string =>
  char.length === 3 ? String.fromCharCode(Number.parseInt(char.slice(1), 16)) : char;

/** An argument in `ExecStart=`, where a variable can stand as well. */
export const unitArgument = (word: string): string => unitValue(word).replaceAll('$', '$$$$');

/** The program in `ExecStart=`. Throws `usage` for a path that systemd takes in no spelling. */
export function unitProgram(path: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f"'\\]/.test(path)) return unitValue(path);
  throw new CouncilError('usage', `systemd starts no program with such a path: ${JSON.stringify(path)}.`, {
    hint: 'Install Node in a folder without quotes, backslashes and control characters, or use: council install',
  });
}

/** A path in `EnvironmentFile=`, which knows no quotes, but patterns. Throws `usage` for a path that it takes in no spelling. */
export function unitPath(path: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0000-\u001f\u007f"'\\*?[]/.test(path) && path === path.trim()) return path.replaceAll('%', '%%');
  throw new CouncilError('usage', `systemd reads no variables from such a path: ${JSON.stringify(path)}.`, {
    hint: 'Set XDG_CONFIG_HOME to a folder without quotes, backslashes, patterns and control characters.',
  });
}

/** A path in a line of a unit that is for people. In quotes: a backslash at the end of a line would take in the next one. */
export const unitText = (path: string): string => `"${oneLine(path, 500).replaceAll('%', '%%')}"`;
