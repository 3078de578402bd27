// Creates the first state of a council.
import type { RunnerKind } from '../../agents/runner-kind.ts';
import { formatIso } from '../../base/clock.ts';
import type { Language } from '../../base/words/words.ts';
import type { Identity, PhaseName, ReadingMode } from './allowed-values.ts';
import { EMPTY_LEDGER } from './state.ts';
import type { Budget, CouncilState, Participant, Rules } from './state.ts';
import * as z from 'zod/mini';

/** A participant or coordinator to be seated. */
export interface NewSeat {
  id: string;
  title: string;
  emoji: string;
  runner: RunnerKind;
  /** Ids of the agents whose runner it borrows. */
  borrows?: string[] | undefined;
}

/** The data that varies between new councils. */
export interface NewCouncil {
  conversationId: string;
  name: string;
  topic: string;
  /** The name of the mode, and its settings. */
  mode: string;
  phases: PhaseName[];
  /** Milliseconds. */
  phaseTimeout: number;
  earlyConvergence: boolean;
  anonymous: boolean;
  quorum: number;
  blind: boolean;
  lang: Language;
  identity?: Identity;
  read?: ReadingMode | undefined;
  rules: Rules;
  pinned?: string | undefined;
  outside?: CouncilState['outside'];
  budget?: Budget | undefined;
  shown?: CouncilState['shown'];
  hold?: CouncilState['hold'];
  control?: 'self' | undefined;
  /** In seating order. */
  participants: NewSeat[];
  coordinator: NewSeat | null;
}

/** Creates a council in COLLECT, without contributions; `now` in milliseconds since the epoch. */
export function createState(council: NewCouncil, now: number): CouncilState {
  const { participants, coordinator, budget, ...given } = council;
  return {
    schema: 2,
    revision: 0,
    textSha256: '',
    conversationId: given.conversationId,
    name: given.name,
    topic: given.topic,
    mode: given.mode,
    currentPhase: 'COLLECT',
    tour: 1,
    createdAt: formatIso(now),
    updatedAt: formatIso(now),
    timeoutAt: formatIso(now + given.phaseTimeout),
    status: 'ACTIVE',
    coordinator: coordinator?.id ?? null,
    participants: Object.fromEntries(participants.map((one) => [one.id, createParticipant(one)])),
    convergence: { responseRate: 0, hasConsensus: false, blockingIssues: [] },
    order: participants.map(({ id }) => id),
    synthesizer: coordinator && createParticipant(coordinator),
    phases: given.phases,
    phaseTimeout: given.phaseTimeout,
    earlyConvergence: given.earlyConvergence,
    anonymous: given.anonymous,
    quorum: given.quorum,
    blind: given.blind,
    lang: given.lang,
    identity: given.identity ?? 'open',
    ...(given.read && given.read !== 'none' && { read: given.read }),
    rules: given.rules,
    ...(given.shown !== undefined && { shown: given.shown }),
    ...(given.pinned !== undefined && { pinned: given.pinned }),
    ...(given.outside?.length && { outside: given.outside }),
    ledger: EMPTY_LEDGER,
    ballot: [],
    advocate: null,
    held: null,
    decision: null,
    absences: [],
    transitions: [],
    closing: null,
    ...(budget && { budget }),
    ...(given.hold && { hold: given.hold }),
    ...(given.control && { control: { kind: given.control, launched: [] } }),
    change: { action: 'start', by: null, actor: '' },
  };
}

/** A participant who has not spoken yet. */
export const createParticipant = ({ title, emoji, runner, borrows }: Omit<NewSeat, 'id'>): Participant => ({
  status: 'WAITING',
  lastAction: null,
  title,
  emoji,
  runner,
  ...(borrows && { borrows }),
  agreed: false,
  position: null,
  blocking: [],
  commitment: null,
  sealedAt: null,
  attempts: 0,
  lease: null,
  absent: null,
});

const pinned = z.object({
  mode: z.string(),
  /** The body of COUNCIL.md. */
  houseRules: z.string(),
  /** Each participant's persona, by id. */
  personas: z.record(z.string(), z.string()),
});

export type Pinned = z.infer<typeof pinned>;

/** Parses the output of `JSON.stringify`. */
export const parsePinned = (text: string): Pinned => pinned.parse(JSON.parse(text));
