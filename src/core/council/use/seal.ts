// Sealed texts: commitments, file names, opening them with a check, how much those of a phase take, and supplying a missing one.
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import { sha256, sha256OfParts } from '../../base/ids.ts';
import { parseJsonSafely, MAX_COUNCIL_BYTES } from '../../base/text.ts';
import type { ProcessIdentity } from '../../store/local/liveness.ts';
import type { PrivateTexts } from '../../store/small-files.ts';
import type { RevealedText } from '../machine/unseal.ts';
import { pickChoice } from '../state/ballot.ts';
import type { CouncilState, UsageRecord } from '../state/state.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import { createOwnerCache } from '../../base/memoize.ts';
import type { Ports } from './ports.ts';
import { amendCouncil } from './commit-change.ts';
import { requireAccepted } from './council-access.ts';
import { transition } from '../machine/transition.ts';

interface RevealResult {
  participant: string;
  tour: number;
  revision: number;
  /** True if the phase is still blind: the text is back in the private folder until the phase closes. */
  stillSealed: boolean;
}

/** The round of a text, and the file it goes back to while that round is open. */
interface RevealTarget {
  file: string | null;
  tour: number;
}

/**
 * Takes exactly the committed text that was missing. While the phase is open it goes back to the private
 * folder; afterwards the contribution joins its round and the absence ends. Throws `commitment_mismatch`, and
 * `usage` if no text of that participant is missing.
 */
export async function reveal(
  ports: Ports,
  input: { name: string; participant: string; bytes: Uint8Array; where: string },
): Promise<RevealResult> {
  const { name, participant, bytes, where } = input;
  const { closeRound } = await import('../ledger/ledger.ts');
  const note = { action: 'reveal', by: participant };
  const { result, council, revision } = await amendCouncil<RevealTarget>(ports, name, note, (now) => {
    const { state } = now;
    const { commitment } = getSeat(state, participant);
    if (isBlindNow(state) && commitment) {
      openSealed(bytes, commitment, where);
      return { result: { file: getSealedName(participant, state.tour, commitment), tour: state.tour } };
    }
    const absence = findMissingAbsence(state, participant);
    const text = openSealed(bytes, absence.commitment, where);
    const revealed = requireAccepted(
      transition(now, { type: 'reveal', text, closeTour: closeRound }, ports.clock.now()),
      `See what is missing with: council status --name ${now.state.name}`,
    );
    return { next: revealed.council, result: { file: null, tour: absence.tour } };
  });
  const { file, tour } = result;
  if (file) await ports.privateFiles.write(council.state.conversationId, file, bytes);
  return { participant, tour, revision, stillSealed: file !== null };
}

/** Returns the absence of a participant whose sealed text could not be read when its phase closed. */
function findMissingAbsence(
  { absences, name }: CouncilState,
  participant: string,
): { tour: number; commitment: string } {
  for (const { participant: id, tour, commitment } of absences)
    if (id === participant && commitment !== undefined) return { tour, commitment };
  throw new CouncilError('usage', `No sealed text of ${participant} is missing in "${name}".`, {
    hint: `See who is absent, and why: council status --name ${name}`,
  });
}

/** A contribution to a blind phase, as stored in the private folder until the reveal. */
export interface SealedText extends RevealedText {
  /** 1 in a council of schema 1, whose verdicts have no choice. */
  version: 1 | 2;
  conversationId: string;
  /** The process that will commit it; once it is dead, the text is an orphan. Not part of the commitment. */
  writer?: ProcessIdentity;
  /** Usage of the launch that wrote it, for machines without its spool. Not part of the commitment. */
  usage?: UsageRecord[];
}

/**
 * Returns the public hash that binds a sealed text: SHA-256 over version, conversationId, participant, phase,
 * tour, salt and content, each preceded by its length in bytes (decimal, then a colon). Content is the verdict
 * as JSON, then the text.
 */
export function commitmentOf(sealed: SealedText): string {
  const { agreed, done, position, blocking } = sealed.verdict;
  const choice = sealed.version === 1 ? {} : pickChoice(sealed.verdict);
  const { parts } = sealed;
  const verdict = JSON.stringify({ agreed, done, position, blocking, ...choice, ...(parts && { parts }) });
  return sha256OfParts([
    String(sealed.version),
    sealed.conversationId,
    sealed.participant,
    sealed.phase,
    String(sealed.tour),
    sealed.salt,
    verdict,
    sealed.text,
  ]);
}

/**
 * Returns the file name of a sealed text. It contains the commitment, so that a replacement never overwrites a
 * text that the state still refers to.
 */
export const getSealedName = (participant: string, round: number, commitment: string): string =>
  `sealed-${participant}-${round}-${commitment.slice(0, 32)}.json`;

/** Returns the file name of a participant's sealed text in the open round; undefined if there is none. */
export function findSealedFileName(state: CouncilState, participant: string): string | undefined {
  const { commitment } = getSeat(state, participant);
  return commitment ? getSealedName(participant, state.tour, commitment) : undefined;
}

/** Returns the late name of a sealed text that is no longer committed to, stored without its seal. */
export const formatKeptName = ({ participant, phase, tour, text }: SealedText): string =>
  `kept-${participant}-${phase}-${tour}-${sha256(text).slice(0, 16)}`;

/** Reads a sealed record and checks its commitment; throws `commitment_mismatch`. Errors contain no text. */
export function openSealed(bytes: Uint8Array, commitment: string, where: string): SealedText {
  let sealed: SealedText;
  try {
    sealed = parseJsonSafely(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as SealedText;
    if (commitmentOf(sealed) === commitment) return sealed;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new CouncilError(
    'commitment_mismatch',
    `${where} (${bytes.length} bytes) is not the text that was committed to (${commitment.slice(0, 16)}…).`,
    {
      hint: 'Give the sealed-….json file itself, unchanged, from the private folder of the host where the participant responded.',
    },
  );
}

/**
 * Returns a participant's sealed text in the open phase; undefined if it is not here. A damaged one counts as
 * missing: the phase waits for it, and `council reveal` accepts an intact copy.
 */
export async function readSealed(
  state: CouncilState,
  participant: string,
  files: Pick<PrivateTexts, 'read'>,
): Promise<SealedText | undefined> {
  const { commitment } = getSeat(state, participant);
  const file = findSealedFileName(state, participant);
  const bytes = file && (await files.read(state.conversationId, file));
  if (!commitment || !bytes) return undefined;
  return ignoreRefusal(() => openSealed(bytes, commitment, ''));
}

/** Returns the participants of the open blind phase whose committed text is not here. Reads only the directory. */
export async function findMissingTexts(
  state: CouncilState,
  files: Pick<PrivateTexts, 'list'>,
): Promise<string[]> {
  if (!isBlindNow(state)) return [];
  const here = new Set(await files.list(state.conversationId));
  return state.order.filter((id) => {
    const file = findSealedFileName(state, id);
    return file !== undefined && !here.has(file);
  });
}

/** Returns every readable sealed text of the open blind phase, and the participants whose text is missing. */
export async function unsealAll(
  state: CouncilState,
  files: Pick<PrivateTexts, 'read'>,
): Promise<{ texts: SealedText[]; missing: string[] }> {
  if (!isBlindNow(state)) return { texts: [], missing: [] };
  const committed = state.order.filter((id) => getSeat(state, id).commitment !== null);
  const found = await Promise.all(committed.map((id) => readSealed(state, id, files)));
  const texts = found.filter((text) => text !== undefined);
  return { texts, missing: committed.filter((id) => !texts.some((t) => t.participant === id)) };
}

/** True if the sealed texts and `more` bytes would make the council too large. */
export async function isFull(ports: Ports, state: CouncilState, more: number): Promise<boolean> {
  // The files are larger than the texts in them, so their sizes are a quick upper bound.
  return (
    (await measureSealedFiles(ports, state)) + more > MAX_COUNCIL_BYTES &&
    (await measureSealedTexts(ports, state)) + more > MAX_COUNCIL_BYTES
  );
}

async function measureSealedFiles({ privateFiles }: Ports, state: CouncilState): Promise<number> {
  const { conversationId } = state;
  const known = sizes(privateFiles, conversationId, () => new Map());
  let sum = 0;
  for (const id of state.order) {
    const { commitment } = getSeat(state, id);
    if (commitment === null) continue;
    const bytes =
      known.get(commitment) ?? (await privateFiles.size(conversationId, findSealedFileName(state, id)!));
    if (bytes !== undefined) known.set(commitment, bytes);
    sum += bytes ?? 0;
  }
  return sum;
}

/**
 * File sizes by commitment. Sealed files never change, so each is checked once per process. A removed file
 * makes the sum too large, which only leads to an exact check.
 */
const sizes = createOwnerCache<Map<string, number>>(50);

/** Whether this process has seen a participant's sealed text. */
export function hasSeenSealed(
  { privateFiles }: Pick<Ports, 'privateFiles'>,
  state: CouncilState,
  id: string,
): boolean {
  const { commitment } = getSeat(state, id);
  return commitment !== null && sizes(privateFiles, state.conversationId, () => new Map()).has(commitment);
}

async function measureSealedTexts(ports: Ports, state: CouncilState): Promise<number> {
  if (ports.privateFiles.sealing) return measureSealedFiles(ports, state);
  const { texts } = await unsealAll(state, ports.privateFiles);
  return texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}
