// A council's state as the document that `status --json` prints, and how faces read it.
import { loadWords } from '../base/words/words.ts';
import { computeDueMove } from '../council/machine/deadline.ts';
import { awaited, listRunnerIds, getSeat } from '../council/state/state.ts';
import type { CouncilState, Lease, DeadlineMove } from '../council/state/state.ts';
import { findMissingTexts } from '../council/use/seal.ts';
import { parseHostOfPlace } from '../store/heartbeats.ts';
import { isAlive, identifyThisProcess } from '../store/local/liveness.ts';
import { systemClock } from '../store/local/system.ts';
import { formatOutcomeSentence } from '../council/vote/explain.ts';
import type { Aside } from './conflict-answers.ts';
import { explainMissingHeartbeats } from './missing-heartbeats.ts';
import type { AwaitingHeartbeat } from './missing-heartbeats.ts';
import type { Workspace } from './workspace.ts';
import type { AgentHealth } from '../store/agent-health.ts';
export { tellOfAside } from './conflict-answers.ts';
export { describeAbsenceReason } from '../council/document/state-page.ts';
export { formatRunnableKey } from '../agents/runnable-trust.ts';
export { awaited, isBlindNow, isHeld, getSeat } from '../council/state/state.ts';
export type { CouncilState, Lease, Participant } from '../council/state/state.ts';
export { describeLimit } from '../council/state/budget.ts';
export { sumUsage, sumTokens } from '../council/state/budget.ts';

/** The absolute path of the state file. */
export const getProjectionPath = ({ edits }: Workspace, name: string): string => edits.projectionPath(name);

type HiddenStateKey = 'labelSeed' | 'requests' | 'reveals' | 'begunIn';

/** The state JSON, without what is only of use to council itself (seeds, keys of requests, private folders), plus `path` and `edited`: one element of `status --json`. */
export interface StateDocument extends Omit<CouncilState, HiddenStateKey> {
  path: string;
  /** True if the file was edited by hand; see adopt and restore. */
  edited: boolean;
  /** Set if the edited file has no readable state block, so that only restore helps. */
  adoptable?: false;
  /**
   * Participants whose sealed text is not on this machine, so the phase waits for it; unset if
   * none.
   */
  missing?: string[];
  /** Answers from another machine in a conflict copy; unset if none. */
  aside?: Aside[];
  /** Awaited participants that are paused; unset if none. */
  paused?: PausedAgents;
  /** Awaited participants whose labels no heartbeat has; unset if none. */
  waiting?: AwaitingHeartbeat[];
  /** Programs that would run now but wait for their owner's trust; unset if none. */
  waitingForTrust?: Record<string, unknown>[];
}

/** The move of its deadline that the next tick of this machine will make; null when none is due. */
export const findDueMove = (state: CouncilState): Omit<DeadlineMove, 'at'> | null =>
  computeDueMove(state, systemClock.clocks());

/** Whether the command that launched a participant has ended. One on another host counts as running until its lease ends. */
export const hasEnded = (lease: Lease): boolean => isAlive(lease) === false;

/** Returns the other machine that launches a participant, without its container number; undefined for this one. */
export const findOtherHost = ({ host }: Lease): string | undefined =>
  host === identifyThisProcess().host ? undefined : parseHostOfPlace(host).replace(/#\d+$/, '');

/** Converts the state for `--json` and pages: without seeds and request keys, with facts from the files. */
export async function buildStateDocument(workspace: Workspace, state: CouncilState): Promise<StateDocument> {
  const edited = await workspace.edits.isEdited(state.name);
  const {
    labelSeed: _labelSeed,
    requests: _requests,
    reveals: _reveals,
    begunIn: _begunIn,
    ...shown
  } = state;
  const missing = await findMissingTexts(state, workspace.ports.privateFiles);
  return {
    ...shown,
    path: getProjectionPath(workspace, state.name),
    edited,
    ...(missing.length > 0 && { missing }),
    ...(edited && !(await workspace.edits.holdsState(state.name)) && { adoptable: false as const }),
  };
}

/** Describes who waits for a heartbeat, in the council's language. */
export const listMissingHeartbeats = ({ waiting = [], lang }: StateDocument): string[] =>
  explainMissingHeartbeats(waiting, loadWords(lang)).map(({ sentence }) => sentence);

/** The sentence about the outcome, where there is one. */
export const describeDecisionOutcome = ({
  decision,
  lang,
}: Pick<CouncilState, 'decision' | 'lang'>): string | undefined =>
  decision ? formatOutcomeSentence(decision, loadWords(lang)) : undefined;

/** Paused agents by id: too many launches failed, or a provider asked to wait. */
type PausedAgents = Record<string, { until: string; reason: string; isLimit?: true }>;

/** Awaited participants that are paused. Agent health is not read if only people are awaited. */
export async function findPausedAgents(
  book: Pick<AgentHealth, 'read'>,
  state: CouncilState,
): Promise<PausedAgents> {
  const launchable = awaited(state).filter((id) => getSeat(state, id).runner !== 'human');
  if (launchable.length === 0) return {};
  const health = await book.read();
  return Object.fromEntries(
    launchable.flatMap((id): [string, PausedAgents[string]][] => {
      const { retryAt } = getSeat(state, id);
      if (retryAt !== undefined) return [[id, { until: retryAt, reason: 'rate limit', isLimit: true }]];
      const resting = listRunnerIds(state, id).map(
        (one) => (Object.hasOwn(health, one) && health[one]) || undefined,
      );
      // A seat that can borrow several runners waits for the first one that is free.
      const [first] = resting.toSorted((a, b) => ((a?.until ?? '') < (b?.until ?? '') ? -1 : 1));
      if (!first?.until) return [];
      const { until, reason, isLimit } = first;
      return [[id, { until, reason, ...(isLimit && { isLimit }) }]];
    }),
  );
}

/**
 * True where only agents are awaited that are paused because their launches failed. Then the phase closes without them: not to
 * keep all others waiting is worth more than one more try. An agent paused by a provider's limit is waited for, because it can
 * answer later, and so is the coordinator in SYNTHESIZE.
 */
export const awaitsOnlyBrokenAgents = (state: CouncilState, paused: PausedAgents): boolean =>
  state.currentPhase !== 'SYNTHESIZE' &&
  awaited(state).length > 0 &&
  awaited(state).every((id) => paused[id] !== undefined && !paused[id].isLimit);

const LOOK_AGAIN_MS = 60_000;
const SHORTEST_WAIT_MS = 100;

/**
 * When the first paused agent may be retried. Another process may retry it earlier, without notice.
 */
export function computeRetryTime(paused: PausedAgents, now: number): number {
  const ends = Object.values(paused).map(({ until }) => Date.parse(until));
  if (ends.length === 0) return Infinity;
  return Math.max(now + SHORTEST_WAIT_MS, Math.min(...ends, now + LOOK_AGAIN_MS));
}
