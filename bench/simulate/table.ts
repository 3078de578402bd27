import type { Contribution, CouncilState, Rules, Verdict, Ledger } from '../../src/council/state/state.ts';
import { newState } from '../../src/council/state/new-state.ts';
import { awaited } from '../../src/council/state/state.ts';
import { transition } from '../../src/council/machine/transition.ts';
import type { PhaseEvent } from '../../src/council/machine/transition.ts';
import type { RevealedText } from '../../src/council/machine/unseal.ts';
import { PHASES } from '../../src/council/state/choices.ts';
import type { PhaseName } from '../../src/council/state/choices.ts';

/** A council in memory: the real state, and contributions without texts. */
export interface Table {
  state: CouncilState;
  contributions: Contribution[];
  /** Milliseconds since the epoch; the table has a clock of its own. */
  now: number;
}

/** What one participant says in a phase; undefined for silence. */
export type Saying = Partial<Verdict> | undefined;

const HOUR = 3_600_000;
const COMMITMENT = 'f'.repeat(64);
const EMPTY: Verdict = { agreed: false, done: false, position: null, blocking: [] };

/** A blind council in COLLECT, as `council start` makes it in the mode "debate". */
export function openTable(conversationId: string, order: string[], rules: Omit<Rules, 'families'>): Table {
  const council = {
    conversationId,
    name: 'simulated',
    topic: '',
    mode: 'debate',
    phases: [...PHASES],
    phaseTimeout: HOUR,
    earlyConvergence: true,
    anonymous: true,
    quorum: 0.5,
    blind: true,
    lang: 'en' as const,
    rules: { ...rules, families: {} },
    participants: order.map((id) => ({ id, title: '', emoji: '', runner: 'command' as const })),
    coordinator: null,
  };
  const state = { ...newState(council, 0), revision: 1 };
  return { state, contributions: [], now: 0 };
}

/**
 * Plays the open phase: everybody speaks or stays silent, then it closes, by everybody's response or by the deadline.
 * Blind texts are sealed, and opened at the end. `ledger` is what the phase left behind.
 */
export function playPhase(table: Table, sayings: Saying[], ledger: Ledger, seed: string): Table {
  const { contributions } = table;
  const { currentPhase: phase, tour, order, blind, advocate } = table.state;
  const sealed = blind && phase === 'COLLECT';
  const texts: RevealedText[] = [];
  let { state, now } = table;
  order.forEach((by, i) => {
    const saying = sayings[i];
    if (!saying) return;
    const verdict: Verdict = { ...EMPTY, ...saying };
    const asked = advocate?.participant === by && advocate.tour === tour;
    // As in `respond`: what an advocate says on request is recorded, and is not its own.
    const own = asked ? { ...EMPTY, position: state.participants[by]!.position } : verdict;
    const respond: PhaseEvent = {
      type: 'respond',
      participant: by,
      tour,
      verdict: { ...own, position: own.position ?? state.participants[by]!.position },
      said: null,
      sealed: sealed ? { commitment: COMMITMENT, at: '' } : null,
      repeat: 'first',
      replace: false,
      leaseId: null,
    };
    state = next(state, respond, ++now);
    if (sealed) texts.push({ participant: by, phase, tour, at: '', salt: '', verdict, text: '' });
    contributions.push(contributionOf(by, phase, tour, verdict, asked));
  });
  if (awaited(state).length > 0) now = Date.parse(state.timeoutAt);
  state = next(state, { type: 'close', texts, missing: [], closeTour: () => ledger, seed }, ++now);
  return { state, contributions, now };
}

function next(state: CouncilState, event: PhaseEvent, now: number): CouncilState {
  // The contributions are counted outside: an experiment applies several rules to the same ones.
  const outcome = transition({ state, brief: '', contributions: [] }, event, now);
  if (!outcome.ok) throw new Error(`${event.type} was refused in ${state.currentPhase}: ${outcome.message}`);
  return outcome.council.state;
}

function contributionOf(
  by: string,
  phase: PhaseName,
  tour: number,
  verdict: Verdict,
  asked: boolean,
): Contribution {
  return {
    by,
    phase,
    tour,
    at: '',
    bytes: 0,
    sha256: '',
    text: '',
    ...(verdict.position !== null && { position: verdict.position }),
    ...(verdict.agreed && { agreed: true as const }),
    ...(verdict.blocking.length > 0 && { blocking: verdict.blocking }),
    ...(asked && { advocate: true as const }),
  };
}
