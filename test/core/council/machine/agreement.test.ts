import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../../../src/core/council/state/allowed-values.ts';
import { openBallot } from '../../../../src/core/council/state/ballot.ts';
import { createState } from '../../../../src/core/council/state/new-state.ts';
import { EMPTY_LEDGER } from '../../../../src/core/council/state/state.ts';
import type {
  Contribution,
  Council,
  CouncilState,
  Verdict,
} from '../../../../src/core/council/state/state.ts';
import { transition } from '../../../../src/core/council/machine/transition.ts';
import type { PhaseEvent } from '../../../../src/core/council/machine/transition.ts';
import { buildContribution } from '../../../../src/core/council/document/contribution.ts';
import { computeDecision } from '../../../../src/core/council/vote/outcome.ts';
import { rulesOf } from '../fixtures.ts';

/** What one participant says; undefined for silence. `vote` is drawn from the ballot by its place. */
type Saying =
  | {
      position?: string;
      vote?: number;
      approve?: number[];
      same?: number[];
      agreed?: boolean;
      blocking?: boolean;
    }
  | undefined;

const HOUR = 3_600_000;

function opened(over: Partial<CouncilState> = {}, seats = 3): Council {
  const state = createState(
    {
      conversationId: '00000000-0000-4000-8000-000000000000',
      name: 'test',
      topic: 'Which?',
      mode: 'debate',
      phases: ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'],
      phaseTimeout: HOUR,
      earlyConvergence: true,
      anonymous: false,
      quorum: 0.5,
      blind: true,
      lang: 'en',
      rules: rulesOf({ advocate: false }),
      participants: ['a', 'b', 'c', 'd', 'e']
        .slice(0, seats)
        .map((id) => ({ id, title: id, emoji: '', runner: 'human' })),
      coordinator: null,
    },
    0,
  );
  return { state: { ...state, ...over }, brief: '', contributions: [] };
}

function next(council: Council, event: PhaseEvent, now: number): Council {
  const result = transition(council, event, now);
  if (!result.ok) throw new Error(result.message);
  return result.council;
}

/** What is read of a saying: numbers that are on the ballot, and the sentence of the vote. */
function verdictOf({ state }: Council, saying: NonNullable<Saying>): Verdict {
  const ballot = openBallot(state) ?? [];
  const at = (place: number) => (ballot.length === 0 ? undefined : ballot[place % ballot.length]);
  const vote = saying.vote === undefined ? undefined : at(saying.vote);
  const approve = saying.approve?.flatMap((place) => at(place)?.id ?? []);
  const [x, y] = (saying.same ?? []).map((place) => at(place)?.id);
  const pair = x && y && x !== y ? [[x, y].sort() as [string, string]] : [];
  return {
    agreed: saying.agreed ?? false,
    done: false,
    position: vote?.position ?? saying.position ?? null,
    blocking: saying.blocking ? ['not so'] : [],
    ...(vote && { vote: vote.id }),
    ...(approve && { approve }),
    ...(pair.length > 0 && { same: pair }),
  };
}

/** Plays one phase through the machine. */
function phase(council: Council, sayings: Saying[]): Council {
  const { currentPhase, tour, order, blind, timeoutAt } = council.state;
  const isSealed = blind && currentPhase === 'COLLECT';
  const said = sayings.flatMap((saying, index) => {
    const by = order[index];
    if (!by || !saying) return [];
    const verdict = verdictOf(council, saying);
    return [{ by, verdict, text: `${by} in ${currentPhase}` }];
  });
  let now = Date.parse(council.state.updatedAt);
  let open = council;
  for (const { by, verdict, text } of said) {
    const contribution: Contribution = buildContribution({
      by,
      phase: currentPhase,
      tour,
      at: '',
      verdict,
      text,
    });
    const event: PhaseEvent = {
      type: 'respond',
      participant: by,
      tour,
      verdict,
      said: isSealed ? null : contribution,
      sealed: isSealed ? { commitment: 'f'.repeat(64), at: '' } : null,
      repeat: 'first',
      replace: false,
      leaseId: null,
    };
    open = next(open, event, ++now);
  }
  const texts = isSealed
    ? said.map(({ by, verdict, text }) => ({
        participant: by,
        phase: currentPhase,
        tour,
        at: '',
        salt: '',
        verdict,
        text,
      }))
    : [];
  const isLate = said.length < order.length;
  const at = isLate ? Date.parse(timeoutAt) + 1 : now + 1;
  return next(open, { type: 'close', texts, missing: [], closeTour: () => EMPTY_LEDGER, seed: 's' }, at);
}

const statusOf = (council: Council, ...phases: Saying[][]) => {
  let current = council;
  for (const sayings of phases)
    if (current.state.currentPhase !== 'SYNTHESIZE') current = phase(current, sayings);
  const { status, currentPhase, decision } = current.state;
  return {
    status,
    currentPhase,
    decided: decision?.decided,
    number: decision?.number,
    reason: decision?.reason,
  };
};
const all = (saying: NonNullable<Saying>, count = 3): Saying[] => Array.from({ length: count }, () => saying);

describe('a council that was opened before there were ballots', () => {
  it('goes on with sentences, and numbers nothing', () => {
    const { ballot: _none, ...old } = opened({}, 2).state;
    const council: Council = { state: { ...old, schema: 1 }, brief: '', contributions: [] };
    const collect = [{ position: 'x' }, { position: 'y' }];
    const voted = [collect, collect, [{ position: 'Y.' }, { position: 'y' }]].reduce(phase, council);
    expect(voted.state.ballot).toBeUndefined();
    expect(voted.state.decision).toMatchObject({ decided: true, position: 'Y.', votes: { 'Y.': 2 } });
    expect(voted.state.decision).not.toHaveProperty('number');
    expect(voted.state.decision).not.toHaveProperty('approvals');
  });
});

describe('agreement', () => {
  it('to one blind position ends the council, in any spelling', () => {
    const sayings = [{ position: 'build' }, { position: ' Build. ' }, { position: 'build' }];
    expect(statusOf(opened(), sayings)).toMatchObject({ status: 'CONVERGED', decided: true, number: 'P1' });
  });

  it.each<[string, Saying[], Partial<CouncilState>]>([
    ['somebody blocks', [{ position: 'x' }, { position: 'x' }, { position: 'x', blocking: true }], {}],
    ['nobody states a position', all({ agreed: true }), {}],
    ['the council is open', all({ position: 'x' }), { blind: false }],
    ['somebody is missing', [{ position: 'x' }, { position: 'x' }, undefined], {}],
    ['the mode plays all its phases', all({ position: 'x' }), { earlyConvergence: false }],
    ['CHALLENGE is forced', all({ position: 'x' }), { rules: rulesOf({ forceChallenge: true }) }],
    ['somebody differs', [{ position: 'x' }, { position: 'x' }, { position: 'y' }], {}],
    ['one of them states none', [{ position: 'x' }, { position: 'x' }, {}], {}],
    ['the rule decides nothing', all({ position: 'x' }), { rules: rulesOf({ rule: 'none' }) }],
    ['all say only that they agree', all({ agreed: true }), {}],
    [
      'they agree to different things',
      [
        { position: 'x', agreed: true },
        { position: 'y', agreed: true },
        { position: 'z', agreed: true },
      ],
      {},
    ],
  ])('ends no blind COLLECT when %s', (_, sayings, over) => {
    expect(statusOf(opened(over), sayings)).toMatchObject({ currentPhase: 'CHALLENGE', status: 'ACTIVE' });
  });

  it('with opposite votes is none, and the council does not converge', () => {
    const collect = [{ position: 'x' }, { position: 'y' }];
    const opposite = [
      { vote: 0, agreed: true },
      { vote: 1, agreed: true },
    ];
    const council = opened({ rules: rulesOf({ rule: 'consensus', advocate: false }) }, 2);
    expect(statusOf(council, collect, opposite)).toMatchObject({ currentPhase: 'RESOLVE' });
    expect(statusOf(council, collect, opposite, opposite)).toMatchObject({
      status: 'COMPLETED',
      decided: false,
      reason: 'differ',
    });
  });

  it('to what all can live with ends the council', () => {
    const collect = [{ position: 'x' }, { position: 'y' }];
    const votes = [
      { vote: 0, agreed: true },
      { vote: 1, approve: [0], agreed: true },
    ];
    const rules = rulesOf({ rule: 'consensus', advocate: false });
    expect(statusOf(opened({ rules }, 2), collect, votes)).toMatchObject({
      status: 'CONVERGED',
      decided: true,
      number: 'P1',
    });
  });

  it('of all to another position is none where the blind plurality stands, even if all can live with that', () => {
    const rules = rulesOf({ rule: 'blind-first', advocate: false });
    const collect = [{ position: 'x' }, { position: 'x' }, { position: 'y' }];
    const moved = all({ vote: 1, approve: [0], agreed: true });
    expect(statusOf(opened({ rules }), collect, moved)).toMatchObject({ currentPhase: 'RESOLVE' });
    expect(statusOf(opened({ rules }), collect, moved, moved)).toMatchObject({
      status: 'COMPLETED',
      decided: true,
      number: 'P1',
    });
    const stayed = all({ vote: 0, agreed: true });
    expect(statusOf(opened({ rules }), collect, stayed)).toMatchObject({ status: 'CONVERGED', number: 'P1' });
  });

  it('to texts in which nobody states a position is agreement as well, once they have been seen', () => {
    const rules = rulesOf({ rule: 'consensus', advocate: false });
    const both = all({ agreed: true }, 2);
    expect(statusOf(opened({ rules }, 2), both)).toMatchObject({ currentPhase: 'CHALLENGE' });
    expect(statusOf(opened({ rules }, 2), both, both)).toMatchObject({ status: 'CONVERGED', decided: true });
  });
});

const anySaying: fc.Arbitrary<Saying> = fc.option(
  fc.record(
    {
      position: fc.constantFrom('x', 'X.', 'y', 'z'),
      vote: fc.nat(5),
      approve: fc.array(fc.nat(5), { maxLength: 3 }),
      same: fc.tuple(fc.nat(5), fc.nat(5)).map((pair) => [...pair]),
      agreed: fc.constantFrom(true, true, false),
      blocking: fc.constantFrom(true, false, false, false, false, false),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 8 },
);

describe('a council, whatever is said in it', () => {
  it('has no status that contradicts its decision', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.array(anySaying, { minLength: 5, maxLength: 5 }), { minLength: 5, maxLength: 5 }),
        fc.constantFrom(...RULES),
        fc.boolean(),
        fc.option(fc.constant<string[]>(['x', 'y'])),
        (seats, sayings, rule, blind, options) => {
          let council = opened({ blind, rules: rulesOf({ rule, options, advocate: false }) }, seats);
          for (const one of sayings) {
            if (council.state.currentPhase === 'SYNTHESIZE') break;
            const declared = one.map((saying): Saying =>
              saying && options && !options.includes(saying.position ?? 'x')
                ? { ...saying, position: 'x' }
                : saying,
            );
            const before = council.state.ballot ?? [];
            council = phase(council, declared.slice(0, seats));
            // No number changes, and none is given twice.
            expect(council.state.ballot?.slice(0, before.length)).toEqual(before);
          }
          const { state } = council;
          expect(state.currentPhase).toBe('SYNTHESIZE');
          const decision = computeDecision(council);
          expect(state.decision).toEqual(decision);
          seen.add(`${state.status} ${decision.decided}`);
          const stated = council.contributions.some(({ position }) => position !== undefined);
          if (state.status === 'CONVERGED' && stated) {
            expect(decision.decided).toBe(true);
            expect(decision.position).not.toBeNull();
          }
          if (decision.tie) expect(state.status).not.toBe('CONVERGED');
        },
      ),
      { numRuns: Number(process.env.COUNCILS ?? 2000) },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(['CONVERGED true', 'COMPLETED true', 'COMPLETED false', 'TIMEOUT false']),
    );
  });
});
