// Phase machine: the controls of a council, in which programs reconsider their own answer without the others.
import type { Council, CouncilState, Reservation } from '../state/state.ts';
import { accept, rejectEvent } from './transition-result.ts';
import type { TransitionResult } from './transition-result.ts';

/** The control of a participant's program begins. */
export interface ControlEvent {
  type: 'control';
  participant: string;
  /** What tells its launch from all others. */
  launch: string;
  /** What the budget sets aside for it. */
  reserves?: Reservation | undefined;
}

/** What a control said, as the private folder has it. */
export type ControlAnswer = NonNullable<NonNullable<CouncilState['control']>['answers']>[number];

/** The participants whose control has not been launched yet. Each gets one, and no phase waits for it. */
export function listMissingControls({ state, contributions }: Council): string[] {
  const { control, currentPhase, order } = state;
  if (!control || currentPhase !== 'CHALLENGE') return [];
  return order.filter(
    (id) =>
      contributions.some(({ by, phase }) => by === id && phase === 'COLLECT') &&
      !control.launched.some(({ participant }) => participant === id),
  );
}

/** Notes that a control is launched. It changes nothing that a phase, a vote or a prompt looks at. */
export function launchControl(council: Council, event: ControlEvent, now: number): TransitionResult {
  const { state } = council;
  const { participant, launch, reserves } = event;
  const { control, budget } = state;
  if (!control || !listMissingControls(council).includes(participant))
    return rejectEvent('not_your_turn', `${participant} has no control to come in ${state.currentPhase}.`);
  const next = {
    ...state,
    control: { ...control, launched: [...control.launched, { participant, launch }] },
    ...(budget && reserves && { budget: { ...budget, reserved: [...(budget.reserved ?? []), reserves] } }),
  };
  return accept({ ...council, state: next }, now);
}

/** What the controls said comes into the open with the closing revision. */
export const revealControls = (
  { control }: CouncilState,
  answers: readonly ControlAnswer[] = [],
): Pick<CouncilState, 'control'> =>
  control ? { control: { ...control, ...(answers.length > 0 && { answers: [...answers] }) } } : {};
