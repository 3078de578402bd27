// Use case `read`: shows how council reads a text, without recording it.
import { CouncilError } from '../base/errors.ts';
import { decodeText } from '../base/text.ts';
import { requireToken } from '../council/use/participant-tokens.ts';
import { readText } from '../council/use/respond.ts';
import { readCouncil } from '../council/use/council-access.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import type { Council } from '../council/state/state.ts';
import type { ReadBack } from '../council/view/read-back.ts';
import type { App, Result } from './app.ts';
import type { ReadInput } from './input/read.ts';
import { resolveCouncilName } from './council-reference.ts';
import { findWorkspace, openWorkspace } from './workspace.ts';

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
  try {
    return (await readCouncil(workspace.ports, name)).council;
  } catch (error) {
    const isNone = error instanceof CouncilError && error.code === 'unknown_council' && given === undefined;
    if (isNone) return null;
    throw error;
  }
}

/** Returns the number of the last round with this phase, or of the open round if the phase was not played yet. */
const findLatestRound = ({ state }: Council, phase: PhaseName): number =>
  phase === state.currentPhase
    ? state.tour
    : (state.transitions.findLast(({ from }) => from === phase)?.tour ?? state.tour);
