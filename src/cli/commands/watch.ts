// Command `watch`: councils redrawn on a terminal, a line for each change, or one event a line.
import type { StatusInput } from '../../app/input/council.ts';
import { endEvent, revisionEvent } from '../../app/events.ts';
import { watch } from '../../app/watch.ts';
import type { Ended, Seen } from '../../app/watch.ts';
import { oneLine } from '../../base/text.ts';
import type { Cli } from '../io.ts';
import { printEvent } from '../print.ts';
import type { Command } from '../spec.ts';
import { oneLineSummary, summary } from '../summary.ts';

export const watchCommand: Command<StatusInput> = async (cli, input) => {
  await watch(cli, input, cli.json ? events(cli) : cli.live ? await screen(cli) : lines(cli, input.name));
  return { json: undefined, text: '' };
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

/** One event a line, for programs: every revision, and how a council ended. */
function events(cli: Cli): (seen: Seen) => void {
  const shown = new Map<string, number>();
  let told = 0;
  return ({ states, unreadable, ended }) => {
    for (const { name, error } of unreadable) cli.note(`council "${name}": ${error.message}`);
    for (const state of states) {
      if (shown.get(state.conversationId) === state.revision) continue;
      shown.set(state.conversationId, state.revision);
      printEvent(revisionEvent(state));
    }
    for (const end of ended.slice(told)) printEvent(endEvent(end, Date.now()));
    told = ended.length;
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
