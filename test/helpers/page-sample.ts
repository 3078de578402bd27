// Councils for tests of pages: a debate of eight with moves, joins, absences and approvals, and others by their words.
import { composeArchive } from '../../src/core/archive/compose-archive.ts';
import type { Archive } from '../../src/core/archive/archive.ts';
import { measureText } from '../../src/core/council/document/markers.ts';
import { closeRound } from '../../src/core/council/ledger/ledger.ts';
import { createNameResolver } from '../../src/core/council/naming/labels.ts';
import { computeBallot } from '../../src/core/council/state/ballot.ts';
import type { PhaseName } from '../../src/core/council/state/allowed-values.ts';
import { EMPTY_LEDGER } from '../../src/core/council/state/state.ts';
import type {
  Choice,
  Contribution,
  Council,
  CouncilState,
  UsageRecord,
} from '../../src/core/council/state/state.ts';
import { computeDecision } from '../../src/core/council/vote/outcome.ts';
import { participant, stateOf } from '../core/council/fixtures.ts';

export interface Saying extends Choice {
  text: string;
  position?: string;
  blocking?: string[];
}
export type Round = [PhaseName, Record<string, Saying>];

const at = (tour: number, minute: number): string =>
  `2026-03-0${1 + Math.floor(tour / 24)}T${String(8 + (tour % 12)).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.000Z`;

/** A council after these rounds, the last one closed. */
export function playedRounds(
  seats: Record<string, string>,
  rounds: Round[],
  over: Partial<CouncilState> = {},
): Council {
  const ids = Object.keys(seats);
  const participants = Object.fromEntries(
    ids.map((id) => [id, participant({ title: seats[id]!, emoji: '🦉' })]),
  );
  const state = stateOf(
    { anonymous: false, participants, ledger: EMPTY_LEDGER, ballot: [], schema: 2, ...over },
    ids,
  );
  let council: Council = { state, brief: over.topic ?? 'Which of them?', contributions: [] };
  rounds.forEach(([phase, texts], index) => {
    council = closed(
      council,
      { phase, tour: index + 1, next: rounds[index + 1]?.[0] ?? 'SYNTHESIZE' },
      texts,
    );
  });
  return council;
}

function closed(
  { state, brief, contributions }: Council,
  { phase, tour, next }: { phase: PhaseName; tour: number; next: PhaseName },
  texts: Record<string, Saying>,
): Council {
  const said = Object.entries(texts).map(([by, saying], place): Contribution => {
    const vote = saying.vote;
    const position = saying.position ?? state.ballot?.find(({ id }) => id === vote)?.position;
    return {
      ...{ by, phase, tour, at: at(tour, 10 + place) },
      ...measureText(saying.text),
      ...saying,
      ...(position !== undefined && { position }),
    };
  });
  const heard = { state, brief, contributions: [...contributions, ...said] };
  const missing = phase === 'SYNTHESIZE' ? [] : state.order.filter((id) => !texts[id]);
  const after: CouncilState = {
    ...state,
    ballot: computeBallot(heard, tour),
    ledger: closeRound(heard, { phase, tour }, createNameResolver(state)),
    transitions: [
      ...state.transitions,
      {
        from: phase,
        to: next,
        reason: missing.length > 0 ? 'timeout' : 'all-responded',
        tour,
        at: at(tour, 50),
      },
    ],
    absences: [
      ...state.absences,
      ...missing.map((id) => ({
        participant: id,
        phase,
        tour,
        reason: 'timeout' as const,
        at: at(tour, 50),
      })),
    ],
    usage: [...(state.usage ?? []), ...said.map((one): UsageRecord => launchOf(one))],
    currentPhase: next,
    tour: tour + 1,
  };
  return { ...heard, state: after };
}

const launchOf = ({ by, phase, tour, at: when, bytes }: Contribution): UsageRecord => ({
  ...{ participant: by, phase, tour, at: when, model: by === 'ana' ? null : `model-of-${by}`, program: by },
  inputTokens: by === 'ana' ? null : 4000 + bytes,
  outputTokens: by === 'ana' ? null : bytes,
  costUsd: by === 'ana' ? null : bytes / 10_000,
  ms: 20_000 + 30 * bytes,
  ok: true,
});

/** The archive of a council whose rounds are over; with a synthesis where the coordinator writes one. */
export const archived = (council: Council, synthesis?: string): Archive =>
  composeArchive(closing(council, synthesis), []);

/** The council as its archive is made of it. */
export function closing(council: Council, synthesis?: string): Council {
  const { state, contributions } = council;
  const decision = computeDecision(council);
  const by = state.coordinator;
  const tour = state.tour;
  const written: Contribution[] =
    synthesis === undefined || by === null
      ? []
      : [{ by, phase: 'SYNTHESIZE', tour, at: at(tour, 10), ...measureText(synthesis), text: synthesis }];
  return {
    ...council,
    contributions: [...contributions, ...written],
    state: {
      ...state,
      decision,
      status: 'COMPLETED',
      transitions: [
        ...state.transitions,
        { from: 'SYNTHESIZE', to: 'ARCHIVED', reason: 'all-responded', tour, at: at(tour, 50) },
      ],
      closing: {
        path: 'conseils/2026-03-01-where-should-the-job-queue-live.md',
        at: at(tour, 50),
        why: null,
      },
    },
  };
}

const SEATS = {
  henry: 'Henry',
  sage: 'Sage',
  nova: 'Nova',
  ana: 'Ana',
  claude: 'Claude',
  codex: 'Codex',
  gemini: 'Gemini',
  opencode: 'OpenCode',
};

const SKIP_LOCKED = 'Keep PostgreSQL and add a jobs table with SKIP LOCKED';
const STREAMS = 'Redis with streams, and a second copy of every invoice job';
const UNTIL_400 = 'Let PostgreSQL hold the queue until 400 jobs a minute';
const LOAD_TEST = 'Decide after a load test in January';

const QUEUE: Round[] = [
  [
    'COLLECT',
    {
      henry: {
        position: SKIP_LOCKED,
        text: '- PostgreSQL is backed up every night.\n- A lost job means a customer without an invoice.',
      },
      sage: {
        position: STREAMS,
        text: 'Redis takes 400 jobs a minute without any tuning.\n\nNobody on call has ever run it, and that can be learned in a week.',
      },
      nova: {
        position: UNTIL_400,
        text: 'A queue in PostgreSQL is one table.\n\nAt 400 jobs a minute nobody knows yet how it behaves.',
      },
      ana: { position: SKIP_LOCKED, text: 'I am on call in March. I want one thing to restore, not two.' },
      claude: {
        position: STREAMS,
        text: 'Streams keep what was not acknowledged.\n\n```sh\nredis-cli XADD jobs * kind invoice\n```',
      },
      codex: {
        position: LOAD_TEST,
        text: '| load | known? |\n| --- | --- |\n| 40 a minute | yes |\n| 400 a minute | no |',
      },
      gemini: {
        position: STREAMS,
        text: 'Two systems fail apart from each other, which is good for the web server.',
      },
      opencode: {
        position: UNTIL_400,
        text: 'The second server comes in March, so there is time to measure.',
      },
    },
  ],
  [
    'CHALLENGE',
    {
      henry: {
        vote: 'P2',
        text: '@sage.2:\n\n> that can be learned in a week\n\nWho is on call in that week?',
      },
      sage: {
        vote: 'P2',
        text: 'What henry.1 says moved me: PostgreSQL is backed up every night, and Redis would have to be.',
      },
      nova: { vote: 'P2', text: 'I follow the majority.' },
      ana: {
        vote: 'P2',
        text: '@gemini.1:\n\n> Two systems fail apart from each other\n\nI am woken twice then.',
      },
      claude: {
        vote: 'P4',
        text: '@henry.2:\n\n> A lost job means a customer without an invoice.\n\nThat holds for every queue, and says nothing for a table.',
      },
      codex: { vote: 'P2', text: 'The table decides it for me.' },
      gemini: { vote: 'P4', text: 'I stay. Nobody has said what happens when the table is locked.' },
      opencode: { vote: 'P3', text: 'I stay as well.' },
    },
  ],
  [
    'RESOLVE',
    {
      henry: {
        vote: 'P2',
        same: [['P2', 'P3']],
        text: 'c1 stands.\n\nc3 rejected: with a transaction the job is written together with the invoice.',
      },
      sage: { vote: 'P2', same: [['P2', 'P3']], text: 'c1 conceded: nobody is.' },
      nova: { vote: 'P2', same: [['P2', 'P3']], text: 'No more from me.' },
      ana: { vote: 'P2', same: [['P2', 'P3']], text: 'As before.' },
      claude: {
        vote: 'P2',
        text: 'c3 is answered well: "with a transaction the job is written together with the invoice" is what Redis cannot do. I move because of henry.1.',
      },
      gemini: {
        vote: 'P2',
        approve: ['P4'],
        blocking: ['Nobody has measured locks at 400 jobs a minute'],
        text: 'Then let us do that, and measure.',
      },
      opencode: {
        vote: 'P3',
        same: [['P2', 'P3']],
        approve: ['P1'],
        text: 'It is the same plan with a date.',
      },
    },
  ],
];

const SYNTHESIS = `## Result

The council keeps **PostgreSQL** and adds a jobs table.

1. Write each job in the transaction of its invoice.
2. Measure locks at 400 jobs a minute before March ([how](https://wiki.postgresql.org/wiki/Lock_Monitoring)).

- [x] backup: there already
- [ ] load test: Gemini
`;

/** A council of eight who spoke in so many rounds. */
export const longCouncil = (rounds: number, said: (round: number, by: string) => string): Council =>
  playedRounds(
    SEATS,
    Array.from({ length: rounds }, (_, at): Round => [
      at === 0 ? 'COLLECT' : 'CHALLENGE',
      Object.fromEntries(Object.keys(SEATS).map((id) => [id, { text: said(at + 1, id) }])),
    ]),
    { topic: 'Where should the job queue live, after a hundred rounds?' },
  );

/** The debate of eight, over. */
export const queueCouncil = (over: Partial<CouncilState> = {}): Council =>
  playedRounds(SEATS, QUEUE, {
    topic: 'Where should the job queue live?',
    coordinator: 'maman',
    synthesizer: participant({ title: 'Coordinator', emoji: '📋' }),
    ...over,
  });

/** Its archive. */
export const queueArchive = (over: Partial<CouncilState> = {}): Archive =>
  archived(queueCouncil(over), SYNTHESIS);

/** The same debate after its first rounds only. */
export const queueUpTo = (rounds: number, over: Partial<CouncilState> = {}): Council => {
  const council = playedRounds(SEATS, QUEUE.slice(0, rounds), {
    topic: 'Where should the job queue live?',
    ...over,
  });
  const phase = QUEUE[rounds]?.[0] ?? 'SYNTHESIZE';
  return { ...council, state: { ...council.state, currentPhase: phase } };
};
