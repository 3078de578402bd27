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
import { loadAgents, loadConfig, openWorkspace, findWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { isBlindNow } from '../council/state/state.ts';
import { readSealed } from '../council/use/seal.ts';
import { ignoreCodes } from '../base/errors.ts';
import { decodeText } from '../base/text.ts';
import { readText } from '../council/use/respond.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import type { Council } from '../council/state/state.ts';
import type { ReadBack } from '../council/view/read-back.ts';
import type { ReadInput } from './input/archive.ts';

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

export type { ReadBack };

export interface ReadDocument {
  phase: PhaseName;
  /** Null if no agent was named. */
  as: string | null;
  read: ReadBack;
}

/** Shows how a text would be read: as a contribution to the active council, or on its own without one. */
export async function previewContribution(app: App, input: ReadInput): Promise<Result<ReadDocument>> {
  const by = input.agent ?? null;
  const text = decodeText(await input.text.bytes(), 'The text');
  const council = await findCouncilToRead(app, input);
  if (council && by !== null) requireToken(council.state, by, app.env.COUNCIL_TOKEN);
  const phase = input.phase ?? council?.state.currentPhase ?? 'COLLECT';
  const round = council ? findLatestRound(council, phase) : 1;
  const warnings: string[] = [];
  const document = {
    phase,
    as: by,
    read: await readText(council, { by, phase, tour: round, text }, warnings),
  };
  for (const warning of warnings) app.note(`Note: ${warning}`);
  return { document };
}

/** Without a name, returns the active council or null; an unknown name is an error. */
async function findCouncilToRead(app: App, { name: given }: ReadInput): Promise<Council | null> {
  if (given === undefined && !findWorkspace(app)) return null;
  const workspace = openWorkspace(app);
  const name = await resolveCouncilName(workspace, given);
  const reading = readCouncil(workspace.ports, name);
  const found = await (given === undefined ? reading.catch(ignoreCodes('unknown_council')) : reading);
  return found?.council ?? null;
}

/** Returns the number of the last round with this phase, or of the open round if the phase was not played yet. */
const findLatestRound = ({ state }: Council, phase: PhaseName): number =>
  phase === state.currentPhase
    ? state.tour
    : (state.transitions.findLast(({ from }) => from === phase)?.tour ?? state.tour);
