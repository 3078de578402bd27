// Writes and reads a file of variables for sh and systemd.
import { oneLine } from '../base/text.ts';

/**
 * Variables as a file that sh reads with `.` and systemd with `EnvironmentFile=`. In double quotes both take a backslash
 * before these four characters for the character, and everything else, line breaks included, as it is.
 */
export function environmentFile(root: string, variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}="${value.replace(/["\\$`]/g, '\\$&')}"\n`,
  );
  return `# Written by council install, for the agents of ${oneLine(root, 500)}. Keep it to yourself.\n${lines.join('')}`;
}

/** What `environmentFile` has written. Anything else in the text is left out. */
export function readEnvironmentFile(text: string): Record<string, string> {
  const found = text.matchAll(/^([A-Za-z_]\w*)="((?:[^"\\]|\\[^])*)"$/gm);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.replace(/\\(["\\$`])/g, '$1')] as const),
  );
}
