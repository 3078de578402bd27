// Command `watch`: councils redrawn on a terminal, one line per change, or one event per line.
import stringWidth from 'string-width';
import { loadServerClient } from '../../app/feature.ts';
import type { StatusInput } from '../../app/input/council.ts';
import { endEvent, toRevisionEvent } from '../../app/events.ts';
import { watch } from '../../app/watch.ts';
import type { EndedCouncil, WatchedCouncils } from '../../app/watch.ts';
import { toOneLine } from '../../base/text.ts';
import type { Cli } from '../io.ts';
import { printEvent } from '../print.ts';
import type { Command } from '../spec.ts';
import { renderOneLineSummary, renderSummary } from '../summary.ts';

export const performWatch: Command<StatusInput> = async (cli, input) => {
  const show = cli.json
    ? createEventWriter(cli)
    : cli.live
      ? await createScreenPainter(cli)
      : createLineWriter(cli, input.name);
  if (cli.serverUrl === undefined) await watch(cli, input, show);
  else {
    const client = await loadServerClient(cli);
    await client.watch(cli, { server: cli.serverUrl, only: input.name }, show);
  }
  return { json: undefined, text: '' };
};

/** Redraws everything on the terminal. */
async function createScreenPainter(cli: Cli): Promise<(seen: WatchedCouncils) => Promise<void>> {
  const { clearScreenDown, cursorTo } = await import('node:readline');
  return async ({ documents, ended }) => {
    const shown = [
      ...ended.map(endLines),
      ...(await documents()).map((document) => renderSummary(document, cli)),
    ];
    const isOver = ended.length > 0 && shown.length === ended.length;
    const lines = (shown.join('\n\n') || 'No council is active.').split('\n');
    cursorTo(process.stdout, 0, 0);
    clearScreenDown(process.stdout);
    // The last picture is not cut, since it can be scrolled.
    cli.show(isOver ? `${lines.join('\n')}\n` : `${fitToScreen(lines).join('\n')}\n\nCtrl-C to leave.\n`);
  };
}

/** Cuts the output to the screen height: lines scrolled off the screen could not be erased. */
function fitToScreen(lines: string[]): string[] {
  const [columns, rows] = process.stdout.getWindowSize();
  // Leaves room for an empty line, the hint about Ctrl-C, and the cursor; one line says that there is more.
  const room = (rows || 24) - 3;
  const taken = lines.map((line) => Math.max(1, Math.ceil(stringWidth(line) / (columns || 80))));
  if (taken.reduce((sum, count) => sum + count, 0) <= room) return lines;
  let left = room - 1;
  const end = taken.findIndex((count) => (left -= count) < 0);
  return [...lines.slice(0, end), `… ${lines.length - end} more lines`];
}

/** Prints one event per line, for programs: every revision, and how a council ended. */
function createEventWriter(cli: Cli): (seen: WatchedCouncils) => void {
  const shown = new Map<string, number>();
  let told = 0;
  return ({ states, unreadable, ended }) => {
    for (const { name, error } of unreadable) cli.note(`council "${name}": ${error.message}`);
    for (const state of states) {
      if (shown.get(state.conversationId) === state.revision) continue;
      shown.set(state.conversationId, state.revision);
      printEvent(toRevisionEvent(state));
    }
    for (const end of ended.slice(told)) printEvent(endEvent(end, Date.now()));
    told = ended.length;
  };
}

/** Prints one line per revision. */
function createLineWriter(
  cli: Cli,
  only: string | undefined,
): (seen: WatchedCouncils, isFirst: boolean) => void {
  const shown = new Map<string, number>();
  let told = 0;
  return ({ states, unreadable, ended }, isFirst) => {
    for (const { name, error } of unreadable) cli.note(`council "${name}": ${error.message}`);
    for (const state of states) {
      if (shown.get(state.conversationId) === state.revision) continue;
      shown.set(state.conversationId, state.revision);
      cli.show(`${renderOneLineSummary(state)}\n`);
    }
    for (const end of ended.slice(told)) cli.show(`${endLines(end)}\n`);
    told = ended.length;
    if (isFirst && shown.size === 0)
      cli.note(
        `No council ${only === undefined ? 'is' : `"${only}" is`} active: waiting for one. Ctrl-C to leave.`,
      );
  };
}

function endLines({ name, topic, status, why, outcome, id, archive }: EndedCouncil): string {
  return [
    `The council "${name}" has ended: ${toOneLine(topic)}`,
    `  ${why === null ? status : `${status}: ${toOneLine(why)}`}`,
    ...(outcome === undefined ? [] : [`  ${toOneLine(outcome, 500)}`]),
    `  Archive: ${archive}`,
    `  Read it with: council show ${id}`,
  ].join('\n');
}
