// Command `watch`: councils redrawn on a terminal, or a line for each change.
import type { StatusInput } from '../../app/input/council.ts';
import { watch } from '../../app/watch.ts';
import type { Ended, Seen } from '../../app/watch.ts';
import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { Cli } from '../io.ts';
import type { Command } from '../spec.ts';
import { oneLineSummary, summary } from '../summary.ts';

export const watchCommand: Command<StatusInput> = async (cli, input) => {
  if (cli.json)
    throw new CouncilError('usage', 'watch prints a stream, not one document.', {
      hint: 'For one document: council status --json. To wait: council wait --json',
    });
  await watch(cli, input, cli.live ? await screen(cli) : lines(cli, input.name));
  return { json: null, text: '' };
};

/** Draws everything anew on the terminal. */
async function screen(cli: Cli): Promise<(seen: Seen) => Promise<void>> {
  const { clearScreenDown, cursorTo } = await import('node:readline');
  return async ({ documents, ended }) => {
    const shown = [...ended.map(endLines), ...(await documents()).map((document) => summary(document, cli))];
    const isOver = ended.length > 0 && shown.length === ended.length;
    cursorTo(process.stdout, 0, 0);
    clearScreenDown(process.stdout);
    cli.show(`${shown.join('\n\n') || 'No council is active.'}\n${isOver ? '' : '\nCtrl-C to leave.\n'}`);
  };
}

/** One line for every revision. */
function lines(cli: Cli, only: string | undefined): (seen: Seen, isFirst: boolean) => void {
  const shown = new Map<string, number>();
  let told = 0;
  return ({ states, unreadable, ended }, isFirst) => {
    for (const { name, error } of unreadable) cli.note(`council "${name}": ${error.message}`);
    for (const state of states) {
      if (shown.get(state.conversationId) === state.revision) continue;
      shown.set(state.conversationId, state.revision);
      cli.show(`${oneLineSummary(state)}\n`);
    }
    for (const end of ended.slice(told)) cli.show(`${endLines(end)}\n`);
    told = ended.length;
    if (isFirst && shown.size === 0)
      cli.note(
        `No council ${only === undefined ? 'is' : `"${only}" is`} active: waiting for one. Ctrl-C to leave.`,
      );
  };
}

/** How a council ended, and where it is kept. */
function endLines({ name, topic, status, why, outcome, id, archive }: Ended): string {
  return [
    `The council "${name}" has ended: ${oneLine(topic)}`,
    `  ${why === null ? status : `${status}: ${oneLine(why)}`}`,
    ...(outcome === undefined ? [] : [`  ${oneLine(outcome, 500)}`]),
    `  Archive: ${archive}`,
    `  Read it with: council show ${id}`,
  ].join('\n');
}
