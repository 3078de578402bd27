// The program with only the hot commands.
import { runCommand } from './run-command.ts';
import * as hot from './specs-hot.ts';

/** Runs one of the hot commands; returns the exit code. */
export const main = (argv: string[]): Promise<number> => runCommand(argv, Object.values(hot));
