import { CouncilError } from '../../base/errors.ts';
import { amend } from './update-council.ts';
import { transition } from '../machine/transition.ts';
import type { Ports } from './ports.ts';
import { openSealed, sealedName } from './seal.ts';
import { isBlindNow, seat } from '../state/state.ts';

export interface Reveal {
  participant: string;
  tour: number;
  revision: number;
  /** True when the phase is still blind: the text is back in the private folder and shows at the closing. */
  stillSealed: boolean;
}

/**
 * Takes a sealed text that was missing: exactly the committed one, nothing else. While the phase is open it goes back
 * to the private folder; after it, the contribution joins its tour and the absence ends.
 * Throws `commitment_mismatch`, and `usage` when nothing of that participant is missing.
 */
export async function reveal(
  ports: Ports,
  input: { name: string; participant: string; bytes: Uint8Array; where: string },
): Promise<Reveal> {
  const { participant, bytes, where } = input;
  const { closeTour } = await import('../ledger/ledger.ts');
  const { result, revision } = await amend<{ conversationId: string; file: string | null; tour: number }>(
    ports,
    input.name,
    { action: 'reveal', by: participant },
    (council) => {
      const { state } = council;
      const { commitment } = seat(state, participant);
      if (isBlindNow(state) && commitment) {
        openSealed(bytes, commitment, where);
        return {
          result: {
            conversationId: state.conversationId,
            file: sealedName(participant, state.tour, commitment),
            tour: state.tour,
          },
        };
      }
      const absence = state.absences.find((a) => a.participant === participant && a.commitment !== undefined);
      if (!absence?.commitment) {
        throw new CouncilError('usage', `No sealed text of ${participant} is missing in "${state.name}".`, {
          hint: `See who is absent, and why: council status --name ${state.name}`,
        });
      }
      const sealed = openSealed(bytes, absence.commitment, where);
      const outcome = transition(council, { type: 'reveal', text: sealed, closeTour }, ports.clock.now());
      if (!outcome.ok) throw new CouncilError(outcome.code, outcome.message);
      return {
        next: outcome.council,
        result: { conversationId: state.conversationId, file: null, tour: absence.tour },
      };
    },
  );
  if (result.file) await ports.privateFiles.write(result.conversationId, result.file, bytes);
  return { participant, tour: result.tour, revision, stillSealed: result.file !== null };
}
