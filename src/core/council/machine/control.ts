// Phase machine: controls, in which programs reconsider their own answer without the others.
import type { Council, CouncilState, Reservation } from '../state/state.ts';
import { acceptEvent, rejectEvent } from './transition-result.ts';
import type { TransitionResult } from './transition-result.ts';

/** Starts the control of a participant's program. */
export interface ControlEvent {
  type: 'control';
  participant: string;
  /** Unique id of the launch. */
  launch: string;
  /** The budget reserved for it. */
  reserves?: Reservation | undefined;
}

/** The answer of a control, from the private folder. */
export type ControlAnswer = NonNullable<NonNullable<CouncilState['control']>['answers']>[number];

/** Returns the participants whose control has not been launched. Each gets one, and no phase waits for it. */
export function listMissingControls({ state, contributions }: Council): string[] {
  const { control, currentPhase, order } = state;
  if (!control || currentPhase !== 'CHALLENGE') return [];
  return order.filter(
    (id) =>
      contributions.some(({ by, phase }) => by === id && phase === 'COLLECT') &&
      !control.launched.some(({ participant }) => participant === id),
  );
}

/** Records the launch of a control. This affects no phase, vote or prompt. */
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
  return acceptEvent({ ...council, state: next }, now);
}

/** Publishes the controls' answers with the closing revision. */
export const revealControls = (
  { control }: CouncilState,
  answers: readonly ControlAnswer[] = [],
): Pick<CouncilState, 'control'> =>
  control ? { control: { ...control, ...(answers.length > 0 && { answers: [...answers] }) } } : {};
