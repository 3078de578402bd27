// The program with the hot commands alone. What a cold start reads decides how long it takes.
import { runCommand } from './run-command.ts';
import { hot } from './specs-hot.ts';

/** Runs one of the hot commands; returns the exit code. */
export const main = (argv: string[]): Promise<number> => runCommand(argv, Object.values(hot));
