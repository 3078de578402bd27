// Phase machine: revealing sealed texts and verdicts after a blind phase.
import { sha256 } from '../../base/ids.ts';
import { buildContribution } from '../document/contribution.ts';
import { withContributions } from '../document/document.ts';
import type { PhaseName } from '../state/choices.ts';
import type { Council, CouncilState, Failure, Participant, UsageRecord, Verdict } from '../state/state.ts';
import type { ControlAnswer } from './control.ts';
import { isBlindNow, seat } from '../state/state.ts';
import { withUsage } from '../state/usage.ts';

/** A sealed text as it comes into the open: text and salt together, so that anybody can check the commitment. */
export interface RevealedText {
  participant: string;
  phase: PhaseName;
  tour: number;
  /** ISO 8601 UTC. */
  at: string;
  /** 32 random bytes as hexadecimal. */
  salt: string;
  verdict: Verdict;
  /** As in a contribution. */
  parts?: number[];
  text: string;
}

/** What the private folder gave up. */
export interface Unsealed {
  /** The sealed texts of a blind phase; empty for any other. */
  texts: readonly RevealedText[];
  /** Who has committed to a text that is not there. */
  missing: string[];
  /** What launches used up that are not on record yet, and the last failure of each participant. */
  usage?: UsageRecord[];
  /** What the controls said; only where the council ends. */
  controls?: ControlAnswer[];
  failures?: Record<string, SpooledFailure>;
}

/** A failure with its class, which is all that the state of a blind phase says of it. */
export type SpooledFailure = Failure & { safeReason: string };

/** The council with sealed texts put in the open. */
export function addRevealedTexts(council: Council, texts: readonly RevealedText[]): Council {
  const opened = texts.map(({ participant: by, phase, tour, at, salt, verdict, parts, text }) => {
    const commitment =
      seat(council.state, by).commitment ??
      council.state.absences.find((a) => a.participant === by && a.tour === tour)?.commitment;
    const said = buildContribution({ by, phase, tour, at, verdict, ...(parts && { parts }), text });
    return { ...said, salt, commitment };
  });
  return { ...council, contributions: withContributions(council, opened) };
}

/** The end of a round's fence marker. Its seed is drawn when the round is revealed, so no author can write the marker beforehand. */
export const drawMarker = (seed: string): string => sha256(JSON.stringify(['fence', seed])).slice(0, 16);

/** The verdicts of a blind phase become visible, as if they had been given in the open. */
export function unseal(sealed: CouncilState, { texts, usage, failures = {} }: Unsealed): CouncilState {
  const state = usage?.length ? { ...sealed, usage: withUsage(sealed.usage ?? [], usage) } : sealed;
  if (!isBlindNow(state)) return state;
  const verdicts = new Map(texts.map(({ participant, verdict }) => [participant, verdict]));
  const opened = state.order.map((id): [string, Participant] => {
    const failure = Object.hasOwn(failures, id) ? failures[id] : undefined;
    const participant = withWholeReason(seat(state, id), failure);
    const verdict = verdicts.get(id);
    if (!verdict) return [id, participant];
    const { agreed, position, blocking, done } = verdict;
    const status = done ? 'DONE' : agreed ? 'AGREED' : 'RESPONDED';
    return [id, { ...participant, status, agreed, position, blocking }];
  });
  return { ...state, participants: Object.fromEntries(opened) };
}

/** A seat with the full reason of its failure; a blind phase shows only the class. */
function withWholeReason(participant: Participant, spooled: SpooledFailure | undefined): Participant {
  if (!spooled || participant.status !== 'WAITING') return participant;
  const { safeReason, ...failure } = spooled;
  const isIt = participant.absent === `failed: ${safeReason}`;
  return { ...participant, failure, ...(isIt && { absent: `failed: ${failure.reason}` as const }) };
}
