import { running } from '../agents/runners/running.ts';
import { CouncilError } from '../base/errors.ts';
import { atWork } from '../heartbeat/at-work.ts';
import type { Cli } from './io.ts';
import { printError } from './print.ts';

/** Asks to be interrupted. Says then that it takes a moment, if something runs: programs may take two seconds to end. */
export function interruptible(cli: Cli): AbortSignal {
  const signal = cli.interruption();
  const say = (): void => {
    if (running.size > 0 || atWork.size > 0)
      cli.note('Ending what still runs; Ctrl-C once more leaves at once.');
  };
  // A caller that cancels has no keyboard here.
  if (cli.via !== 'mcp') signal.addEventListener('abort', say, { once: true });
  return signal;
}

/** From now on whoever leaves at once is told how to go on as well. */
export const tellOnLeaving = (cli: Cli, resume: string): void =>
  cli.onLeaving(() => void printError(interrupted(resume), cli.json));

/** The error of a command that Ctrl-C or SIGTERM ended; `resume` is the command that goes on. */
export const interrupted = (resume: string): CouncilError =>
  new CouncilError('interrupted', 'Interrupted. Everything that was recorded is kept.', {
    hint: `Go on with: ${resume}`,
  });
