// Checks a text for a turn, and returns a submission or a refusal.
import { formatIso } from '../../base/clock.ts';
import { CouncilError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { checkText } from '../document/contribution.ts';
import { describeAbridgement } from '../view/abridge.ts';
import { classifyEmptyAnswer, findRepeated } from '../ledger/text/spoken-words.ts';

import type { PhaseName } from '../state/allowed-values.ts';
import { openBallot, findSameOption } from '../state/ballot.ts';
import type {
  BallotLine,
  Contribution,
  Council,
  CouncilState,
  UsageRecord,
  Verdict,
} from '../state/state.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import type { Ports } from './ports.ts';
import type { Request } from './keyed-requests.ts';
import { readParts } from './verdict.ts';
import type { SealedText } from './seal.ts';
import type { VerdictFlags } from './verdict.ts';
import { MAX_CHALLENGES, MAX_CLAIMS } from '../ledger/text/limits.ts';

export interface RespondInput {
  name: string;
  participant: string;
  bytes: Uint8Array;
  flags: VerdictFlags;
  replace: boolean;
  /** The turn the text was written for; by default the open turn at the first read. */
  turn?: { conversationId?: string; tour: number };
  /** Set by a launch: the result is accepted only under this lease, and its usage is recorded. */
  leaseId?: string;
  /** The participant's token, if the council requires it. */
  token?: string | undefined;
  usage?: UsageRecord[];
  /** Byte lengths of the parts, if a launch has asked again for missing items. */
  parts?: number[];
  /** Set if the request has a key: a repetition gets the same answer. */
  request?: Request | undefined;
  /** Whether to return what was read. */
  tellRead?: boolean;
}

export interface SubmissionTurn {
  conversationId: string;
  phase: PhaseName;
  tour: number;
}

/** A text that may be recorded, with its turn, its verdict, and its seal while the phase is blind. */
export interface Submission {
  input: RespondInput;
  turn: SubmissionTurn;
  text: string;
  verdict: Verdict;
  /** The ballot it was read against. */
  ballot: BallotLine[] | undefined;
  /** ISO 8601 UTC. */
  at: string;
  sealed: SealedText | null;
  /** Warnings for the author about parts that will not count. */
  warnings: string[];
}

export interface Refusal {
  code: ErrorCode;
  message: string;
  /** How to fix it, if the text itself is at fault. */
  hint?: string;
}

/** Returns the named turn, or the open one. */
export function resolveTurn(state: CouncilState, { turn }: RespondInput): SubmissionTurn {
  const round = turn?.tour ?? state.tour;
  return {
    conversationId: turn?.conversationId ?? state.conversationId,
    tour: round,
    phase: state.transitions.find((t) => t.tour === round)?.from ?? state.currentPhase,
  };
}

/** Reads a text for a turn, or returns why it is refused. */
export async function readSubmission(
  ports: Pick<Ports, 'clock' | 'random' | 'modeReading'>,
  input: RespondInput,
  turn: SubmissionTurn,
  { state, contributions }: Pick<Council, 'state' | 'contributions'>,
): Promise<Submission | Refusal> {
  const text = decodeSubmission(input.bytes);
  if (typeof text !== 'string') return text;
  const { participant } = input;
  const said = { by: participant, phase: turn.phase, tour: turn.tour };
  // With the mode's own reading rules there is no form.
  const { verdict: stated, warnings } = (await ports.modeReading?.(state.mode))
    ? { verdict: { ...ADVOCATE, done: input.flags.done }, warnings: [] as string[] }
    : readParts(state, { ...said, text, ...input });
  const { options } = state.rules;
  const option = options && stated.position !== null ? findSameOption(stated.position, options) : undefined;
  if (options && stated.position !== null && option === undefined && participant !== state.coordinator)
    warnings.push(
      `The position is none of the options, and votes for nothing: ${options.join(', ')}. The text is kept.`,
    );
  const verdict = isAsked(state, participant, turn.tour)
    ? { ...ADVOCATE, done: stated.done }
    : { ...stated, position: option ?? stated.position };
  const at = formatIso(ports.clock.now());
  const { conversationId, tour } = turn;
  const isBlind = isBlindNow(state) && tour === state.tour;
  const salt = isBlind ? ports.random.hex(32) : '';
  return {
    input,
    turn,
    text,
    verdict,
    ballot: openBallot(state),
    at,
    sealed: isBlind
      ? {
          version: state.schema,
          ...(input.usage && { usage: input.usage }),
          conversationId,
          participant,
          phase: 'COLLECT',
          tour,
          at,
          salt,
          verdict,
          ...(input.parts && { parts: input.parts }),
          text,
        }
      : null,
    warnings: [
      ...warnings,
      ...warnOfEmptyText(text),
      ...describeLapsedBlocking(state, participant, verdict),
      ...describeRepetition({ by: participant, tour, text }, contributions),
      ...(await listLimitWarnings(state.currentPhase, text)),
      ...describeAbridgement(state, participant, text),
    ],
  };
}

const UNREAD = {
  invisible: 'nothing in it can be seen',
  reasoning: 'all of it is marked as reasoning, which nobody else is shown',
  'empty form': 'no line of its form is filled in',
};

/** Warns the author of a text that counts as an answer but says nothing. */
function warnOfEmptyText(text: string): string[] {
  const nothing = classifyEmptyAnswer(text);
  return nothing === null ? [] : [`This text says nothing to the others: ${UNREAD[nothing]}.`];
}

/** Warns the author of a repeated text, which adds nothing. */
function describeRepetition(
  said: Pick<Contribution, 'by' | 'tour' | 'text'>,
  earlier: readonly Contribution[],
): string[] {
  const round = findRepeated(said, earlier);
  return round === undefined
    ? []
    : [`This is your contribution of round ${round} again: it answers nothing and challenges nobody.`];
}

function decodeSubmission(bytes: Uint8Array): string | Refusal {
  try {
    return checkText(bytes);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const { code, message, hint } = error;
    return { code, message, ...(hint && { hint }) };
  }
}

/** Warns an author that a blocking issue ended because the new text does not repeat it. */
function describeLapsedBlocking(state: CouncilState, participant: string, { blocking }: Verdict): string[] {
  const before = participant === state.coordinator ? [] : getSeat(state, participant).blocking;
  if (before.length === 0 || blocking.length > 0) return [];
  return [
    `What you said is blocking stands no longer, because this text does not repeat it: ${before.join('; ')}.`,
  ];
}

/** An advocate's position, agreement and objections do not count as its own; the text is kept in full. */
export const ADVOCATE: Verdict = { agreed: false, done: false, position: null, blocking: [] };

/** True for the participant asked to be the advocate in that round. */
export const isAsked = ({ advocate }: CouncilState, id: string, round: number): boolean =>
  advocate?.participant === id && advocate.tour === round;

/** Returns warnings for the author about claims or challenges that the ledger would merge. */
export async function listLimitWarnings(phase: PhaseName, text: string): Promise<string[]> {
  const limit = { COLLECT: MAX_CLAIMS, CHALLENGE: MAX_CHALLENGES, RESOLVE: null, SYNTHESIZE: null }[phase];
  // Each takes at least one line, so a short text needs no Markdown parser.
  if (limit === null || text.split('\n', limit + 1).length <= limit) return [];
  const what = phase === 'COLLECT' ? 'claims' : 'challenges';
  const { countClaims } = await import('../ledger/claims.ts');
  const { countPassages } = await import('../ledger/text/passages.ts');
  // Does not check whether a named claim exists: one that does not exist still counts towards the limit.
  const count =
    phase === 'COLLECT'
      ? countClaims(text)
      : countPassages(text, { isClaim: () => true, isSaid: () => false });
  if (count <= limit) return [];
  return [
    `Only ${limit} ${what} of a contribution are told apart; this one has ${count}. The text keeps all.`,
  ];
}
