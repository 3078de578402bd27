import type { Options } from '../app/app.ts';
import type { Cli } from './io.ts';
import type { Outcome } from './print.ts';

export type { Outcome };

export type Command = (cli: Cli, args: string[], options: Options) => Promise<Outcome>;

/** One option: flags in commander's syntax, help text, and whether it may be given several times. */
export interface OptionSpec {
  flags: string;
  help: string;
  /** What it can be, for the completion. */
  values?: readonly string[];
  repeat?: true;
}

/** One command of the CLI, as data: the parser, the help and the completion are made from it. */
export interface CommandSpec {
  name: string;
  /** Positional arguments in commander's syntax. */
  args: string;
  summary: string;
  /** What the first argument can be, for the completion. */
  actions?: readonly string[];
  details?: string;
  options: OptionSpec[];
  examples: string[];
  /** For whoever runs a council: refused to an agent inside its own turn. */
  operator?: true;
  /** Loads the command; the only import that a call pays for. */
  load: () => Promise<Command>;
}

/** Which council is meant; most commands take it. */
export const NAME: OptionSpec = {
  flags: '--name <name>',
  help: 'the council (default: active-conversation, or the only active one; COUNCIL_NAME)',
};
