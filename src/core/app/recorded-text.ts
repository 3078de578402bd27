// The text that a participant has recorded in the open round, to go on editing it.
import { isBlindNow } from '../council/state/state.ts';
import { readSealed } from '../council/use/seal.ts';
import { readCouncil } from '../council/use/update-council.ts';
import type { Workspace } from './workspace.ts';

/**
 * Text that `participant` has recorded in the open round, unchanged, even if sealed: only for that
 * seat. Null if there is none.
 */
export async function findRecordedText(
  { ports }: Workspace,
  name: string,
  participant: string,
): Promise<string | null> {
  const { state, contributions } = (await readCouncil(ports, name)).council;
  const said = isBlindNow(state)
    ? await readSealed(state, participant, ports.privateFiles)
    : contributions.find(({ by, tour }) => by === participant && tour === state.tour);
  return said?.text ?? null;
}
