// Use case `reveal`: supplies a sealed text that was missing.
import { CouncilError } from '../../base/errors.ts';
import { amendCouncil } from './commit-change.ts';
import { requireAccepted } from './council-access.ts';
import { transition } from '../machine/transition.ts';
import type { Ports } from './ports.ts';
import { openSealed, getSealedName } from './seal.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';

export interface RevealResult {
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
