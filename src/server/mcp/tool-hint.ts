// Says the hint of an error in the words of the tools: a client has arguments, and no command line.
import { TOOLS } from '../remote/calls.ts';

const COMMANDS = new RegExp(`\\bcouncil (${TOOLS.join('|')})\\b`, 'g');
const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Rewrites a hint line by line. A line that names a command without a tool stays unchanged. */
export const toolHint = (hint: string): string =>
  hint
    .split('\n')
    .map((line) => {
      const said = line.replace(COMMANDS, 'the tool $1');
      if (/\bcouncil [a-z]+\b/.test(said)) return line;
      return said.replace(/(?<![\w-])--([a-z][a-z-]*)/g, (_, name: string) => `the argument ${camel(name)}`);
    })
    .join('\n');
