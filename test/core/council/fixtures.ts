import fc from 'fast-check';
import { measureText } from '../../../src/core/council/document/markers.ts';
import type {
  Contribution,
  Council,
  CouncilState,
  Participant,
  Rules,
} from '../../../src/core/council/state/state.ts';
import type { PhaseName } from '../../../src/core/council/state/allowed-values.ts';
import { RULES, PHASES } from '../../../src/core/council/state/allowed-values.ts';
import { createParticipant, createState } from '../../../src/core/council/state/new-state.ts';
import { transition } from '../../../src/core/council/machine/transition.ts';
import type { PhaseEvent, TransitionResult } from '../../../src/core/council/machine/transition.ts';
import type { Clocks } from '../../../src/core/base/clock.ts';

export const START = Date.parse('2026-02-08T20:00:00.000Z');
export const HOUR = 3_600_000;

const SOMEBODY = { title: 'Title', emoji: '🦉', runner: 'human' } as const;

export const participant = (over: Partial<Participant> = {}): Participant => ({
  ...createParticipant(SOMEBODY),
  ...over,
});

export const rulesOf = (over: Partial<Rules> = {}): Rules => ({
  rule: 'majority',
  options: null,
  vetoes: [],
  recused: [],
  weighted: false,
  repeat: 1,
  forceChallenge: false,
  advocate: true,
  families: {},
  ...over,
});

/** A council that has just been started, with participants a, b, c and, on request, a coordinator "maman". */
export function stateOf(over: Partial<CouncilState> = {}, ids = ['a', 'b', 'c']): CouncilState {
  const council = {
    conversationId: '11111111-2222-4333-8444-555555555555',
    name: 'test',
    topic: 'A topic',
    mode: 'debate',
    phases: [...PHASES],
    phaseTimeout: HOUR,
    earlyConvergence: true,
    anonymous: true,
    quorum: 0.5,
    blind: true,
    lang: 'en' as const,
    rules: rulesOf(),
    participants: ids.map((id) => ({ ...SOMEBODY, id, title: id.toUpperCase() })),
    coordinator: null,
  };
  const change = { action: 'start', by: null, actor: 'me@here via test' };
  return { ...createState(council, START), revision: 1, change, ...over };
}

export const withCoordinator = (over: Partial<CouncilState> = {}): CouncilState =>
  stateOf({ coordinator: 'maman', synthesizer: participant({ title: 'Maman' }), ...over });

/** An event of a council of whose contributions nothing is known; the next state stands beside the next council. */
export function transitionOf(
  state: CouncilState,
  event: PhaseEvent,
  now: number,
  clocks?: Clocks,
): (TransitionResult & { ok: false }) | (TransitionResult & { ok: true; state: CouncilState }) {
  const result = transition({ state, brief: '', contributions: [] }, event, now, clocks);
  return result.ok ? { ...result, state: result.council.state } : result;
}

export const said = (by: string, text: string, tour = 1, phase: PhaseName = 'COLLECT'): Contribution => ({
  by,
  phase,
  tour,
  at: '2026-02-08T20:10:00.000Z',
  ...measureText(text),
  text,
});

/** Text that a person or a model might send, hostile pieces included. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).filter((s) => !s.includes('\0')),
  fc
    .array(
      fc.constantFrom(
        '-->',
        '<!--',
        '<\\!--',
        '<\\\\!--',
        '<!--council-state\n{}\n-->',
        '<!--council-response {"by":"b"}-->',
        '<!--/council-response-->',
        '### 🦎 Sage',
        '## Brief (immutable)',
        '---js\n',
        '---\n',
        '```',
        '\n',
        '\r\n',
        '\r',
        '\t',
        '\u2028',
        '&lt;',
        'plain words ',
        '\u{1F989}',
        '\uFEFF',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);

const line = fc.string({ maxLength: 30 });
const time = fc.integer({ min: START, max: START + 1000 * HOUR }).map((ms) => new Date(ms).toISOString());
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const phase = fc.constantFrom(...PHASES);
const id = fc
  .stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/)
  .filter((s) => !/^(con|prn|aux|nul|com\d|lpt\d|constructor|prototype)$/.test(s));

const anyParticipant: fc.Arbitrary<Participant> = fc.record({
  status: fc.constantFrom('WAITING', 'RESPONDED', 'DONE', 'AGREED'),
  lastAction: fc.option(time),
  title: line,
  emoji: line,
  runner: fc.constantFrom('human', 'command'),
  agreed: fc.boolean(),
  position: fc.option(line),
  blocking: fc.array(line, { maxLength: 3 }),
  commitment: fc.option(hash),
  sealedAt: fc.option(line),
  attempts: fc.nat(5),
  lease: fc.option(
    fc.record({
      id: fc.uuid({ version: 4 }),
      attempt: fc.nat(3),
      host: line,
      bootId: line,
      pid: fc.nat(),
      startTime: line,
      until: time,
    }),
  ),
  absent: fc.option(
    fc.constantFrom('timeout', 'sealed_text_missing', 'failed: exit code 1', 'excused: away'),
  ),
});

const anyLedger = (ids: string[]): fc.Arbitrary<CouncilState['ledger']> => {
  const by = fc.constantFrom(...ids);
  const span = { tour: fc.nat(9), by, start: fc.nat(), end: fc.nat() };
  const claim = fc.tuple(by, fc.integer({ min: 1, max: 200 })).map(([who, n]) => `${who}.${n}`);
  return fc.record({
    claims: fc.array(fc.record({ ...span, id: claim, sha256: fc.stringMatching(/^[0-9a-f]{16}$/) }), {
      maxLength: 3,
    }),
    challenges: fc.array(
      fc.record({
        ...span,
        id: fc.integer({ min: 1, max: 99 }).map((n) => `c${n}`),
        target: fc.option(claim),
        against: fc.option(by),
        quote: fc.constantFrom('verified', 'not_found', 'none'),
        status: fc.constantFrom('open', 'answered', 'conceded', 'rejected', 'unanswered'),
        answer: fc.option(fc.record({ tour: fc.nat(9), start: fc.nat(), end: fc.nat() })),
      }),
      { maxLength: 3 },
    ),
    moves: fc.array(
      fc.record({
        by,
        from: fc.option(anyText),
        to: fc.option(anyText),
        tour: fc.nat(9),
        phase,
        because: fc.option(fc.oneof(claim, fc.constant('quote'))),
        explained: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  });
};

const anyRules = (ids: string[]): fc.Arbitrary<Rules> =>
  fc.record({
    rule: fc.constantFrom(...RULES),
    options: fc.option(fc.array(anyText, { maxLength: 3 })),
    vetoes: fc.subarray(ids),
    recused: fc.array(fc.record({ participant: fc.constantFrom(...ids), why: anyText }), { maxLength: 2 }),
    weighted: fc.boolean(),
    repeat: fc.integer({ min: 1, max: 9 }),
    forceChallenge: fc.boolean(),
    advocate: fc.boolean(),
    families: fc.constant(Object.fromEntries(ids.map((key) => [key, null]))),
  });

const anyDecision = (ids: string[]): fc.Arbitrary<NonNullable<CouncilState['decision']>> =>
  fc.record({
    decided: fc.boolean(),
    position: fc.option(anyText),
    rule: fc.constantFrom(...RULES),
    denominator: fc.nat(9),
    votes: fc
      .array(
        fc.tuple(
          line.filter((s) => s !== '__proto__' && s !== 'constructor' && s !== 'prototype'),
          fc.nat(9),
        ),
        { maxLength: 3 },
      )
      .map((all) => Object.fromEntries(all)),
    tie: fc.boolean(),
    quorum: fc.record({ needed: fc.nat(9), present: fc.nat(9), met: fc.boolean() }),
    blockedBy: fc.subarray(ids),
    reason: fc.constantFrom('accepted', 'tie', 'blocked', 'open'),
    why: anyText,
  });

/** Any council that the types allow, with hostile words in every place that a person can fill. */
export const anyCouncil: fc.Arbitrary<Council> = fc
  .uniqueArray(id, { minLength: 1, maxLength: 5 })
  .chain((ids) =>
    fc.record({
      state: fc.record({
        schema: fc.constant(1 as const),
        revision: fc.nat(),
        textSha256: fc.constant(''),
        conversationId: fc.uuid({ version: 4 }),
        name: id,
        topic: anyText,
        mode: id,
        currentPhase: phase,
        tour: fc.integer({ min: 1, max: 9 }),
        createdAt: time,
        updatedAt: time,
        timeoutAt: time,
        status: fc.constantFrom('ACTIVE', 'CONVERGED', 'COMPLETED', 'TIMEOUT', 'CANCELLED'),
        coordinator: fc.constant(null),
        participants: fc
          .tuple(...ids.map(() => anyParticipant))
          .map((all) => Object.fromEntries(ids.map((key, at) => [key, all[at]!]))),
        convergence: fc.record({
          responseRate: fc.double({ min: 0, max: 1, noNaN: true }).map((n) => (n === 0 ? 0 : n)),
          hasConsensus: fc.boolean(),
          blockingIssues: fc.array(fc.record({ by: fc.constantFrom(...ids), issue: anyText }), {
            maxLength: 2,
          }),
        }),
        order: fc.constant(ids),
        synthesizer: fc.constant(null),
        phases: fc.constant([...PHASES]),
        phaseTimeout: fc.integer({ min: 1 }),
        earlyConvergence: fc.boolean(),
        anonymous: fc.boolean(),
        quorum: fc.constant(0.5),
        blind: fc.boolean(),
        lang: fc.constantFrom('en', 'fr'),
        rules: anyRules(ids),
        ledger: anyLedger(ids),
        advocate: fc.option(fc.record({ participant: fc.constantFrom(...ids), tour: fc.nat(9), seed: line })),
        held: fc.option(anyText),
        decision: fc.option(anyDecision(ids)),
        absences: fc.array(
          fc.record({
            participant: fc.constantFrom(...ids),
            phase,
            tour: fc.nat(9),
            reason: fc.constantFrom('timeout', 'failed: -->', 'excused: <!--'),
            at: time,
          }),
          { maxLength: 2 },
        ),
        transitions: fc.array(
          fc.record({
            from: phase,
            to: phase,
            reason: fc.constantFrom('all-responded', 'timeout', 'consensus'),
            tour: fc.nat(9),
            at: time,
          }),
          { maxLength: 2 },
        ),
        closing: fc.option(fc.record({ path: line, at: time, why: fc.option(anyText) })),
        requests: fc.array(
          fc.record({
            key: fc.constant('a'.repeat(64)),
            asked: fc.constant('b'.repeat(64)),
            by: fc.constantFrom(...ids),
            phase,
            tour: fc.integer({ min: 1, max: 9 }),
            revision: fc.nat(9),
          }),
          { maxLength: 2 },
        ),
        change: fc.record({ action: line, by: fc.option(line), actor: line }),
      }),
      brief: anyText,
      contributions: fc
        .uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 3 })), {
          selector: ([by, tour]) => `${by} ${tour}`,
          maxLength: 6,
        })
        .chain((turns) =>
          fc
            .tuple(
              ...turns.map(([by, tour]) => anyText.map((text) => said(by, text, tour, PHASES[tour - 1]))),
            )
            .map((all) => all.sort((x, y) => x.tour - y.tour || ids.indexOf(x.by) - ids.indexOf(y.by))),
        ),
    }),
  );
