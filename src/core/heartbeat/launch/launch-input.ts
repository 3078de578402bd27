// Builds the input of a launch: the participant's view and persona.
import { placePersona } from '../../council/view/prompt.ts';
import { listRunnerIds } from '../../council/state/state.ts';
import type { CouncilState, Lease } from '../../council/state/state.ts';
import { readCouncil } from '../../council/use/council-access.ts';
import type { PreviousAnswer } from '../../council/view/repair-prompt.ts';
import type { View, ViewInput } from '../../council/view/view.ts';
import type { LaunchPorts } from './ports.ts';
import { getRunnerId } from './result.ts';
import type { LaunchIdentity } from './result.ts';
import type { Spool } from './spool.ts';

/** One question to a participant's program. */
export interface LaunchQuestion {
  spool: Spool;
  signal: AbortSignal;
  /** Why the previous launch's text was refused, if it was. */
  refused: string | undefined;
  /** Whether little of the contributions is shown, because the previous prompt was too long. */
  isShort?: boolean | undefined;
  /** Whether this process plays the next phase as soon as the open one is over. */
  goesOn?: boolean | undefined;
  /** As for the runner. */
  onBegin?: (() => void) | undefined;
  /** Set if it is asked again, under the same lease, for what its answer lacks. */
  again?: FollowUpQuestion;
}

export interface FollowUpQuestion extends PreviousAnswer {
  /** Milliseconds it may take. */
  timeout: number;
  /** Maximum bytes of output that are accepted. */
  maxOutput: number;
  /** When the previous answer ended, ISO 8601 UTC. */
  after: string;
}

/** Builds the input of a launch: its view, and the persona if its runner takes it separately. */
export async function buildLaunchInput(
  ports: LaunchPorts,
  launch: Omit<LaunchIdentity, 'lease'> & { lease: Pick<Lease, 'lender'> },
  {
    refused,
    isShort,
    again,
    isControl = false,
    isWhole = false,
    wholeTexts,
  }: Partial<Pick<LaunchQuestion, 'refused' | 'isShort' | 'again'>> &
    Pick<ViewInput, 'wholeTexts'> & { isControl?: boolean; isWhole?: boolean },
) {
  const own = ports.agents.require(getRunnerId(launch));
  const { participant, lease } = launch;
  const { council } = await readCouncil(ports, launch.state.name);
  const { mode, houseRules, ...known } = await ports.guidance(council.state, participant);
  // Only the runner is borrowed; the persona stays with its owner.
  const persona = lease.lender === undefined ? (known.persona ?? own.persona) : '';
  const seated = listRunnersOfSeats(council.state).flatMap((id) => ports.agents.find(id) ?? []);
  const { system, ...placed } = placePersona(own, seated, persona, council.state.lang);
  const reading = await ports.modeReading?.(council.state.mode);
  const extent = isWhole ? ('full' as const) : isShort ? ('short' as const) : undefined;
  const input = { council, participant, ...placed, houseRules, mode, reading, extent, wholeTexts };
  const view = isControl
    ? (await import('../../council/view/view.ts')).buildControlView(input)
    : await buildLaunchView(input, refused, again);
  return { council, view, persona, system, own };
}

/** Returns each seat's runner; for a coordinator that borrows, its first choice. */
function listRunnersOfSeats(state: CouncilState): string[] {
  const seats = [...state.order, ...(state.coordinator ? [state.coordinator] : [])];
  return seats.map((id) => listRunnerIds(state, id)[0]!);
}

/** Builds the view for a launch. Imports on demand what loads the Markdown parser: most ticks need none. */
async function buildLaunchView(
  input: ViewInput,
  refused: string | undefined,
  again: FollowUpQuestion | undefined,
): Promise<View & { again?: PreviousAnswer }> {
  const { viewFor } = await import('../../council/view/view.ts');
  const view = viewFor(input);
  const { lang } = input.council.state;
  const { addRefusal, repairPrompt } = await import('../../council/view/repair-prompt.ts');
  if (!again) return refused ? { ...view, prompt: addRefusal(view.prompt, refused, lang) } : view;
  const { said, read } = again;
  return { ...view, prompt: repairPrompt(input, view, { said, read }), again: { said, read } };
}
