import { describe, expect, it } from 'vitest';
import { composeArchive } from '../../../../src/core/archive/compose-archive.ts';
import { decide } from '../../../../src/core/council/vote/decision.ts';
import { measureText } from '../../../../src/core/council/document/markers.ts';
import { computeMetrics } from '../../../../src/core/council/vote/metrics.ts';
import type { LedgerFacts, MetricsInput } from '../../../../src/core/council/vote/metrics.ts';
import type { Contribution, CouncilState, Transition } from '../../../../src/core/council/state/state.ts';
import { collectVotes } from '../../../../src/core/council/vote/votes.ts';
import { START, stateOf } from '../fixtures.ts';
import type { PhaseName } from '../../../../src/core/council/state/allowed-values.ts';

const said = (
  by: string,
  phase: PhaseName,
  tour: number,
  position?: string,
  over: Partial<Contribution> = {},
): Contribution => {
  const text = `${by} in ${phase}`;
  return {
    by,
    phase,
    tour,
    at: new Date(START).toISOString(),
    ...measureText(text),
    ...(position && { position }),
    text,
    ...over,
  };
};
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
const closed = (from: PhaseName, to: Transition['to'], tour: number, minutes: number): Transition => ({
  from,
  to,
  reason: 'all-responded',
  tour,
  at: at(minutes),
});

const TRANSITIONS = [
  closed('COLLECT', 'CHALLENGE', 1, 10),
  closed('CHALLENGE', 'RESOLVE', 2, 15),
  closed('RESOLVE', 'SYNTHESIZE', 3, 40),
  closed('SYNTHESIZE', 'ARCHIVED', 4, 41),
];
const state = (over: Partial<CouncilState> = {}): CouncilState =>
  stateOf({ createdAt: at(0), transitions: TRANSITIONS, tour: 4, currentPhase: 'SYNTHESIZE', ...over }, [
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);

// a and b hold x, c and d hold y, e was never heard in COLLECT; c then follows x for a reason, d for none.
const CONTRIBUTIONS = [
  said('a', 'COLLECT', 1, 'x'),
  said('b', 'COLLECT', 1, 'X.'),
  said('c', 'COLLECT', 1, 'y'),
  said('d', 'COLLECT', 1, 'y'),
  said('a', 'CHALLENGE', 2, 'x'),
  said('e', 'CHALLENGE', 2, 'x'),
  said('c', 'CHALLENGE', 2, 'x'),
  said('d', 'RESOLVE', 3, 'x'),
  said('a', 'RESOLVE', 3, 'x', { done: true }),
];
const LEDGER: LedgerFacts = {
  challenges: [
    { quote: 'verified', status: 'answered' },
    { quote: 'verified', status: 'conceded' },
    { quote: 'not_found', status: 'unanswered' },
    { quote: 'none', status: 'rejected' },
    { quote: 'none', status: 'unanswered' },
  ],
  moves: [
    { by: 'c', from: 'y', to: 'x', tour: 2, explained: true },
    { by: 'd', from: 'y', to: 'X.', tour: 3, explained: false },
  ],
};
const input = (over: Partial<MetricsInput> = {}): MetricsInput => {
  const votes = collectVotes({ state: state(), contributions: CONTRIBUTIONS }, { upTo: 3 });
  const decision = decide({
    votes,
    order: state().order,
    rule: 'majority',
    quorum: 0.5,
    vetoes: [],
    options: null,
  });
  return { state: state(), contributions: CONTRIBUTIONS, ledger: LEDGER, decision, ...over };
};

describe('metricsOf', () => {
  it('measures a council that has ended', () => {
    const families = { a: 'gpt', b: 'gpt', c: 'claude', d: null };
    expect(computeMetrics(input({ families, tokens: 1200, cost: 0.4 }))).toEqual({
      responseRate: { COLLECT: 0.8, CHALLENGE: 0.6, RESOLVE: 0.4, SYNTHESIZE: null },
      flips: { explained: 1, unexplained: 1, towardsMajority: 1 },
      quotes: { verified: 2, elsewhere: 0, near: 0, notFound: 1, total: 3 },
      challenges: { answered: 1, conceded: 1, rejected: 1, unanswered: 2 },
      minority: { kept: [], lost: ['y'] },
      effectiveVotes: 3.31,
      ballot: [],
      blindVote: { x: 2, y: 2 },
      finalVote: { x: 5 },
      decision: {
        decided: true,
        position: 'x',
        rule: 'majority',
        denominator: 5,
        tie: false,
        quorum: { needed: 3, present: 5, met: true },
      },
      durations: { COLLECT: 600, CHALLENGE: 300, RESOLVE: 1500, SYNTHESIZE: 60 },
      tokens: 1200,
      cost: 0.4,
      synthesis: null,
    });
  });

  it('gives the same figures from the archive, whose front matter holds no state', () => {
    const closing = { path: 'conseils/2026-02-08-x.md', at: at(41), why: null };
    const { meta, contributions } = composeArchive(
      { state: state({ closing }), brief: '', contributions: CONTRIBUTIONS },
      [],
    );
    const { blind, coordinator, transitions, startedAt } = meta;
    const rebuilt = {
      order: meta.participants.map(({ id }) => id),
      blind,
      coordinator,
      transitions,
      createdAt: startedAt,
      ballot: meta.ballot,
    };
    expect(computeMetrics(input({ state: rebuilt, contributions }))).toEqual(computeMetrics(input()));
  });

  it('knows nothing while COLLECT is open, and says null, not 0', () => {
    const open = computeMetrics({
      state: state({ transitions: [], tour: 1, currentPhase: 'COLLECT' }),
      contributions: [],
      ledger: { challenges: [], moves: [] },
      decision: null,
      families: { a: 'gpt' },
    });
    expect(open).toEqual({
      responseRate: { COLLECT: null },
      flips: { explained: null, unexplained: null, towardsMajority: null },
      quotes: { verified: null, elsewhere: null, near: null, notFound: null, total: null },
      challenges: { answered: null, conceded: null, rejected: null, unanswered: null },
      minority: { kept: null, lost: null },
      effectiveVotes: null,
      ballot: null,
      blindVote: null,
      finalVote: null,
      decision: { decided: null, position: null, rule: null, denominator: null, tie: null, quorum: null },
      durations: { COLLECT: null },
      tokens: null,
      cost: null,
      synthesis: null,
    });
  });

  it('knows of a phase only after it has closed', () => {
    const inResolve = computeMetrics(
      input({ state: state({ transitions: TRANSITIONS.slice(0, 2), tour: 3, currentPhase: 'RESOLVE' }) }),
    );
    expect(inResolve).toMatchObject({
      responseRate: { COLLECT: 0.8, CHALLENGE: 0.6, RESOLVE: null },
      durations: { COLLECT: 600, CHALLENGE: 300, RESOLVE: null },
      quotes: { total: 3 },
      challenges: { answered: null, unanswered: null },
      // What d said in the open phase does not count yet.
      finalVote: { x: 4, y: 1 },
    });
    const inChallenge = computeMetrics(
      input({ state: state({ transitions: TRANSITIONS.slice(0, 1), tour: 2, currentPhase: 'CHALLENGE' }) }),
    );
    expect(inChallenge).toMatchObject({
      flips: { explained: null, unexplained: null },
      quotes: { total: null },
      finalVote: { 'X.': 2, y: 2 },
    });
  });

  it('says true zeros where something could have happened and did not', () => {
    const quiet = computeMetrics(input({ ledger: { challenges: [], moves: [] } }));
    expect([quiet.flips, quiet.quotes, quiet.challenges]).toEqual([
      { explained: 0, unexplained: 0, towardsMajority: 0 },
      { verified: 0, elsewhere: 0, near: 0, notFound: 0, total: 0 },
      { answered: 0, conceded: 0, rejected: 0, unanswered: 0 },
    ]);
    const none = computeMetrics(input({ ledger: null }));
    expect([none.flips.explained, none.quotes.total, none.challenges.answered]).toEqual([null, null, null]);
  });

  it('has no blind vote after an open start, and no effective votes without a known family', () => {
    expect(computeMetrics(input({ state: state({ blind: false }) }))).toMatchObject({
      blindVote: null,
      finalVote: { x: 5 },
      minority: { lost: ['y'] },
    });
    expect(computeMetrics(input()).effectiveVotes).toBeNull();
    expect(computeMetrics(input({ families: { toString: 'gpt' } })).effectiveVotes).toBeNull();
    expect(computeMetrics(input({ families: { a: 'gpt' }, recused: ['a'] })).effectiveVotes).toBeNull();
  });

  it('leaves the recused and the advocate out of votes and flips', () => {
    const recused = computeMetrics(input({ recused: ['a', 'b'], options: ['x', 'y'] }));
    expect([recused.blindVote, recused.finalVote]).toEqual([{ y: 2 }, { x: 3 }]);
    const silenced = {
      ...LEDGER,
      moves: [...LEDGER.moves, { by: 'a', from: 'x', to: null, tour: 3, explained: true }],
    };
    expect(computeMetrics(input({ ledger: silenced })).flips).toEqual({
      explained: 2,
      unexplained: 1,
      towardsMajority: 1,
    });
    expect(computeMetrics(input({ advocates: [{ by: 'd', tour: 3 }] })).flips).toEqual({
      explained: 1,
      unexplained: 0,
      towardsMajority: 0,
    });
  });

  it('adds up repeated phases, counts the coordinator in SYNTHESIZE, and makes no negative time', () => {
    const transitions = [
      closed('COLLECT', 'CHALLENGE', 1, 10),
      closed('CHALLENGE', 'RESOLVE', 2, 5),
      closed('RESOLVE', 'CHALLENGE', 3, 15),
      closed('CHALLENGE', 'RESOLVE', 4, 20),
      closed('RESOLVE', 'SYNTHESIZE', 5, 30),
      closed('SYNTHESIZE', 'ARCHIVED', 6, 31),
    ];
    const contributions = [
      said('a', 'CHALLENGE', 2),
      said('b', 'CHALLENGE', 4),
      said('maman', 'SYNTHESIZE', 6),
    ];
    const council = { ...state({ transitions }), coordinator: 'maman' };
    expect(computeMetrics(input({ state: council, contributions }))).toMatchObject({
      durations: { COLLECT: 600, CHALLENGE: 300, RESOLVE: 1200, SYNTHESIZE: 60 },
      responseRate: { COLLECT: 0, CHALLENGE: 0.2, RESOLVE: 0, SYNTHESIZE: 1 },
    });
  });

  it('counts who was done as heard in the phases that follow', () => {
    const contributions = [
      said('a', 'COLLECT', 1, 'x', { done: true }),
      said('b', 'RESOLVE', 3, 'x', { done: true }),
    ];
    expect(computeMetrics(input({ contributions })).responseRate).toMatchObject({
      COLLECT: 0.2,
      CHALLENGE: 0.2,
      RESOLVE: 0.4,
    });
  });
});
