// What a participant already said in this tour, to recognize repetitions and replacements.
import type { Ports } from './ports.ts';
import { readSealed, findSealedFileName } from './seal.ts';
import { pickChoice } from '../state/ballot.ts';
import type { Council, Verdict } from '../state/state.ts';
import { isBlindNow, seat } from '../state/state.ts';

/** What the participant said before in this tour, as far as it can be read here. */
export type Earlier = { repeat: 'first' | 'same' | 'different'; verdict: Verdict | null };

/** Reads the private folder while the phase is blind. */
export async function whatWasSaid(
  ports: Ports,
  council: Council,
  participant: string,
  text: string,
): Promise<Earlier> {
  const { state } = council;
  const { commitment } = seat(state, participant);
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

/** The same text again changes nothing, unless `--replace` comes with another verdict. */
export function isNoop(earlier: Earlier, verdict: Verdict, replace: boolean): boolean {
  return (
    earlier.repeat === 'same' && !(replace && JSON.stringify(earlier.verdict) !== JSON.stringify(verdict))
  );
}
