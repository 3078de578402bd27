import { requireId } from '../../base/ids.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { requireToken } from '../../council/use/identity.ts';
import { viewFor } from '../../council/view/view.ts';
import type { Command } from '../spec.ts';
import { modeLoader } from '../../app/modes.ts';
import { councilName, loadAgents, loadConfig, openWorkspace } from '../../app/workspace.ts';

export const viewCommand: Command = async (cli, [agent], options) => {
  const participant = requireId(agent!, 'agent id');
  const workspace = openWorkspace(cli);
  const name = await councilName(cli, workspace, options.name);
  const { council } = await readCouncil(workspace.ports, name);
  requireToken(council.state, participant, cli.env.COUNCIL_TOKEN);
  const [config, agents] = await Promise.all([loadConfig(cli, workspace, {}), loadAgents(cli, workspace)]);
  const persona = agents.find(participant)?.persona ?? '';
  const view = viewFor({
    council,
    participant,
    persona,
    houseRules: config.houseRules,
    mode: modeLoader(workspace.project)(council.state.mode),
  });
  return { json: view, text: view.prompt };
};
