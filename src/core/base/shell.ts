/**
 * A word as a shell takes it, for commands that people copy. A control character, which a terminal must not get, is written
 * as bash, zsh and ksh read it: $'\n'.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, '\\$&').replace(CONTROLS, escapeControlChar)}'`;
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;
const CONTROLS = new RegExp(CONTROL, 'g');
const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A control character as C writes it; the shells above and systemd read it alike. */
export const escapeControlChar = (char: string): string =>
  NAMED[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
