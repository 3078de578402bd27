// Launches all awaited participants in parallel across all councils.
import pLimit from 'p-limit';
import { CouncilError } from '../../base/errors.ts';
import type { Snapshot } from '../../council/use/council-access.ts';
import type { Council, CouncilState } from '../../council/state/state.ts';
import { listLaunchable } from '../../council/machine/launches.ts';
import { awaited, listRunnerIds, getSeat } from '../../council/state/state.ts';
import { estimateTokens } from '../../agents/prices.ts';
import { formatModelKey } from '../../agents/seat-notation.ts';
import { CACHE_LIFETIME_MS } from './prompt-cache.ts';
import { takeTurn } from './attempts.ts';
import { listOwnRunners } from './borrowed-runner.ts';
import type { Launches } from './attempts.ts';
import { listAlive } from './heartbeat-row.ts';
import type { LaunchPorts, LaunchOptions, OpenPhase } from './ports.ts';

/** Returns the open phase, for a council's observers. */
export const openPhase = (state: CouncilState): OpenPhase => ({
  phase: state.currentPhase,
  tour: state.tour,
  timeoutAt: state.timeoutAt,
  ranks: state.rules.ranks,
  people: awaited(state).filter((id) => getSeat(state, id).runner === 'human'),
});

const createEmptyLaunches = (): Launches => ({ launched: [], failed: [] });

/** Launches all participants who still have to answer, in parallel, and records their contributions. */
export async function launchAwaited(
  ports: LaunchPorts,
  snapshots: Snapshot[],
  options: LaunchOptions,
): Promise<Launches[]> {
  const elsewhere = await listKnownElsewhere(ports, snapshots);
  const tables = snapshots.map(({ council, council: { state } }) => ({
    ...{ council, state },
    participants: listLaunchable(state).filter(
      (id) => listOwnRunners(ports, state, id).length > 0 && !elsewhere.has(id),
    ),
    launches: createEmptyLaunches(),
  }));
  const outcomes = tables.map(({ launches }) => launches);
  if (options.signal.aborted || tables.every(({ participants }) => participants.length === 0))
    return outcomes;
  for (const { state, participants } of tables)
    if (participants.length > 0)
      options.onProgress({
        type: 'launching',
        council: state.name,
        ...openPhase(state),
        participants,
      });
  const slots = options.slots ?? pLimit(options.concurrency);
  await Promise.all(
    tables.flatMap(({ council, state, participants, launches }) => {
      const enter = createStartQueue(ports, council);
      return participants.map(async (participant) => {
        const { turn, onBegin } = enter(participant);
        await turn;
        await slots(() => takeTurn(ports, { state, participant, launches }, { ...options, onBegin }))
          .catch(recordLaunchError(launches))
          .finally(onBegin);
      });
    }),
  );
  return outcomes;
}

/** Minimum tokens of a brief that make it worth waiting for the provider's cache. */
const LEAST_TO_WAIT_FOR = 4096;

/**
 * Delays seats of one model that have not been asked recently until the first byte of the first one's answer,
 * when the provider has cached the common part. Other programs do not report their first byte until they are
 * done, so their seats do not wait.
 */
function createStartQueue(
  { agents, clock }: Pick<LaunchPorts, 'agents' | 'clock'>,
  { state, brief }: Council,
): (participant: string) => { turn: Promise<void> | undefined; onBegin(): void } {
  const firsts = new Map<string, Promise<void>>();
  const isKnown = clock.now() - Date.parse(state.transitions.at(-1)?.at ?? '') < CACHE_LIFETIME_MS;
  const isWorthIt = !isKnown && estimateTokens(Buffer.byteLength(brief)) >= LEAST_TO_WAIT_FOR;
  return (participant) => {
    const agent = agents.find(listRunnerIds(state, participant)[0]!);
    const { promise, resolve: onBegin } = Promise.withResolvers<void>();
    if (!isWorthIt || agent?.runner !== 'model') return { turn: undefined, onBegin };
    const key = formatModelKey(agent);
    const turn = firsts.get(key);
    if (!turn) firsts.set(key, promise);
    return { turn, onBegin };
  };
}

/** Returns participants whose agents only another heartbeat knows: an attempt here would count as a failure. */
async function listKnownElsewhere(
  { agents, heartbeats }: Pick<LaunchPorts, 'agents' | 'heartbeats'>,
  snapshots: readonly Snapshot[],
): Promise<Set<string>> {
  const unknown = snapshots.flatMap(({ council: { state } }) =>
    listLaunchable(state).filter((id) => listRunnerIds(state, id).every((one) => !agents.find(one))),
  );
  if (unknown.length === 0) return new Set();
  const there = listAlive(await heartbeats.list());
  return new Set(unknown.filter((id) => there.some(({ agents: known }) => Object.hasOwn(known, id))));
}

/** If the store fails for one participant (a full disk, for example), the others still get their turns. */
const recordLaunchError =
  (outcome: Launches) =>
  (error: unknown): void => {
    if (!(error instanceof CouncilError)) throw error;
    outcome.error ??= { code: error.code, message: error.message, hint: error.hint };
  };
