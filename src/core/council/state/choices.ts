// The values that fields of the state, of modes and of the ledger can have. Data only.

/** The phases in the order in which they are played; a mode may leave the middle ones out. */
export const PHASES = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;
export type PhaseName = (typeof PHASES)[number];

/** ACTIVE until the last phase before SYNTHESIZE closes; then how the deliberation ended. */
export const STATUSES = ['ACTIVE', 'CONVERGED', 'COMPLETED', 'TIMEOUT', 'CANCELLED'] as const;
export type CouncilStatus = (typeof STATUSES)[number];

export const PARTICIPANT_STATUSES = ['WAITING', 'RESPONDED', 'DONE', 'AGREED'] as const;

/** How far a council goes by itself. */
export const REACHES = ['answers', 'synthesis', 'debate'] as const;
export type Reach = (typeof REACHES)[number];

/** How a council that is held goes on. */
export const WAYS = ['debate', 'synthesis', 'end'] as const;
export type Way = (typeof WAYS)[number];

/** Why a phase was closed. */
export const CLOSE_REASONS = [
  'all-responded',
  'timeout',
  'consensus',
  'cancelled',
  'budget',
  'no_quorum',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Why a participant's voice is missing from a phase; those in `EXPLAINED_ABSENCES` carry a reason behind a colon. */
export const ABSENCES = ['timeout', 'sealed_text_missing', 'cancelled'] as const;
export const EXPLAINED_ABSENCES = ['failed', 'excused', 'budget'] as const;
export type AbsenceReason = (typeof ABSENCES)[number] | `${(typeof EXPLAINED_ABSENCES)[number]}: ${string}`;

/** What of the project the programs at the table may read by themselves. */
export const READS = ['none', 'project'] as const;
export type ReadingMode = (typeof READS)[number];

/**
 * `open`: anyone who can run council may act for any participant, and is recorded. `token`: the
 * participant's own token is needed.
 */
export const IDENTITIES = ['open', 'token'] as const;
export type Identity = (typeof IDENTITIES)[number];

/** How positions become a decision. */
export const RULES = [
  'plurality',
  'majority',
  'blind-first',
  'supermajority',
  'unanimity',
  'consensus',
  'approval',
  'no-blocking',
  'ranked',
  'none',
] as const;
export type Rule = (typeof RULES)[number];

/** What may settle a tie. */
export const TIES = ['approvals'] as const;

/** What is asked beside a debate, for comparison: `self` has each program reconsider its own answer alone. */
export const CONTROLS = ['self'] as const;

/**
 * How a decision came about. `blind-unanimous`: all said so blind. `blind-kept`: the blind votes alone decide the same.
 * `blind-stood`: so they do, against the last votes. `overturned`: they decide something else. `debate`: they decide nothing.
 */
export const ORIGINS = [
  'blind-unanimous',
  'blind-kept',
  'blind-stood',
  'overturned',
  'debate',
  'undecided',
] as const;
export type Origin = (typeof ORIGINS)[number];

/** What may be ranked in place of positions. */
export const RANKS = ['answers'] as const;
export type Ranks = (typeof RANKS)[number];

/** What a budget kept from being said before a decision: the whole debate, or the word of some. */
export const CUTS = ['debate', 'part'] as const;

/** Why a decision came out as it did, for faces that write a sentence of their own. */
export const REASONS = [
  'accepted',
  'no_rule',
  'nobody',
  'no_quorum',
  'blocked',
  'unheard',
  'not_agreed',
  'differ',
  'no_position',
  'tie',
  'too_few',
  'open',
] as const;
export type Reason = (typeof REASONS)[number];

/**
 * `none`: nothing is quoted. `verified`: the words are in the named claim or by the named person.
 * `elsewhere`: they exist, but not there. `near`: the text there differs in a few words.
 * `not_found`: no participant wrote them.
 */
export const QUOTE_STATUSES = ['verified', 'elsewhere', 'near', 'not_found', 'none'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

export const CHALLENGE_STATUSES = [
  'open',
  'answered',
  'conceded',
  'conceded_in_part',
  'rejected',
  'unanswered',
] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

/** Why a deadline moves: the clock was set, the machine slept during a launch, or was off when the deadline passed. */
export const MOVE_REASONS = ['clock', 'asleep', 'off'] as const;
