// The possible values of fields in the state, modes and ledger. Data only.

/** The phases in playing order; a mode may leave out the middle ones. */
export const PHASES = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;
export type PhaseName = (typeof PHASES)[number];

/** ACTIVE until the last phase before SYNTHESIZE closes; then how the deliberation ended. */
export const STATUSES = ['ACTIVE', 'CONVERGED', 'COMPLETED', 'TIMEOUT', 'CANCELLED'] as const;
export type CouncilStatus = (typeof STATUSES)[number];

export const PARTICIPANT_STATUSES = ['WAITING', 'RESPONDED', 'DONE', 'AGREED'] as const;

/** How far a council runs on its own. */
export const REACHES = ['answers', 'synthesis', 'debate'] as const;
export type Reach = (typeof REACHES)[number];

/** How a held council continues. */
export const HOLD_EXITS = ['debate', 'synthesis', 'end'] as const;
export type HoldExit = (typeof HOLD_EXITS)[number];

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

/** Why a participant's contribution is missing from a phase. `EXPLAINED_ABSENCES` have a reason after a colon. */
export const ABSENCES = ['timeout', 'sealed_text_missing', 'cancelled'] as const;
export const EXPLAINED_ABSENCES = ['failed', 'excused', 'budget'] as const;
export type AbsenceReason = (typeof ABSENCES)[number] | `${(typeof EXPLAINED_ABSENCES)[number]}: ${string}`;

/** What the participants' programs may read of the project by themselves. */
export const READS = ['none', 'project'] as const;
export type ReadingMode = (typeof READS)[number];

/** `open`: anyone who runs council may act for any participant, on record. `token`: requires a token. */
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

/** What may break a tie. */
export const TIES = ['approvals'] as const;

/** An experiment alongside a debate, for comparison: `self` has each program reconsider its own answer alone. */
export const CONTROLS = ['self'] as const;

/**
 * How a decision came about. `blind-unanimous`: all agreed blind. `blind-kept`: the blind votes alone decide
 * the same. `blind-stood`: they do, against the last votes. `overturned`: they decide something else. `debate`:
 * they decide nothing.
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

/** What may be ranked instead of positions. */
export const RANKS = ['answers'] as const;
export type Ranks = (typeof RANKS)[number];

/** What a budget cut short before a decision: the whole debate, or some contributions. */
export const BUDGET_CUTS = ['debate', 'part'] as const;

/** Why a decision came out as it did, for interfaces with their own wording. */
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
 * `none`: nothing is quoted. `verified`: the words are in the named claim or by the named person. `elsewhere`:
 * they exist, but not there. `near`: the text there differs in a few words. `not_found`: no participant wrote
 * them.
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

/** Why a deadline moves: the clock was set, the machine slept during a launch, or was off at the deadline. */
export const MOVE_REASONS = ['clock', 'asleep', 'off'] as const;
