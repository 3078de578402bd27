// Command `wait`.
import type { WaitInput } from '../../app/input/council.ts';
import { wait } from '../../app/wait.ts';
import { performed } from '../performed.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const waitCommand: Command<WaitInput> = async (cli, input) => {
  const result = await performed(
    cli,
    () => wait(cli, input),
    () => ({}),
  );
  const { name, phase, tour, archived } = result.document;
  return told(result, archived ? `${name} is archived.` : `${name}: ${phase}, round ${tour}.`);
};
