import { readCouncil } from '../../council/use/update-council.ts';
import { activeStates } from '../../app/active.ts';
import { errorDocument } from '../print.ts';
import { pausedIn } from '../../app/paused.ts';
import { stateDocument } from '../../app/result.ts';
import type { Command } from '../spec.ts';
import { summary } from '../summary.ts';
import { untrustedIn } from '../../app/untrusted.ts';
import { agentHealth, councilName, openWorkspace } from '../../app/workspace.ts';

export const statusCommand: Command = async (cli, _args, options) => {
  const workspace = openWorkspace(cli);
  const named = options.name === undefined ? undefined : await councilName(cli, workspace, options.name);
  const { states, unreadable } =
    named === undefined
      ? await activeStates(workspace)
      : { states: [(await readCouncil(workspace.ports, named)).council.state], unreadable: [] };
  for (const { name, error } of unreadable)
    cli.note(`council "${name}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  const book = agentHealth(cli, workspace);
  const councils = await Promise.all(
    states.map(async (state) => {
      const paused = await pausedIn(book, state);
      const waitingForTrust = await untrustedIn(cli, workspace, state);
      return {
        ...(await stateDocument(workspace, state)),
        ...(Object.keys(paused).length > 0 && { paused }),
        ...(waitingForTrust.length > 0 && { waitingForTrust }),
      };
    }),
  );
  const text = councils.map((council) => summary(council, cli)).join('\n\n');
  return {
    json: {
      councils,
      ...(unreadable.length > 0 && {
        unreadable: unreadable.map(({ name, error }) => ({ name, ...errorDocument(error) })),
      }),
    },
    text:
      text || (unreadable.length > 0 ? '' : 'No council is active. Start one with: council start "topic"'),
    exitCode: unreadable.length > 0 ? 1 : 0,
  };
};
