// Measures the sealed texts of a phase, each only once.
import { memoizePerOwner } from '../../base/memoize.ts';
import { MAX_COUNCIL_BYTES } from '../../base/text.ts';
import { seat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';
import type { Ports } from './ports.ts';
import { findSealedFileName, unsealAll } from './seal.ts';

/** True if the sealed texts and `more` bytes would make the council too large. */
export async function isFull(ports: Ports, state: CouncilState, more: number): Promise<boolean> {
  // The files are larger than the texts in them, so their sizes are a quick upper bound.
  return (
    (await sealedFiles(ports, state)) + more > MAX_COUNCIL_BYTES &&
    (await sealedBytes(ports, state)) + more > MAX_COUNCIL_BYTES
  );
}

async function sealedFiles({ privateFiles }: Ports, state: CouncilState): Promise<number> {
  const { conversationId } = state;
  const known = sizes(privateFiles, conversationId, () => new Map());
  let sum = 0;
  for (const id of state.order) {
    const { commitment } = seat(state, id);
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
const sizes = memoizePerOwner<Map<string, number>>(50);

/** Whether this process has seen a participant's sealed text. */
export function hasSeenSealed(
  { privateFiles }: Pick<Ports, 'privateFiles'>,
  state: CouncilState,
  id: string,
): boolean {
  const { commitment } = seat(state, id);
  return commitment !== null && sizes(privateFiles, state.conversationId, () => new Map()).has(commitment);
}

async function sealedBytes(ports: Ports, state: CouncilState): Promise<number> {
  if (ports.privateFiles.sealing) return sealedFiles(ports, state);
  const { texts } = await unsealAll(state, ports.privateFiles);
  return texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}
