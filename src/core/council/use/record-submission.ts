// Records a submission: seals it in a blind phase, then commits.
import { MAX_COUNCIL_BYTES } from '../../base/text.ts';
import { buildContribution } from '../document/contribution.ts';
import { serialize } from '../document/document.ts';
import { transition } from '../machine/transition.ts';
import type { PhaseEvent } from '../machine/transition.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import type { Council, CouncilState, Verdict } from '../state/state.ts';
import { findDoneRequest, keepAsked, addRequest } from './keyed-requests.ts';
import { openBallot, pickChoice } from '../state/ballot.ts';
import { commitSealed, hasSealedFile } from './orphans.ts';
import type { Ports } from './ports.ts';
import { commitmentOf, findSealedFileName, readSealed, isFull } from './seal.ts';
import { isAsked } from './submission.ts';
import type { Refusal, RespondInput, Submission } from './submission.ts';
import { amendCouncil } from './commit-change.ts';
import type { SizedSnapshot } from './council-access.ts';

/**
 * The outcome of a submission; `same`: recorded before; `asked`: this very request was completed meanwhile. A
 * refusal includes the state that refused.
 */
export type RecordResult = 'accepted' | 'same' | 'asked' | (Refusal & { state: CouncilState });

/** Seals a submission if the phase is blind, and commits it; returns the resulting revision. */
export async function recordSubmission(
  ports: Ports,
  submission: Submission,
  { council, revision, size }: SizedSnapshot,
): Promise<{ result: RecordResult; revision: number }> {
  const { input, text, sealed } = submission;
  const before = await readEarlier(ports, council, input.participant, text);
  if (isSaid(submission, council.state, before)) return { result: 'same', revision };
  const isNew = sealed !== null && (before.repeat === 'first' || input.replace);
  if (isNew && (await isFull(ports, council.state, size + input.bytes.length)))
    return { result: { ...createSizeRefusal(input.bytes.length), state: council.state }, revision };

  let replaced: string | null = null;
  let isSpoken = false;
  const commit = async () => {
    const note = { action: 'respond', by: input.participant };
    // Must be stored before the commit that names it.
    const asked = isNew || !sealed ? await keepKeyedRequest(ports, submission) : undefined;
    const done = await amendCouncil(ports, input.name, note, async (now, next) => {
      const told = await decide(ports, { ...submission, isNew, size }, now);
      const decided = { ...told, ...(told.next && { next: addRequest(told.next, asked, next) }) };
      replaced = getSeat(now.state, input.participant).commitment;
      isSpoken = decided.next !== undefined;
      return decided;
    });
    // Others may have spoken in the same revision.
    return { ...done, now: isSpoken ? done.council : null, replaced };
  };
  return isNew ? commitSealed(ports, input.name, sealed, commit) : commit();
}

/** Stores a request that has a key; undefined for one without. */
const keepKeyedRequest = async (ports: Ports, { input, turn, sealed }: Submission) =>
  input.request &&
  keepAsked(ports, input.request, { ...turn, by: input.participant, isSealed: sealed !== null });

/** Returns the council with a submission, or a refusal. Pure, except for checking for the sealed text. */
async function decide(
  ports: Ports,
  submission: Submission & { isNew: boolean; size: number },
  now: Council,
): Promise<{ next?: Council; result: RecordResult }> {
  const { input, turn, text } = submission;
  const { participant, name } = input;
  const refuse = (why: Refusal) => ({ result: { ...why, state: now.state } });
  if (now.state.conversationId !== turn.conversationId)
    return refuse({
      code: 'phase_closed',
      message: `The council "${name}" this text was written for is over.`,
    });
  if (findDoneRequest(now.state, input.request)) return { result: 'asked' };
  const before = await readEarlier(ports, now, participant, text);
  if (isSaid(submission, now.state, before)) return { result: 'same' };
  if (
    isTurnOpen(submission, now.state) &&
    (isOtherBallot(submission, now) || !(await isReady(ports, submission, { now, before })))
  )
    return refuse({
      code: 'conflict',
      message: `The council "${name}" was restored to an earlier revision meanwhile: run the same command again.`,
    });
  const event = buildRespondEvent(submission, { now, before, place: ports.place });
  const result = transition(now, event, ports.clock.now());
  if (!result.ok) return refuse({ code: result.code, message: result.message });
  const bytes = submission.sealed ? 0 : measureNextBytes(result.council, now, submission);
  return bytes > MAX_COUNCIL_BYTES
    ? refuse(createTooLargeRefusal(bytes))
    : { next: result.council, result: 'accepted' };
}

/** Only a concurrent restore can change the ballot that a vote was read against. */
const isOtherBallot = ({ ballot }: Submission, { state }: Council): boolean =>
  JSON.stringify(ballot) !== JSON.stringify(openBallot(state));

/** Only a concurrent restore can make it unready: a hidden text is not sealed, or a sealed one not hidden. */
async function isReady(
  ports: Ports,
  { sealed, isNew }: Submission & { isNew: boolean },
  { now, before }: { now: Council; before: EarlierAnswer },
): Promise<boolean> {
  if (!isBlindNow(now.state) || sealed === null) return !isBlindNow(now.state) && sealed === null;
  return isNew ? hasSealedFile(ports, sealed) : before.repeat !== 'first';
}

function buildRespondEvent(
  { input, turn, text, verdict, at, sealed }: Submission,
  { now, before, place }: { now: Council; before: EarlierAnswer; place: string },
): PhaseEvent {
  const { participant, replace, leaseId = null, usage, parts } = input;
  const { tour } = turn;
  const phase = now.state.currentPhase;
  const said = buildContribution({
    by: participant,
    phase,
    tour,
    at,
    verdict,
    ...(parts && { parts }),
    text,
  });
  const asked = isAsked(now.state, participant, tour) && { advocate: true as const };
  return {
    type: 'respond',
    participant,
    tour,
    replace,
    leaseId,
    verdict,
    said: sealed ? null : { ...said, ...asked },
    sealed: sealed && { commitment: commitmentOf(sealed), at: place },
    repeat: before.repeat,
    ...(usage && { usage }),
  };
}

/** Returns the bytes of a council; exact only near the limit, since serializing a large one is slow. */
function measureNextBytes(
  next: Council,
  now: Council,
  { input, size }: { input: RespondInput; size: number },
): number {
  // Others may have spoken since the first read.
  const total = Math.max(size, countSaidBytes(now)) + input.bytes.length;
  return total < MAX_COUNCIL_BYTES / 2 ? total : Buffer.byteLength(serialize(next));
}

const isTurnOpen = ({ turn }: Submission, state: CouncilState): boolean =>
  turn.tour === state.tour && !state.closing;

const isSaid = (submission: Submission, state: CouncilState, before: EarlierAnswer): boolean =>
  isTurnOpen(submission, state) && isNoop(before, submission.verdict, submission.input.replace);

const countSaidBytes = ({ contributions }: Council): number =>
  contributions.reduce((sum, c) => sum + c.bytes, 0);

/** Omits the total, because the amount that others have written is sealed as well. */
const createSizeRefusal = (bytes: number): Refusal => ({
  code: 'too_large',
  message: `With this contribution of ${bytes} bytes the council would be too large; the limit is ${MAX_COUNCIL_BYTES} (16 MiB).`,
});

const createTooLargeRefusal = (bytes: number): Refusal => ({
  code: 'too_large',
  message: `With this contribution the council would have ${bytes} bytes; the limit is ${MAX_COUNCIL_BYTES} (16 MiB).`,
});

/** What the participant said before in this round, as far as it is readable here. */
type EarlierAnswer = { repeat: 'first' | 'same' | 'different'; verdict: Verdict | null };

/** Reads the private folder while the phase is blind. */
async function readEarlier(
  ports: Ports,
  council: Council,
  participant: string,
  text: string,
): Promise<EarlierAnswer> {
  const { state } = council;
  const { commitment } = getSeat(state, participant);
  if (isBlindNow(state)) {
    if (!commitment) return { repeat: 'first', verdict: null };
    const { sealing } = ports.privateFiles;
    const file = findSealedFileName(state, participant);
    if (sealing && file) {
      const isSame = (await sealing.same(state.conversationId, file, text)) === true;
      return { repeat: isSame ? 'same' : 'different', verdict: null };
    }
    const before = await readSealed(state, participant, ports.privateFiles);
    return { repeat: before?.text === text ? 'same' : 'different', verdict: before?.verdict ?? null };
  }
  const before = council.contributions.find((c) => c.by === participant && c.tour === state.tour);
  if (!before) return { repeat: 'first', verdict: null };
  const verdict = {
    agreed: before.agreed === true,
    done: before.done === true,
    position: before.position ?? null,
    blocking: before.blocking ?? [],
    ...pickChoice(before),
  };
  return { repeat: before.text === text ? 'same' : 'different', verdict };
}

/** Repeating the same text changes nothing, unless `--replace` changes the verdict. */
function isNoop(earlier: EarlierAnswer, verdict: Verdict, replace: boolean): boolean {
  return (
    earlier.repeat === 'same' && !(replace && JSON.stringify(earlier.verdict) !== JSON.stringify(verdict))
  );
}
