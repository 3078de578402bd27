// Keeps sealed texts that a restore drops, and brings them back.
import { CouncilError } from '../../base/errors.ts';
import { formatCommittedName, collectNeededSeals } from './orphans.ts';
import type { Ports } from './ports.ts';
import { formatKeptName, findSealedFileName, unsealAll } from './seal.ts';
import type { Council } from '../state/state.ts';
import { isBlindNow, getSeat } from '../state/state.ts';

/** Name of the copy of a sealed text that a restore has dropped; a later restore may need it. */
const formatDroppedName = (file: string): string => `dropped-${file}`;

/**
 * Returns the acknowledged sealed texts, among the names in a council's private folder, that the council does
 * not refer to and no restore has dropped: they belonged to a lost revision.
 */
export function findLostTexts(council: Council, names: string[]): { participant: string; name: string }[] {
  const [there, needed] = [new Set(names), collectNeededSeals(council)];
  return names.flatMap((name) => {
    const participant = /^sealed-(.+)-\d+-[^-]+\.json$/.exec(name)?.[1];
    const isLost =
      there.has(formatCommittedName(name)) && !there.has(formatDroppedName(name)) && !needed.has(name);
    return participant !== undefined && isLost ? [{ participant, name }] : [];
  });
}

/**
 * Keeps the sealed texts that `after` no longer refers to, so that a later restore can bring them back. Texts
 * that are still sealed stay private, and join the late ones when their phase closes. Returns their paths.
 */
export async function keepSealed(
  { privateFiles }: Ports,
  before: Council,
  after: Council,
): Promise<string[]> {
  const { state } = before;
  const { conversationId } = state;
  const needed = collectNeededSeals(after);
  for (const file of collectNeededSeals(before)) {
    const record = needed.has(file) ? undefined : await privateFiles.read(conversationId, file);
    if (record) await privateFiles.write(conversationId, formatDroppedName(file), record);
  }
  const kept: string[] = [];
  for (const sealed of (await unsealAll(state, privateFiles)).texts) {
    const file = findSealedFileName(state, sealed.participant);
    if (file && needed.has(file)) continue;
    kept.push(await privateFiles.write(conversationId, formatKeptName(sealed), Buffer.from(sealed.text)));
  }
  return kept;
}

/**
 * Puts back the sealed texts that an old revision commits to, before it is restored over `current`. Returns the
 * participants who must respond again, because their text was replaced here since.
 */
export async function restoreDroppedTexts(
  { privateFiles, place }: Ports,
  current: Council,
  { state }: Council,
): Promise<string[]> {
  if (!isBlindNow(state)) return [];
  const { conversationId } = state;
  const known = collectNeededSeals(current);
  const isGone = async (id: string): Promise<boolean> => {
    const file = findSealedFileName(state, id);
    if (!file || known.has(file)) return false;
    const copy = await privateFiles.read(conversationId, formatDroppedName(file));
    if (copy) await privateFiles.write(conversationId, file, copy);
    // If it is from another machine or user, it may still exist there.
    return (
      getSeat(state, id).sealedAt === place && (await privateFiles.size(conversationId, file)) === undefined
    );
  };
  const again: string[] = [];
  for (const id of state.order) if (await isGone(id)) again.push(id);
  return again;
}

/** Refuses a restore into a blind round that the store has closed, because its texts may have been read. */
export async function refuseClosedRound({ privateFiles }: Ports, { state }: Council): Promise<void> {
  const { conversationId, tour, name } = state;
  if (!isBlindNow(state) || !(await privateFiles.sealing?.isClosed(conversationId, tour))) return;
  throw new CouncilError(
    'phase_closed',
    `Round ${tour} of "${name}" was blind, and has been closed for good.`,
    {
      hint: `Restore a later revision: council history --name ${name}`,
    },
  );
}
