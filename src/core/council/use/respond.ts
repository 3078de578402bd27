// Use case `respond`: takes a contribution, or keeps the refused text, and reads a text without recording it.
import { CouncilError, type ErrorCode } from '../../base/errors.ts';
import { quoteShellWord } from '../../base/text.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import { getSeat } from '../state/state.ts';
import type { CouncilState, KeepResult, Council } from '../state/state.ts';
import { admitParticipant } from './participant-tokens.ts';
import { findDoneRequest, findRepeatedRequest } from './keyed-requests.ts';
import type { Ports } from './ports.ts';
import { recordSubmission } from './record-submission.ts';
import { hasSeenSealed, commitmentOf, findMissingTexts, getSealedName } from './seal.ts';
import type { SealedText } from './seal.ts';
import { keepUnplacedText, keepRefused } from './refused-texts.ts';
import type { ReadBack, PhaseText } from '../view/read-back.ts';
import { readSubmission, resolveTurn, ADVOCATE, isAsked } from './submission.ts';
import type { Refusal, RespondInput } from './submission.ts';
import { readCouncilWithSize } from './council-access.ts';
import type { SizedSnapshot } from './council-access.ts';
import { splitParts } from '../ledger/text/spoken-words.ts';
import type { TextInParts } from '../ledger/text/spoken-words.ts';
import { mergeReadBacks, readBack } from '../view/read-back.ts';
import { NO_FLAGS, readPartVerdict } from './verdict.ts';
import type { VerdictFlags } from './verdict.ts';

export type { RespondInput };

export interface RespondResult {
  accepted: boolean;
  name: string;
  participant: string;
  phase: PhaseName;
  tour: number;
  revision: number;
  /** Why the text was not accepted: `already_responded` for the same text again, otherwise an error code. */
  reason?: ErrorCode | 'already_responded';
  message?: string;
  /** How to fix it, if the text itself is at fault. */
  hint?: string;
  /** Path of the refused text, or why it was not kept. */
  kept?: KeepResult;
  warnings: string[];
  /** Set if this very request was completed before. */
  isRepeated?: true;
  lang: CouncilState['lang'];
  /** What was read in a text of the open phase; for its author only while it is blind. */
  read?: ReadBack;
}

type RespondOutcome = Omit<RespondResult, 'lang' | 'read'>;

/** The message for a repeated contribution. */
export const formatAlreadySaid = (participant: string): string =>
  `${participant} has already responded with this text.`;

/**
 * Records a contribution, or refuses it and keeps it in a file. Throws only for an unknown council or
 * participant, if the store fails, and after repeated conflicts; `details.kept` is then the path of the text.
 */
export async function respond(ports: Ports, input: RespondInput): Promise<RespondResult> {
  let isSeated = false;
  try {
    const snapshot = await readCouncilWithSize(ports, input.name);
    admitParticipant(snapshot.council.state, input);
    isSeated = true;
    const { lang } = snapshot.council.state;
    const result = { ...(await respondOnce(ports, input, snapshot)), lang };
    const isRead = input.tellRead && (result.accepted || result.reason === 'already_responded');
    return isRead ? { ...result, read: await readBackText(input, snapshot, result) } : result;
  } catch (error) {
    if (error instanceof CouncilError && input.bytes.length > 0)
      error.details.kept = await keepUnplacedText(
        ports,
        { participant: input.participant, isSeated },
        input.bytes,
      );
    throw error;
  }
}

/** Returns the earlier answer to this very request, or processes it now. */
async function respondOnce(
  ports: Ports,
  input: RespondInput,
  snapshot: SizedSnapshot,
): Promise<RespondOutcome> {
  const { state } = snapshot.council;
  const done = await findRepeatedRequest(ports, state, input.request);
  if (!done) {
    // A request that can no longer be compared is treated by its text.
    const request = findDoneRequest(state, input.request) ? undefined : input.request;
    return recordResponse(ports, { ...input, request }, snapshot);
  }
  const { name, participant } = input;
  const { phase, tour, revision } = done;
  return { accepted: true, isRepeated: true, name, participant, phase, tour, revision, warnings: [] };
}

/** Whether accepted or a repetition, the text has been read as a contribution. */
const readBackText = (
  { participant: by, bytes, flags }: RespondInput,
  { council }: SizedSnapshot,
  { phase, tour }: RespondOutcome,
): Promise<ReadBack> =>
  readText(council, { by, phase, tour, flags, text: Buffer.from(bytes).toString('utf8') });

async function recordResponse(
  ports: Ports,
  input: RespondInput,
  snapshot: SizedSnapshot,
): Promise<RespondOutcome> {
  const { name, participant } = input;
  const { state } = snapshot.council;
  const { conversationId, phase, tour } = resolveTurn(state, input);
  const turn = { name, participant, phase, tour };
  const refuse = async (why: Refusal, revision: number, now: CouncilState): Promise<RespondOutcome> => {
    const of = { ...turn, conversationId, isLaunch: input.leaseId !== undefined };
    return {
      accepted: false,
      ...turn,
      revision,
      reason: why.code,
      message: why.message,
      ...(why.hint && { hint: why.hint }),
      ...(input.bytes.length > 0 && { kept: await keepRefused(ports, now, of, input.bytes) }),
      warnings: [],
    };
  };
  const submission = await readSubmission(ports, input, { conversationId, phase, tour }, snapshot.council);
  if ('code' in submission) return refuse(submission, snapshot.revision, state);
  const { warnings } = submission;
  const { result, revision } = await recordSubmission(ports, submission, snapshot);
  // The request came twice at the same time, and the other one was first.
  if (result === 'asked') return respondOnce(ports, input, await readCouncilWithSize(ports, name));
  if (result === 'accepted') {
    const apart = submission.sealed ? await warnOfSealedElsewhere(ports, state, submission.sealed) : [];
    return { accepted: true, ...turn, revision, warnings: [...warnings, ...apart] };
  }
  if (result !== 'same') return refuse(result, revision, result.state);
  const message = formatAlreadySaid(participant);
  return { accepted: false, ...turn, revision, reason: 'already_responded', message, warnings };
}

/** Warns if this user has sealed texts in the private folder of another HOME: a tick reads only its own folder. */
async function warnOfSealedElsewhere(
  { privateFiles, place }: Ports,
  state: CouncilState,
  sealed: SealedText,
): Promise<string[]> {
  if (privateFiles.sealing) return [];
  const isUnseen = (id: string): boolean =>
    id !== sealed.participant &&
    getSeat(state, id).sealedAt === place &&
    !hasSeenSealed({ privateFiles }, state, id);
  const apart = state.order.some(isUnseen)
    ? (await findMissingTexts(state, privateFiles)).filter(isUnseen)
    : [];
  const { begunIn } = state;
  const isElsewhere = begunIn?.place === place && begunIn.folder !== privateFiles.mark;
  if (apart.length === 0 && !isElsewhere) return [];
  const elsewhere =
    apart.length > 0
      ? `sealed that of ${apart.join(', ')} in another folder`
      : 'opened this council with another private folder';
  const { conversationId, participant, tour } = sealed;
  const path = privateFiles.path(conversationId, getSealedName(participant, tour, commitmentOf(sealed)));
  return [
    `This text is sealed in ${path}, and ${place} ${elsewhere}: HOME or XDG_STATE_HOME has changed. With their former values, bring it there: council reveal ${participant} --name ${state.name} --file ${quoteShellWord(path)}`,
  ];
}

interface UnreadContribution extends Omit<PhaseText, 'verdict' | 'text'>, TextInParts {
  flags?: VerdictFlags;
}

/** Reads a text as a contribution to a phase; `council` may be null. Adds unusable parts to `warnings`. */
export async function readText(
  council: Council | null,
  { flags = NO_FLAGS, text: whole, parts, ...turn }: UnreadContribution,
  warnings: string[] = [],
): Promise<ReadBack> {
  const readPart = async (text: string, said: VerdictFlags): Promise<ReadBack> => {
    const {
      verdict: stated,
      warnings: unread,
      ...more
    } = readPartVerdict(council?.state, turn.by, text, said);
    warnings.push(...unread);
    const isForAnother = council !== null && turn.by !== null && isAsked(council.state, turn.by, turn.tour);
    const verdict = isForAnother ? { ...ADVOCATE, done: stated.done } : stated;
    return readBack(council, { ...turn, text, verdict }, more);
  };
  const [first = '', ...others] = splitParts({ text: whole, ...(parts && { parts }) });
  let read = await readPart(first, flags);
  for (const text of others) read = mergeReadBacks(read, await readPart(text, NO_FLAGS));
  const isUnexplained =
    council !== null && (await isMoveUnexplained(council, { ...turn, text: whole }, read));
  return isUnexplained ? { ...read, missing: [...read.missing, 'because'] } : read;
}

/** Whether the whole text changes a position without naming the reason. */
async function isMoveUnexplained(
  council: Council,
  { by, phase, tour, text }: Omit<PhaseText, 'verdict'>,
  { position }: ReadBack,
): Promise<boolean> {
  if (by === null || position === null || tour === 1) return false;
  // It loads the Markdown parser.
  const { isUnexplainedMove } = await import('../ledger/moves.ts');
  return isUnexplainedMove(council, { by, phase, tour, text, position });
}
