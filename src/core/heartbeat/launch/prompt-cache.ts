// Plans prompt caching: the prefixes that a prompt shares with earlier and later ones of its council. Pure.
import type { Agent } from '../../agents/agent.ts';
import { formatModelKey } from '../../agents/seat-notation.ts';
import type { PromptPrefix } from '../../agents/runners/turn-types.ts';
import { awaited, listRunnerIds, getSeat } from '../../council/state/state.ts';
import type { CouncilState } from '../../council/state/state.ts';
import type { View } from '../../council/view/view.ts';

/** How long providers cache a prefix at least, since it was last read. */
export const CACHE_LIFETIME_MS = 5 * 60_000;

/** A prompt about to be sent. */
export interface PromptToAsk {
  state: CouncilState;
  participant: string;
  runner: string;
  find(id: string): Agent | undefined;
  view: Pick<View, 'prompt' | 'stable'>;
  system: string;
}

/** Returns a prompt's bytes, and those of its longest prefix in an earlier one to the same program and model. */
export function measureBeginning(asked: PromptToAsk): { bytes: number; cacheable: number } {
  const { state, participant, view, system } = asked;
  const measure = (end: number): number =>
    Buffer.byteLength(system) + Buffer.byteLength(view.prompt.slice(0, end));
  const bytes = measure(view.prompt.length);
  const known = findKnownEnd(asked);
  if ((getSeat(state, participant).lease?.attempt ?? 1) > 1) return { bytes, cacheable: bytes };
  return { bytes, cacheable: known === undefined ? 0 : measure(known) };
}

/**
 * Returns the end of the prefix that an earlier prompt to the same model had: everything revealed before the
 * last round, if the reader was asked in an earlier round; the common part, if only another seat was asked.
 */
function findKnownEnd({ view: { stable }, ...asked }: PromptToAsk): number | undefined {
  const { state, participant } = asked;
  const earlier = (state.usage ?? []).filter(({ tour }) => tour < state.tour);
  if (earlier.some((one) => one.participant === participant)) return stable.at(-2) ?? stable[0];
  const sharing = listSeatsSharingModel(asked);
  const isAskedBefore = sharing.indexOf(participant) > 0;
  return isAskedBefore || earlier.some((one) => sharing.includes(one.participant)) ? stable[0] : undefined;
}

/** Returns the seats that use the same program and model, in order, including the participant. */
function listSeatsSharingModel({ state, participant, runner, find }: Omit<PromptToAsk, 'view'>): string[] {
  const own = find(runner);
  const key = own && formatModelKey(own);
  const isSame = (id: string): boolean => {
    const agent = id === participant ? own : find(listRunnerIds(state, id)[0]!);
    return agent !== undefined && formatModelKey(agent) === key;
  };
  return [...state.order, ...(state.coordinator === null ? [] : [state.coordinator])].filter(isSame);
}

/**
 * Returns the prefixes of a prompt, each with whether the provider should cache it, which some bill for:
 * prefixes that another prompt will share while still cached, and cached ones that this prompt uses.
 */
export function planPromptCache(asked: PromptToAsk, times: { now: number; goesOn: boolean }): PromptPrefix[] {
  const { stable } = asked.view;
  const kept = new Set<number | undefined>();
  const awaitedNow = awaited(asked.state);
  const sharing = listSeatsSharingModel(asked);
  if (sharing.some((id) => id !== asked.participant && awaitedNow.includes(id))) kept.add(stable[0]);
  if (isAskedAgainSoon(asked, times)) kept.add(stable[0]).add(stable.at(-1));
  const known = findKnownEnd(asked);
  if (wasReadLately(asked.state, sharing, times.now)) kept.add(stable[0]).add(known);
  return stable.map((end) => ({ end, isKept: kept.has(end) }));
}

/** Whether a prompt to one of these seats was read recently enough to be cached. */
const wasReadLately = ({ usage = [] }: CouncilState, seats: readonly string[], now: number): boolean =>
  usage.some((one) => seats.includes(one.participant) && now - Date.parse(one.at) < CACHE_LIFETIME_MS);

/**
 * Whether the same reader is due in the next phase before the cache expires: if this process continues on its
 * own, or the last phase was fast enough.
 */
function isAskedAgainSoon({ state, participant }: PromptToAsk, { goesOn }: { goesOn: boolean }): boolean {
  const next = state.phases[state.phases.indexOf(state.currentPhase) + 1];
  const speaksNext = next !== undefined && (next === 'SYNTHESIZE') === (participant === state.coordinator);
  if (!speaksNext || state.hold) return false;
  if (awaited(state).some((id) => getSeat(state, id).runner === 'human')) return false;
  const [before, last] = [state.createdAt, ...state.transitions.map(({ at }) => at)].slice(-2);
  const isFast = last !== undefined && Date.parse(last) - Date.parse(before!) < CACHE_LIFETIME_MS;
  return goesOn || isFast;
}
