// Command `start`.
import { coordinatorInWords } from '../../app/coordinator.ts';
import { loadServerClient } from '../../app/feature.ts';
import { tokenLines } from '../../app/convene.ts';
import type { StartInput } from '../../app/input/council.ts';
import { start } from '../../app/start.ts';
import type { StartResult } from '../../app/start.ts';
import type { Cli } from '../io.ts';
import { formatDueTime } from '../../base/local-time.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

export const startCommand: Command<StartInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => start(cli, input),
    ({ name }) => stateElsewhere(cli, name),
  );
  const { name, path, phase, tour, timeoutAt, tokens } = result.document;
  const { topic, order } = result.state;
  return toldInLines(
    result,
    [
      `The council "${name}" is open: ${topic}`,
      `  ${phase}, round ${tour}; deadline ${formatDueTime(timeoutAt, Date.now())}. Participants: ${order.join(', ')}. Coordinator: ${coordinatorInWords(result.state)}.`,
      `  ${path}`,
      ...tokenLines(tokens ?? {}),
      cli.server
        ? 'Next: council respond AGENT (people), council watch. Agents are launched where the project is: council tick, or council heartbeat.'
        : 'Next: council tick (launches agents), council respond AGENT (people), council watch.',
    ].join('\n'),
  );
};

/** The council that a server has opened, as its status tells it. */
async function stateElsewhere(cli: Cli, name: string): Promise<Pick<StartResult, 'state'>> {
  const { ask } = await loadServerClient(cli);
  const { document } = await ask(cli, { server: cli.serverUrl ?? '', command: 'status', input: { name } });
  const [state] = (document as { councils: [StartResult['state']] }).councils;
  return { state };
}
