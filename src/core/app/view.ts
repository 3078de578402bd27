// Use case `view`: the prompt that a participant would get now, and its recorded text.
import { requireToken } from '../council/use/participant-tokens.ts';
import { readCouncil } from '../council/use/council-access.ts';
import { viewFor } from '../council/view/view.ts';
import type { View } from '../council/view/view.ts';
import type { Language } from '../base/words/words.ts';
import type { App, Result } from './app.ts';
import type { ViewInput } from './input/council.ts';
import { createPinPorts } from './pinned-guidance.ts';
import { resolveCouncilName } from './council-reference.ts';
import { loadAgents, loadConfig, openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { isBlindNow } from '../council/state/state.ts';
import { readSealed } from '../council/use/seal.ts';

export type { View };

/** What a participant may see now: the prompt that it would get. */
export async function viewCouncil(
  app: App,
  { agent: participant, name: given, full = false }: Omit<ViewInput, 'full'> & Partial<ViewInput>,
): Promise<Result<View> & { lang: Language }> {
  const workspace = openWorkspace(app);
  const name = await resolveCouncilName(workspace, given);
  const { council } = await readCouncil(workspace.ports, name);
  requireToken(council.state, participant, app.env.COUNCIL_TOKEN);
  const [config, agents] = await Promise.all([loadConfig(app, workspace, {}), loadAgents(app, workspace)]);
  const { guidance } = createPinPorts(app, workspace, { agents, houseRules: config.houseRules });
  const { mode, houseRules, persona = '' } = await guidance(council.state, participant);
  const reading = await workspace.ports.modeReading?.(council.state.mode);
  const document = viewFor({
    council,
    participant,
    persona,
    houseRules,
    mode,
    reading,
    extent: full ? 'full' : 'mode',
  });
  return { document, lang: council.state.lang };
}

/**
 * Text that `participant` has recorded in the open round, unchanged, even if sealed: only for that
 * seat. Null if there is none.
 */
export async function findRecordedText(
  { ports }: Workspace,
  name: string,
  participant: string,
): Promise<string | null> {
  const { state, contributions } = (await readCouncil(ports, name)).council;
  const said = isBlindNow(state)
    ? await readSealed(state, participant, ports.privateFiles)
    : contributions.find(({ by, tour }) => by === participant && tour === state.tour);
  return said?.text ?? null;
}
