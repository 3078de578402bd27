import { createNameResolver } from '../../src/core/council/naming/labels.ts';
import { closeRound } from '../../src/core/council/ledger/ledger.ts';
import { drawMarker } from '../../src/core/council/machine/unseal.ts';
import { computeDecision } from '../../src/core/council/vote/outcome.ts';
import type { Council } from '../../src/core/council/state/state.ts';
import { PHASES } from '../../src/core/council/state/allowed-values.ts';
import type { PhaseName } from '../../src/core/council/state/allowed-values.ts';

/** The council at the beginning of `phase`, with everything said before it in its ledger, as closing each tour leaves it. */
export function playedTo(phase: PhaseName, council: Council): Council {
  const played = PHASES.slice(0, PHASES.indexOf(phase));
  const end = played.reduce((now, closing, at): Council => {
    const tour = at + 1;
    const ledger = closeRound(now, { phase: closing, tour }, createNameResolver(now.state));
    const to = PHASES[tour]!;
    const transitions = [
      ...now.state.transitions,
      { from: closing, to, reason: 'all-responded' as const, tour, at: '2026-03-01T10:20:00.000Z' },
    ];
    const reveals = [...(now.state.reveals ?? []), { tour, marker: drawMarker(`seed ${tour}`) }];
    const state = { ...now.state, ledger, transitions, reveals, currentPhase: to, tour: tour + 1 };
    return { ...now, state };
  }, council);
  return phase === 'SYNTHESIZE' ? { ...end, state: { ...end.state, decision: computeDecision(end) } } : end;
}
