// The program with all of its commands.
import { runCommand } from './run-command.ts';
import { specs } from './specs.ts';

export { answerCall } from './answer-call.ts';

/** Runs one command; returns the exit code. */
export const main = (argv: string[]): Promise<number> => runCommand(argv, specs);
