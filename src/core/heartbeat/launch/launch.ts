// Launches all awaited participants in parallel over all councils.
import pLimit from 'p-limit';
import { CouncilError } from '../../base/errors.ts';
import type { Snapshot } from '../../council/use/update-council.ts';
import type { CouncilState } from '../../council/state/state.ts';
import { awaited, listRunnerIds, seat } from '../../council/state/state.ts';
import { takeTurn } from './attempts.ts';
import { ownRunners } from './borrowed-runner.ts';
import type { Launches } from './attempts.ts';
import { alive } from './heartbeat-row.ts';
import type { LaunchPorts, LaunchOptions, OpenPhase } from './ports.ts';

const listLaunchable = (state: CouncilState): string[] =>
  awaited(state).filter((id) => seat(state, id).runner !== 'human');

/** True when a program has to answer for an awaited participant. */
export const hasLaunchable = (state: CouncilState): boolean => listLaunchable(state).length > 0;

/** The open phase, for a council's observers. */
export const openPhase = (state: CouncilState): OpenPhase => ({
  phase: state.currentPhase,
  tour: state.tour,
  timeoutAt: state.timeoutAt,
  ranks: state.rules.ranks,
  people: awaited(state).filter((id) => seat(state, id).runner === 'human'),
});

const nobody = (): Launches => ({ launched: [], failed: [] });

/** Launches everybody who still has to answer and can be launched, in parallel over all councils, and records what they say. */
export async function launchAwaited(
  ports: LaunchPorts,
  snapshots: Snapshot[],
  options: LaunchOptions,
): Promise<Launches[]> {
  const elsewhere = await onlyElsewhere(ports, snapshots);
  const tables = snapshots.map(({ council: { state } }) => ({
    state,
    participants: listLaunchable(state).filter(
      (id) => ownRunners(ports, state, id).length > 0 && !elsewhere.has(id),
    ),
    launches: nobody(),
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
    tables.flatMap(({ state, participants, launches }) =>
      participants.map((participant) =>
        slots(() =>
          takeTurn(ports, { state, participant, launches }, options).catch(recordLaunchError(launches)),
        ),
      ),
    ),
  );
  return outcomes;
}

/** Whom this machine does not know, and another heartbeat may launch: to try here would count as a failure. */
async function onlyElsewhere(
  { agents, heartbeats }: Pick<LaunchPorts, 'agents' | 'heartbeats'>,
  snapshots: readonly Snapshot[],
): Promise<Set<string>> {
  const unknown = snapshots.flatMap(({ council: { state } }) =>
    listLaunchable(state).filter((id) => listRunnerIds(state, id).every((one) => !agents.find(one))),
  );
  if (unknown.length === 0) return new Set();
  const there = alive(await heartbeats.list());
  return new Set(unknown.filter((id) => there.some(({ agents: known }) => Object.hasOwn(known, id))));
}

/** A store that fails for one participant (a full disk, say) must not cost the others their turns. */
const recordLaunchError =
  (outcome: Launches) =>
  (error: unknown): void => {
    if (!(error instanceof CouncilError)) throw error;
    outcome.error ??= { code: error.code, message: error.message, hint: error.hint };
  };
