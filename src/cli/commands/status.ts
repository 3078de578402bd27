// Command `status`.
import type { StatusInput } from '../../app/input/council.ts';
import { overview } from '../../app/overview.ts';
import { status } from '../../app/status.ts';
import { performed } from '../performed.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';
import { glimpse, summary } from '../summary.ts';

/** Nobody reads more councils than these line for line. */
const READ_WHOLE = 50;

export const statusCommand: Command<StatusInput> = async (cli, input) => {
  const many =
    cli.json || cli.server || input.name !== undefined ? undefined : await overview(cli, READ_WHOLE);
  if (many) {
    const { councils } = many.document;
    const last = `${councils.length} councils are active. More about one: council status --name NAME`;
    return told(many, [...councils.map((one) => glimpse(one, cli)), last].join('\n'));
  }
  const result = await performed(
    cli,
    () => status(cli, input),
    () => ({}),
  );
  const { councils, unreadable } = result.document;
  const text = councils.map((council) => summary(council, cli)).join('\n\n');
  return told(
    result,
    text || (unreadable ? '' : 'No council is active. Start one with: council start "topic"'),
  );
};
