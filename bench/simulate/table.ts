import { contributionOf } from '../../src/council/document/contribution.ts';
import type { Council, Rules, Verdict, Ledger } from '../../src/council/state/state.ts';
import { newState } from '../../src/council/state/new-state.ts';
import { awaited } from '../../src/council/state/state.ts';
import { transition } from '../../src/council/machine/transition.ts';
import type { PhaseEvent } from '../../src/council/machine/transition.ts';
import type { RevealedText } from '../../src/council/machine/unseal.ts';
import { PHASES } from '../../src/council/state/choices.ts';

/** A council in memory: the real state, and contributions without texts. */
export interface Table extends Pick<Council, 'state' | 'contributions'> {
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
  const { currentPhase: phase, tour, order, blind, advocate } = table.state;
  const sealed = blind && phase === 'COLLECT';
  const texts: RevealedText[] = [];
  let { now, ...heard } = table;
  order.forEach((by, i) => {
    const saying = sayings[i];
    if (!saying) return;
    const isAsked = advocate?.participant === by && advocate.tour === tour;
    // As in `respond`: what an advocate says on request is in its text, and is not its own.
    const verdict: Verdict = isAsked ? EMPTY : { ...EMPTY, ...saying };
    const facts = { by, phase, tour, at: '', verdict, text: '' };
    const respond: PhaseEvent = {
      type: 'respond',
      participant: by,
      tour,
      verdict,
      said: sealed ? null : contributionOf({ ...facts, ...(isAsked && { advocate: true }) }),
      sealed: sealed ? { commitment: COMMITMENT, at: '' } : null,
      repeat: 'first',
      replace: false,
      leaseId: null,
    };
    heard = next(heard, respond, ++now);
    if (sealed) texts.push({ participant: by, phase, tour, at: '', salt: '', verdict, text: '' });
  });
  if (awaited(heard.state).length > 0) now = Date.parse(heard.state.timeoutAt);
  heard = next(heard, { type: 'close', texts, missing: [], closeTour: () => ledger, seed }, ++now);
  return { ...heard, now };
}

function next(heard: Omit<Table, 'now'>, event: PhaseEvent, now: number): Omit<Table, 'now'> {
  const outcome = transition({ ...heard, brief: '' }, event, now);
  if (!outcome.ok)
    throw new Error(`${event.type} was refused in ${heard.state.currentPhase}: ${outcome.message}`);
  const { state, contributions } = outcome.council;
  return { state, contributions };
}
