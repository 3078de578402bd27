import { describe, expect, it } from 'vitest';
import { transition } from '../../../../src/core/council/machine/transition.ts';
import { rewindToCollect } from '../../../../src/core/council/view/view.ts';
import type { Council } from '../../../../src/core/council/state/state.ts';
import { spoke } from '../../archive/sample.ts';
import { stateOf, START } from '../fixtures.ts';

const LAUNCH = '11111111-2222-4333-8444-555555555555';

const challenged = (over: Partial<Council['state']> = {}): Council => ({
  state: stateOf({ currentPhase: 'CHALLENGE', tour: 2, control: { kind: 'self', launched: [] }, ...over }, [
    'henry',
    'sage',
  ]),
  brief: '',
  contributions: [spoke('henry', 1, 'Yes.', { position: 'yes' })],
});
const launch = (council: Council, participant = 'henry') =>
  transition(council, { type: 'control', participant, launch: LAUNCH }, START);

describe('the control of a participant', () => {
  it('is noted once, for who has spoken blind, and moves nothing else', () => {
    const council = challenged();
    const noted = launch(council);
    if (!noted.ok) throw new Error(noted.message);
    const { control, updatedAt: _at, ...rest } = noted.council.state;
    expect(control).toEqual({ kind: 'self', launched: [{ participant: 'henry', launch: LAUNCH }] });
    const { control: _before, updatedAt: _then, ...before } = council.state;
    expect(rest).toEqual({ ...before, convergence: rest.convergence });
    expect(noted.notices).toEqual([]);
    expect(launch(noted.council)).toMatchObject({ ok: false, code: 'not_your_turn' });
  });

  it('is refused to who has not spoken, in another phase, and where there is none', () => {
    expect(launch(challenged(), 'sage')).toMatchObject({ ok: false });
    expect(launch(challenged({ currentPhase: 'RESOLVE' }))).toMatchObject({ ok: false });
    const { control: _none, ...plain } = challenged().state;
    expect(launch({ ...challenged(), state: plain })).toMatchObject({ ok: false });
  });

  it('sees the council as it was when COLLECT began', () => {
    const { state, contributions } = rewindToCollect(challenged());
    expect(contributions).toEqual([]);
    expect(state).toMatchObject({ currentPhase: 'COLLECT', tour: 1, ballot: [] });
  });
});
