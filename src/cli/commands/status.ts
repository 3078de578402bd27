// Command `status`.
import type { StatusInput } from '../../app/input/council.ts';
import { status } from '../../app/status.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';
import { summary } from '../summary.ts';

export const statusCommand: Command<StatusInput> = async (cli, input) => {
  const result = await status(cli, input);
  const { councils, unreadable } = result.document;
  const text = councils.map((council) => summary(council, cli)).join('\n\n');
  return told(
    result,
    text || (unreadable ? '' : 'No council is active. Start one with: council start "topic"'),
  );
};
