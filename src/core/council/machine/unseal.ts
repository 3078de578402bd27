// Phase machine: reveals sealed texts and verdicts after a blind phase.
import { sha256 } from '../../base/ids.ts';
import { buildContribution } from '../document/contribution.ts';
import { addContributions } from '../document/document.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import type { Council, CouncilState, Failure, Participant, UsageRecord, Verdict } from '../state/state.ts';
import type { ControlAnswer } from './control.ts';
import { isBlindNow, getSeat } from '../state/state.ts';
import { addUsage } from '../state/budget.ts';

/** A sealed text when revealed, with its salt, so that anyone can verify the commitment. */
export interface RevealedText {
  participant: string;
  phase: PhaseName;
  tour: number;
  /** ISO 8601 UTC. */
  at: string;
  /** 32 random bytes, in hexadecimal. */
  salt: string;
  verdict: Verdict;
  /** As in a contribution. */
  parts?: number[];
  text: string;
}

/** Data read from the private folder. */
export interface UnsealedData {
  /** The sealed texts of a blind phase; empty for any other. */
  texts: readonly RevealedText[];
  /** Participants who committed to a text that is missing. */
  missing: string[];
  /** Usage of launches not yet on record, and the last failure of each participant. */
  usage?: UsageRecord[];
  /** The controls' answers; only if the council ends. */
  controls?: ControlAnswer[];
  failures?: Record<string, SpooledFailure>;
}

/** A failure with its class; the state of a blind phase shows only the class. */
export type SpooledFailure = Failure & { safeReason: string };

export function addRevealedTexts(council: Council, texts: readonly RevealedText[]): Council {
  const opened = texts.map(({ participant: by, phase, tour, at, salt, verdict, parts, text }) => {
    const commitment =
      getSeat(council.state, by).commitment ??
      council.state.absences.find((a) => a.participant === by && a.tour === tour)?.commitment;
    const said = buildContribution({ by, phase, tour, at, verdict, ...(parts && { parts }), text });
    return { ...said, salt, commitment };
  });
  return { ...council, contributions: addContributions(council, opened) };
}

/** Derives the end of a fence marker from a seed drawn at the reveal, so that no author can know it before. */
export const drawMarker = (seed: string): string => sha256(JSON.stringify(['fence', seed])).slice(0, 16);

/** Reveals the verdicts of a blind phase, as if they had been given openly. */
export function unsealVerdicts(
  sealed: CouncilState,
  { texts, usage, failures = {} }: UnsealedData,
): CouncilState {
  const state = usage?.length ? { ...sealed, usage: addUsage(sealed.usage ?? [], usage) } : sealed;
  if (!isBlindNow(state)) return state;
  const verdicts = new Map(texts.map(({ participant, verdict }) => [participant, verdict]));
  const opened = state.order.map((id): [string, Participant] => {
    const failure = Object.hasOwn(failures, id) ? failures[id] : undefined;
    const participant = restoreFullReason(getSeat(state, id), failure);
    const verdict = verdicts.get(id);
    if (!verdict) return [id, participant];
    const { agreed, position, blocking, done } = verdict;
    const status = done ? 'DONE' : agreed ? 'AGREED' : 'RESPONDED';
    return [id, { ...participant, status, agreed, position, blocking }];
  });
  return { ...state, participants: Object.fromEntries(opened) };
}

/** Returns a seat with the full reason of its failure; a blind phase shows only the class. */
function restoreFullReason(participant: Participant, spooled: SpooledFailure | undefined): Participant {
  if (!spooled || participant.status !== 'WAITING') return participant;
  const { safeReason, ...failure } = spooled;
  const isIt = participant.absent === `failed: ${safeReason}`;
  return { ...participant, failure, ...(isIt && { absent: `failed: ${failure.reason}` as const }) };
}
