// Command `wait`.
import type { WaitInput } from '../../app/input/council.ts';
import { wait } from '../../app/wait.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const waitCommand: Command<WaitInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => wait(cli, input),
    () => ({}),
  );
  const { name, phase, tour, archived } = result.document;
  return toTextOutcome(result, archived ? `${name} is archived.` : `${name}: ${phase}, round ${tour}.`);
};
