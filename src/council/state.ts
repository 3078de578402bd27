import type { RunnerKind } from '../agents/runner-kind.ts';
import { CouncilError } from '../base/errors.ts';
import type { Budget } from './budget.ts';
import type { Decision, Rule } from './decision.ts';
import type { Ledger } from './ledger-types.ts';
import type { Failure, UsageRecord } from './usage.ts';

export const PHASES = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;
export type PhaseName = (typeof PHASES)[number];
/** ACTIVE until the last phase before SYNTHESIZE closes; then how the deliberation ended. */
export type CouncilStatus = 'ACTIVE' | 'CONVERGED' | 'COMPLETED' | 'TIMEOUT' | 'CANCELLED';
export type ParticipantStatus = 'WAITING' | 'RESPONDED' | 'DONE' | 'AGREED';
export type CloseReason = 'all-responded' | 'timeout' | 'consensus' | 'cancelled' | 'budget';
/** Why a participant's voice is missing from a phase. `failed` carries the runner's reason behind a colon. */
export type AbsenceReason =
  | 'timeout'
  | 'sealed_text_missing'
  | `failed: ${string}`
  | `excused: ${string}`
  | `budget: ${string}`
  | 'cancelled';
export type Language = 'en' | 'fr';
/** `open`: whoever can run council acts for anybody, and is recorded. `token`: a participant's own token is needed. */
export const IDENTITIES = ['open', 'token'] as const;
export type Identity = (typeof IDENTITIES)[number];

/** The right to launch a participant once. Taken by compare-and-set; a result commits with the lease's id. */
export interface Lease {
  id: string;
  /** 1 for the first attempt of the phase. */
  attempt: number;
  host: string;
  /** Changes at every boot; empty where the system tells none. */
  bootId: string;
  pid: number;
  /** The owner's start time as the system counts it, so that a reused pid is not mistaken for the owner. */
  startTime: string;
  /** ISO 8601 UTC; the only judge of liveness from another host. */
  until: string;
}

/** What a participant says about its own contribution, from flags and front matter. */
export interface Verdict {
  agreed: boolean;
  done: boolean;
  position: string | null;
  blocking: string[];
}

export interface Participant {
  status: ParticipantStatus;
  /** ISO 8601 UTC of the last accepted contribution. */
  lastAction: string | null;
  title: string;
  emoji: string;
  /** How this participant is made to speak; a human is waited for. */
  runner: RunnerKind;
  agreed: boolean;
  position: string | null;
  blocking: string[];
  /** SHA-256 that binds the sealed text of the open blind phase; null otherwise. */
  commitment: string | null;
  /** Where the sealed text lies ("user@host"), so that a missing one can be asked for. */
  sealedAt: string | null;
  attempts: number;
  lease: Lease | null;
  /** Why this participant is no longer awaited in the open phase. */
  absent: AbsenceReason | null;
  /** Binds this participant's token to it and to the council; only with `identity: token`. */
  tokenSha256?: string;
  /** The last failed launch of the open phase. Never set while the phase is blind: what a program printed is private then. */
  failure?: Failure;
  /** The provider asked not to be asked again before this time, ISO 8601 UTC. */
  retryAt?: string;
}

export interface Absence {
  participant: string;
  phase: PhaseName;
  tour: number;
  reason: AbsenceReason;
  at: string;
  /** Set for `sealed_text_missing`: the text that `council reveal` still accepts. */
  commitment?: string;
  /** The end of stderr of the last launch that failed. */
  stderr?: string;
}

export interface Transition {
  from: PhaseName;
  to: PhaseName | 'ARCHIVED';
  reason: CloseReason;
  /** The tour that was closed. */
  tour: number;
  at: string;
}

/** What the newest revision did, for `council history`. */
export interface ChangeNote {
  action: string;
  by: string | null;
  /** Who acted: OS user, host, and the face used (cli, tick …). */
  actor: string;
}

export interface BlockingIssue {
  by: string;
  issue: string;
}

/** What was agreed at the start on how positions become a decision. */
export interface Rules {
  rule: Rule;
  /** The only positions that may be stated; null when positions are free labels. */
  options: string[] | null;
  /** Participants whose blocking issue cannot be outvoted. */
  vetoes: string[];
  recused: { participant: string; why: string }[];
  /** Votes count as their stated confidence. */
  weighted: boolean;
  /** How often CHALLENGE and RESOLVE are played at the most. */
  repeat: number;
  /** Play CHALLENGE and RESOLVE also after blind unanimity. */
  forceChallenge: boolean;
  /** Ask one participant for the case against when blind agreement is unanimous. */
  advocate: boolean;
  /** Model family by participant, as far as it is known. */
  families: Record<string, string | null>;
}

/** The participant that was asked for the strongest case against, and the seed that drew it. */
export interface Advocate {
  participant: string;
  /** The tour of CHALLENGE in which it speaks for the other side. */
  tour: number;
  seed: string;
}

/** The JSON block at the top of the state file: the machine's truth. The first keys are fixed by the design, section 3. */
export interface CouncilState {
  schema: 1;
  revision: number;
  textSha256: string;
  conversationId: string;
  name: string;
  topic: string;
  mode: string;
  currentPhase: PhaseName;
  tour: number;
  createdAt: string;
  updatedAt: string;
  timeoutAt: string;
  status: CouncilStatus;
  coordinator: string | null;
  participants: Record<string, Participant>;
  convergence: { responseRate: number; hasConsensus: boolean; blockingIssues: BlockingIssue[] };
  /** Ids of the participants in the order of the start: labels, denominators and transcripts follow it. */
  order: string[];
  /** The coordinator's own turn in SYNTHESIZE; null without a coordinator. */
  synthesizer: Participant | null;
  phases: PhaseName[];
  /** Milliseconds a phase may last, counted from its transition. */
  phaseTimeout: number;
  earlyConvergence: boolean;
  anonymous: boolean;
  /** Share of the participants that must have spoken for a decision to count, 0 to 1. */
  quorum: number;
  /** False after `start --open`: COLLECT contributions are visible at once. */
  blind: boolean;
  lang: Language;
  /** Who may act for a participant; `open` where it is missing. */
  identity?: Identity;
  rules: Rules;
  /** Claims, challenges and moves, by ids and offsets. */
  ledger: Ledger;
  advocate: Advocate | null;
  /** Why the council went on although everybody agreed; null when nothing held it. */
  held: string | null;
  /** The result by the rule; null until the participants have been heard. */
  decision: Decision | null;
  absences: Absence[];
  transitions: Transition[];
  /** Set by the closing revision: from here on nothing is accepted and the archive's path is reserved. */
  closing: { path: string; at: string; why: string | null } | null;
  /** What every launch used up; those of a blind phase come in when it closes. */
  usage?: UsageRecord[];
  /** What the council may use up; not set without any limit. */
  budget?: Budget;
  change: ChangeNote;
}

/** One contribution with the facts of its marker. Text is word for word, its own front matter included. */
export interface Contribution {
  by: string;
  phase: PhaseName;
  tour: number;
  at: string;
  /** Length and SHA-256 of the original UTF-8 bytes. */
  bytes: number;
  sha256: string;
  agreed?: true;
  done?: true;
  position?: string;
  blocking?: string[];
  /** Said on request, as the case against: not the participant's own position. */
  advocate?: true;
  /** Revealed together with the text: anybody can check the commitment made while the phase was blind. */
  salt?: string;
  commitment?: string;
  text: string;
}

/** A whole council: the state block, the brief, and the contributions in the order of tours, then seats. */
export interface Council {
  state: CouncilState;
  brief: string;
  contributions: Contribution[];
}

/** A participant by id, the coordinator's turn included; throws `unknown_agent` with the valid ids. */
export function seat(state: CouncilState, id: string): Participant {
  if (id === state.coordinator && state.synthesizer) return state.synthesizer;
  const found = Object.hasOwn(state.participants, id) ? state.participants[id] : undefined;
  if (found) return found;
  const valid = [...state.order, ...(state.coordinator ? [state.coordinator] : [])].join(', ');
  throw new CouncilError(
    'unknown_agent',
    `${JSON.stringify(id.slice(0, 80))} does not sit at the council "${state.name}".`,
    {
      hint: `At this table: ${valid}.`,
    },
  );
}

/** True while COLLECT hides what the others said. */
export const isBlindNow = (state: CouncilState): boolean => state.blind && state.currentPhase === 'COLLECT';

/** Everybody whose contribution the open phase still waits for, in seating order. */
export function awaited(state: CouncilState): string[] {
  if (state.closing) return [];
  const ids =
    state.currentPhase === 'SYNTHESIZE' ? (state.coordinator ? [state.coordinator] : []) : state.order;
  return ids.filter((id) => seat(state, id).status === 'WAITING' && seat(state, id).absent === null);
}
