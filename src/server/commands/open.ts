// Command `open`: says where the pages are.
import { open } from '../access/open.ts';
import type { OpenInput } from '../input/access.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const openCommand: Command<OpenInput> = async (cli, input) => {
  const result = await open(cli, { ...input, print: input.print || cli.json });
  const { pid, end } = result.document;
  if (!cli.json)
    cli.note(
      result.started
        ? `Server started in the background (stop: ${end})`
        : `The server is already running as process ${pid} (stop: ${end})`,
    );
  if (!result.opened && !cli.json) cli.note('This link works once, for one minute:');
  return toTextOutcome(result, result.opened ? 'The browser opens it.' : result.document.url);
};
