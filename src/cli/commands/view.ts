// Command `view`.
import type { ViewInput } from '../../app/input/council.ts';
import { view } from '../../app/view.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const viewCommand: Command<ViewInput> = async (cli, input) => {
  const result = await view(cli, input);
  return told(result, result.document.prompt);
};
