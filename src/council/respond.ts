import { CouncilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { iso } from '../base/clock.ts';
import { MAX_COUNCIL_BYTES } from '../base/text.ts';
import { amend, readSized } from './amend.ts';
import { checkText, contributionOf } from './contribution.ts';
import { sameOption } from './decision.ts';
import { serialize, withContribution } from './document.ts';
import { admit } from './identity.ts';
import { carriedPosition, isNoop, whatWasSaid } from './earlier.ts';
import { keepAnywhere, keepRefused } from './keep.ts';
import { transition } from './phase.ts';
import type { PhaseEvent } from './phase.ts';
import type { Ports } from './ports.ts';
import { commitmentOf, sealedName, unsealAll } from './seal.ts';
import type { SealedText } from './seal.ts';
import type { Contribution, Council, CouncilState, PhaseName, Verdict } from './state.ts';
import { isBlindNow, seat } from './state.ts';
import type { UsageRecord } from './usage.ts';
import { readVerdict } from './verdict.ts';
import type { VerdictFlags } from './verdict.ts';

export interface RespondInput {
  name: string;
  participant: string;
  bytes: Uint8Array;
  flags: VerdictFlags;
  replace: boolean;
  /** The turn the text was written for; without it, the turn that is open at the first read. */
  turn?: { conversationId?: string; tour: number };
  /** Set by a launch: the result is accepted under this lease only, and what it used up is recorded. */
  leaseId?: string;
  /** The participant's, where the council asks for it. */
  token?: string | undefined;
  usage?: UsageRecord;
}

export interface RespondResult {
  accepted: boolean;
  name: string;
  participant: string;
  phase: PhaseName;
  tour: number;
  revision: number;
  /** Why the text was not accepted: `already_responded` for the same text again, else an error code. */
  reason?: ErrorCode | 'already_responded';
  message?: string;
  /** Where the refused text lies. */
  kept?: string;
  warnings: string[];
}

/**
 * Records a contribution, or refuses it and keeps it in a file. Throws only for an unknown council or participant,
 * for a store that fails, and after repeated conflicts; `details.kept` then says where the text lies.
 */
export async function respond(ports: Ports, input: RespondInput): Promise<RespondResult> {
  try {
    const reading = await readSized(ports, input.name);
    admit(reading.council.state, input);
    return await respondTo(ports, input, reading);
  } catch (error) {
    if (error instanceof CouncilError && input.bytes.length > 0)
      error.details.kept = keepAnywhere(ports, input.participant, input.bytes);
    throw error;
  }
}

async function respondTo(
  ports: Ports,
  input: RespondInput,
  { council, revision, size }: Awaited<ReturnType<typeof readSized>>,
): Promise<RespondResult> {
  const { state } = council;
  const tour = input.turn?.tour ?? state.tour;
  const conversationId = input.turn?.conversationId ?? state.conversationId;
  const phase = state.transitions.find((t) => t.tour === tour)?.from ?? state.currentPhase;
  const turn = { name: input.name, participant: input.participant, phase, tour };
  const refused = (code: ErrorCode, message: string, at: number, now: CouncilState): RespondResult => ({
    accepted: false,
    ...turn,
    revision: at,
    reason: code,
    message,
    kept: keepRefused(ports, now, { ...turn, conversationId }, input.bytes),
    warnings: [],
  });

  let text: string;
  try {
    text = checkText(input.bytes);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return refused(error.code, error.message, revision, state);
  }
  const { verdict: stated, warnings } = await readVerdict(text, input.flags);
  const option =
    state.rules.options && stated.position !== null && sameOption(stated.position, state.rules.options);
  if (option === undefined && input.participant !== state.coordinator) {
    // Without the position itself: a launch's failure is written into the state, and the phase may be blind.
    return refused(
      'invalid_position',
      `The position is none of the options: ${state.rules.options?.join(', ')}.`,
      revision,
      state,
    );
  }
  const verdict = asked(state, input.participant, tour)
    ? { ...ADVOCATE, done: stated.done }
    : { ...stated, position: option || stated.position };
  const at = iso(ports.clock.now());
  const sealed: SealedText | null =
    isBlindNow(state) && tour === state.tour
      ? {
          version: 1,
          conversationId,
          participant: input.participant,
          phase: 'COLLECT',
          tour,
          at,
          salt: ports.random.hex(32),
          verdict,
          text,
        }
      : null;
  const earlier = whatWasSaid(ports, council, input.participant, text);
  const same: RespondResult = {
    accepted: false,
    ...turn,
    revision,
    reason: 'already_responded',
    message: `${input.participant} has already responded with this text.`,
    warnings,
  };
  if (isNoop(earlier, verdict, input.replace) && tour === state.tour && !state.closing) return same;
  const isSealed = sealed !== null && (earlier.repeat === 'first' || input.replace);
  if (isSealed) {
    const total = (sealed: number) => sealed + size + input.bytes.length;
    // Their files are larger than the texts in them, and need not be read to know it.
    const isTooLarge =
      total(sealedFiles(ports, state)) > MAX_COUNCIL_BYTES &&
      total(sealedBytes(ports, state)) > MAX_COUNCIL_BYTES;
    // Without the total: how much the others have written is sealed as well.
    if (isTooLarge)
      return refused(
        'too_large',
        `With this contribution of ${input.bytes.length} bytes the council would be too large; the limit is ${MAX_COUNCIL_BYTES} (16 MiB).`,
        revision,
        state,
      );
    // The private file and its folder are durable before the state commits to it.
    ports.privateFiles.write(
      conversationId,
      sealedName(input.participant, tour, commitmentOf(sealed)),
      Buffer.from(JSON.stringify(sealed)),
    );
  }

  type Decision = { code: ErrorCode; message: string; state: CouncilState } | 'same' | 'accepted';
  const decide = (now: Council): { next?: Council; result: Decision } => {
    const refuse = (code: ErrorCode, message: string) => ({ result: { code, message, state: now.state } });
    if (now.state.conversationId !== conversationId)
      return refuse('phase_closed', `The council "${input.name}" this text was written for is over.`);
    const before = whatWasSaid(ports, now, input.participant, text);
    if (tour === now.state.tour && !now.state.closing && isNoop(before, verdict, input.replace))
      return { result: 'same' };
    // Only a restore in between can do this: what is hidden has not been sealed, or what is sealed would not be hidden.
    const unready = isBlindNow(now.state)
      ? !isSealed && (!sealed || before.repeat === 'first')
      : sealed !== null;
    if (tour === now.state.tour && !now.state.closing && unready)
      return refuse(
        'conflict',
        `The council "${input.name}" was set back meanwhile: run the same command again.`,
      );
    const event: PhaseEvent = {
      type: 'respond',
      participant: input.participant,
      tour,
      replace: input.replace,
      leaseId: input.leaseId ?? null,
      verdict: { ...verdict, position: verdict.position ?? carriedPosition(now, input.participant, tour) },
      sealed: sealed && { commitment: commitmentOf(sealed), at: ports.place },
      repeat: before.repeat,
      ...(input.usage && { usage: input.usage }),
    };
    const outcome = transition(now.state, event, ports.clock.now());
    if (!outcome.ok) return refuse(outcome.code, outcome.message);
    const said: Contribution = {
      ...contributionOf({ by: input.participant, phase: now.state.currentPhase, tour, at, verdict, text }),
      ...(asked(now.state, input.participant, tour) && { advocate: true }),
    };
    const next: Council = {
      ...now,
      state: outcome.state,
      contributions: sealed ? now.contributions : withContribution(now, said),
    };
    const total = size + input.bytes.length;
    // Measured exactly only where it may matter: writing a council out takes long for a large one.
    const exact = sealed || total < MAX_COUNCIL_BYTES / 2 ? 0 : Buffer.byteLength(serialize(next));
    return exact > MAX_COUNCIL_BYTES ? refuse('too_large', tooLarge(exact)) : { next, result: 'accepted' };
  };
  const { result, revision: committed } = await amend(
    ports,
    input.name,
    { action: 'respond', by: input.participant },
    decide,
  );
  if (result === 'same') return { ...same, revision: committed };
  if (result === 'accepted') return { accepted: true, ...turn, revision: committed, warnings };
  return refused(result.code, result.message, committed, result.state);
}

/** What an advocate says on request is not its own position, agreement or objection; the text keeps all of it. */
const ADVOCATE: Verdict = { agreed: false, done: false, position: null, blocking: [] };
const asked = ({ advocate }: CouncilState, id: string, tour: number): boolean =>
  advocate?.participant === id && advocate.tour === tour;

function sealedFiles({ privateFiles }: Ports, state: CouncilState): number {
  const { conversationId, tour, order } = state;
  return order.reduce((sum, id) => {
    const { commitment } = seat(state, id);
    const name = commitment && sealedName(id, tour, commitment);
    return sum + ((name && privateFiles.size(conversationId, name)) || 0);
  }, 0);
}

const sealedBytes = (ports: Ports, state: CouncilState): number =>
  unsealAll(state, ports.privateFiles).texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

const tooLarge = (bytes: number): string =>
  `With this contribution the council would have ${bytes} bytes; the limit is ${MAX_COUNCIL_BYTES} (16 MiB).`;
