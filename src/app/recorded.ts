// What somebody has recorded in the open round, for whoever goes on writing it.
import { isBlindNow } from '../council/state/state.ts';
import { readSealed } from '../council/use/seal.ts';
import { readCouncil } from '../council/use/update-council.ts';
import type { Workspace } from './workspace.ts';

/** What `participant` has recorded in the open round, word for word, a sealed text too: for that seat alone. Null where there is nothing. */
export async function recordedBy(
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
