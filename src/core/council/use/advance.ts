// Use cases that close the open phase or cancel a council.
import { CouncilError, ignoreCodes } from '../../base/errors.ts';
import { findCloseReason } from '../machine/close.ts';
import type { CloseEvent } from '../machine/close.ts';
import type { Notice } from '../machine/transition-result.ts';
import { transition } from '../machine/transition.ts';
import type { PhaseEvent } from '../machine/transition.ts';
import type { UnsealedData } from '../machine/unseal.ts';
import type { Council, CouncilState, Transition } from '../state/state.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import { removeOrphans } from './orphans.ts';
import type { Ports } from './ports.ts';
import { findMissingTexts, unsealAll } from './seal.ts';
import { readControls, readSpooled } from './read-spools.ts';
import { amendCouncil } from './commit-change.ts';
import { requireAccepted } from './council-access.ts';
import type { Snapshot } from './council-access.ts';

export interface AdvanceResult {
  /** The phase transition that this call committed; null if the phase stays open or another call closed it. */
  transition: Transition | null;
  council: Council;
  revision: number;
  notices: Notice[];
  /** Participants who have responded but whose sealed text is not on this machine, with its location. */
  missing: { participant: string; place: string | null }[];
}

/**
 * Closes the open phase if possible: all awaited have responded, or time is up. In a blind phase one commit
 * changes the phase and reveals texts and salts. In SYNTHESIZE it commits the closing revision that reserves
 * the archive. Commits at most one transition; none if another process was first.
 */
export async function advance(
  ports: Ports,
  snapshot: Snapshot,
  { isGivenUp = false }: Pick<CloseEvent, 'isGivenUp'> = {},
): Promise<AdvanceResult> {
  const { state } = snapshot.council;
  const [now, clocks] = [ports.clock.now(), ports.clock.clocks()];
  const mayClose = findCloseReason(state, now, [], clocks) !== null;
  const found = await readSealedTexts(ports, state, mayClose);
  const missing = found.missing.map((participant) => ({
    participant,
    place: getSeat(state, participant).sealedAt,
  }));
  const stay: AdvanceResult = { ...snapshot, transition: null, notices: [], missing };
  const why = findCloseReason(state, now, found.missing, clocks);
  const isSealClosed = why === null && (await isClosedForGood(ports, state));
  if (!why && !isSealClosed) return stay;
  const unsealed = await closeSealed(ports, state, why ?? 'closed before', found);
  const eventFor = await createClosingEvent(ports, state, { isSealClosed, isGivenUp });
  const note = { action: 'close', by: null };
  const { result: notices, ...closed } = await amendCouncil(ports, state.name, note, async (now) => {
    const { conversationId, tour, closing, revision } = now.state;
    if (conversationId !== state.conversationId || tour !== state.tour || closing) return { result: null };
    // If there is a newer revision, a sealed text may have arrived since the first read.
    const texts = revision === snapshot.revision ? unsealed : await unsealAll(now.state, ports.privateFiles);
    const event = eventFor({ ...texts, ...(await readKept(now.state, ports.privateFiles, texts)) });
    const outcome = transition(now, event, ports.clock.now(), ports.clock.clocks());
    return outcome.ok ? { next: outcome.council, result: outcome.notices } : { result: null };
  });
  if (!notices) return stay;
  await removeOrphans(ports, closed.council, 'closed');
  // The transition is committed. The texts are safe where they are, and archiving surfaces them again.
  await moveKeptToLate(ports, state).catch(ignoreCodes('io'));
  return toAdvance(closed, notices);
}

type Sealed = Awaited<ReturnType<typeof unsealAll>>;

/**
 * Reads the sealed texts of the open phase. Nothing is read while the phase cannot close, so that reading time
 * does not reveal a text's length. If the store guards them, they are unreadable until the round is closed
 * there.
 */
const readSealedTexts = async (
  { privateFiles }: Ports,
  state: CouncilState,
  mayClose: boolean,
): Promise<Sealed> =>
  mayClose && !privateFiles.sealing
    ? unsealAll(state, privateFiles)
    : { texts: [], missing: await findMissingTexts(state, privateFiles) };

/** True if a tick stopped between closing the round and opening the next phase: no more texts are accepted. */
const isClosedForGood = async ({ privateFiles }: Ports, state: CouncilState): Promise<boolean> =>
  isBlindNow(state) && ((await privateFiles.sealing?.isClosed(state.conversationId, state.tour)) ?? false);

/** If the store guards sealed texts, closes the round there irrevocably and reads them; otherwise `found`. */
async function closeSealed(
  { privateFiles }: Ports,
  state: CouncilState,
  why: string,
  found: Sealed = { texts: [], missing: [] },
): Promise<Sealed> {
  if (!privateFiles.sealing || !isBlindNow(state)) return found;
  await privateFiles.sealing.close(state.conversationId, state.tour, why);
  return unsealAll(state, privateFiles);
}

/** Reads usage and failures from the private folder; those of controls stay there until the council ends. */
async function readKept(
  state: CouncilState,
  files: Ports['privateFiles'],
  { texts }: Pick<Sealed, 'texts'>,
  isEnding = state.currentPhase === 'SYNTHESIZE',
): Promise<Pick<UnsealedData, 'usage' | 'failures' | 'controls'>> {
  const spooled = await readSpooled(state, files, texts);
  if (!isEnding) return spooled;
  const { controls, usage } = await readControls(state, files);
  return { ...spooled, usage: [...spooled.usage, ...usage], controls };
}

/** Returns a function that makes the closing event from the contents of the private folder. */
async function createClosingEvent(
  ports: Ports,
  { currentPhase, topic, mode }: CouncilState,
  how: Pick<CloseEvent, 'isSealClosed' | 'isGivenUp'>,
): Promise<(found: UnsealedData) => PhaseEvent> {
  if (currentPhase === 'SYNTHESIZE') {
    const path = await ports.reserveArchive(topic, ports.clock.now());
    return ({ usage, controls }) => ({ type: 'archive', path, usage, controls });
  }
  // Loads the Markdown parser only when a phase closes.
  const [{ closeRound }, reading] = await Promise.all([
    import('../ledger/ledger.ts'),
    ports.modeReading?.(mode),
  ]);
  const seed = ports.random.hex(8);
  return (found) => ({
    ...{ type: 'close', ...found, seed, ...how },
    // With the mode's own reading rules there are no claims or challenges.
    closeTour: reading ? ({ state }) => state.ledger : closeRound,
    findSettled: reading?.findSettled,
  });
}

/**
 * Ends the council at once: everything sealed is revealed, and the closing revision reserves the archive's
 * path. Resumes a cancellation that a crash interrupted.
 */
export async function cancel(ports: Ports, snapshot: Snapshot, why: string): Promise<AdvanceResult> {
  const { state } = snapshot.council;
  if (state.closing && state.status === 'CANCELLED')
    return { ...snapshot, transition: null, notices: [], missing: [] };
  const path = await ports.reserveArchive(state.topic, ports.clock.now());
  await closeSealed(ports, state, 'cancelled');
  const note = { action: 'cancel', by: null };
  const { result: notices, ...closed } = await amendCouncil(ports, state.name, note, async (now) => {
    if (now.state.conversationId !== state.conversationId)
      throw new CouncilError(
        'phase_closed',
        `The council "${state.name}" has been archived and another one has its name.`,
        { hint: 'See the archives with: council list' },
      );
    const texts = await unsealAll(now.state, ports.privateFiles);
    const found = { ...texts, ...(await readKept(now.state, ports.privateFiles, texts, true)) };
    const result = transition(now, { type: 'cancel', why, path, ...found }, ports.clock.now());
    const { council: next, notices } = requireAccepted(result, 'Finish its archive with: council tick');
    return { next, result: notices };
  });
  return toAdvance(closed, notices);
}

const toAdvance = (closed: Snapshot, notices: Notice[]): AdvanceResult => ({
  ...closed,
  transition: closed.council.state.transitions.at(-1) ?? null,
  notices,
  missing: [],
});

/** Moves texts refused during the blind phase to the late texts, inside the project. */
export async function moveKeptToLate(ports: Ports, state: CouncilState): Promise<void> {
  const kept = 'kept-';
  for (const name of await ports.privateFiles.list(state.conversationId)) {
    if (!name.startsWith(kept)) continue;
    const bytes = await ports.privateFiles.read(state.conversationId, name);
    if (bytes) await ports.lateFiles.keep(state.conversationId, name.slice(kept.length), bytes);
  }
}
